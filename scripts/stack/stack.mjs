import { rm } from 'node:fs/promises';
import path from 'node:path';
import { LauncherError } from '../progress.mjs';
import { resolve } from '../toolchain/tools.mjs';
import { startMongod, startTemporal, startVersitygw } from './engines.mjs';
import { openFolders, openSecrets, readJson, writePrivateJson } from './home.mjs';
import { freePorts, isFree, preferredPort, releasePorts } from './ports.mjs';
import { graceSeconds, inEndOrder } from './roles.mjs';
import { signalProcess, Supervised } from './supervised.mjs';

/** Ports tried first on a stack that stays; any free one is taken instead of one in use. */
const PREFERRED_PORTS = { api: 3000, temporal: 7233, temporalUi: 8233, s3: 7070, mongo: 27027, demoReceiver: 3999 };

/**
 * One running stack: its folders, ports, engines and processes. Every start and end of a process is noted in
 * `state.json`, from which a later start recognises what a killed launcher left behind.
 */
export class Stack {
  #processes = [];
  #noting = Promise.resolve();
  #stopped = null;

  /**
   * @param {{home: string, ephemeral: boolean, fresh?: boolean, log: (message: string) => void, env?: NodeJS.ProcessEnv}} options
   */
  static async open({ home, ephemeral, fresh = false, log, env = process.env }) {
    if (fresh && !ephemeral) await rm(path.join(home, 'data'), { recursive: true, force: true });
    const folders = await openFolders(home, ephemeral);
    const secrets = await openSecrets(folders.secrets);
    const stack = new Stack({ folders, secrets, ephemeral, log, env });
    await stack.#note();
    return stack;
  }

  constructor({ folders, secrets, ephemeral, log, env }) {
    this.folders = folders;
    this.secrets = secrets;
    this.ephemeral = ephemeral;
    this.log = log;
    /** What every process inherits. */
    this.inherited = env;
    this.takenPorts = new Set();
    /** What the service's processes get on top of that. */
    this.environment = {};
    this.addresses = {};
  }

  get stateFile() {
    return path.join(this.folders.home, 'state.json');
  }

  /**
   * Ports of the last run where they are still free, so that links and bookmarks stay right.
   * @param {Partial<Record<keyof typeof PREFERRED_PORTS, number>>} wanted 0 for any free port
   * @throws {LauncherError} when a port that was asked for is in use
   */
  async choosePorts(wanted = {}) {
    const file = path.join(this.folders.store, 'ports.json');
    const remembered = this.ephemeral ? {} : { ...PREFERRED_PORTS, ...((await readJson(file)) ?? {}) };
    const ports = {};
    for (const name of Object.keys(PREFERRED_PORTS)) {
      const asked = wanted[name];
      if (asked !== undefined && asked !== 0 && !(await isFree(asked)))
        throw new LauncherError(`port ${asked} for ${name} is in use`);
      ports[name] = await preferredPort(asked === 0 ? undefined : (asked ?? remembered[name]), this.takenPorts);
    }
    if (!this.ephemeral) await writePrivateJson(file, ports);
    this.ports = ports;
    return ports;
  }

  /** One more free port. */
  async choosePort() {
    const [port] = await freePorts(1, this.takenPorts);
    return port;
  }

  /**
   * Starts MongoDB, Temporal and S3 at once, each unless the environment names a running one, and finds Chromium.
   */
  async startEngines() {
    const env = this.inherited;
    const context = { data: this.folders.data, supervise: (...args) => this.supervise(...args) };
    await Promise.all([this.#startMongo(context, env), this.#startTemporal(context, env), this.#startS3(context, env)]);
    const chromium = await resolve('chromium', { env });
    Object.assign(this.environment, {
      CHROMIUM_PATH: chromium.executable,
      MASTER_KEY_FILE: env.MASTER_KEY_FILE ?? this.secrets.masterKeyFile,
      JWT_SECRET_FILE: env.JWT_SECRET_FILE ?? this.secrets.jwtSecretFile,
    });
  }

  async #startMongo(context, env) {
    const tool = await resolve('mongod', { env });
    const { url } = tool.source === 'server' ? tool : await startMongod(context, { ...tool, port: this.ports.mongo });
    this.environment.MONGO_URL = url;
    this.addresses.mongo = url;
  }

  async #startTemporal(context, env) {
    const tool = await resolve('temporal', { env });
    const started =
      tool.source === 'server'
        ? { address: tool.url, uiUrl: env.TEMPORAL_UI_URL }
        : await startTemporal(context, { ...tool, port: this.ports.temporal, uiPort: this.ports.temporalUi });
    this.environment.TEMPORAL_ADDRESS = started.address;
    this.environment.TEMPORAL_NAMESPACE = env.TEMPORAL_NAMESPACE ?? 'default';
    if (started.uiUrl) this.environment.TEMPORAL_UI_URL = started.uiUrl;
    this.addresses.temporal = started.address;
    this.addresses.temporalUi = started.uiUrl ?? null;
  }

  async #startS3(context, env) {
    const tool = await resolve('versitygw', { env });
    const { s3AccessKey, s3SecretKey } = this.secrets;
    const external = tool.source === 'server';
    const started = external
      ? { endpoint: tool.url }
      : await startVersitygw(context, { ...tool, port: this.ports.s3, accessKey: s3AccessKey, secretKey: s3SecretKey });
    Object.assign(this.environment, {
      S3_ENDPOINT: started.endpoint,
      S3_REGION: env.S3_REGION ?? 'us-east-1',
      S3_ACCESS_KEY: external ? env.S3_ACCESS_KEY : s3AccessKey,
      S3_SECRET_KEY: external ? env.S3_SECRET_KEY : s3SecretKey,
      S3_BUCKET: env.S3_BUCKET ?? 'vouch',
    });
    this.addresses.s3 = started.endpoint;
  }

  /**
   * Puts one process under supervision, not yet started.
   * @param {string} role
   * @param {string} command
   * @param {string[]} args
   * @param {{env?: NodeJS.ProcessEnv, cwd?: string, afterRestart?: () => Promise<void>}} [options]
   */
  supervise(role, command, args, { env = {}, cwd, afterRestart } = {}) {
    if (this.#stopped !== null) throw new LauncherError('the stack is ending');
    const supervised = new Supervised({
      role,
      command,
      args,
      env: { ...this.inherited, ...env },
      cwd,
      logFile: path.join(this.folders.logs, `${role}.log`),
      log: this.log,
      afterRestart,
      changed: () => void this.#note(),
    });
    this.#processes.push(supervised);
    return supervised;
  }

  /** Process ids by role; null for one that is down at this moment. */
  get pids() {
    return Object.fromEntries(this.#processes.map((each) => [each.role, each.pid]));
  }

  /** Called after every change of a process id. */
  onChange = async () => {};

  #note() {
    this.#noting = this.#noting.then(async () => {
      const processes = this.#processes.flatMap((each) =>
        each.identity ? [{ role: each.role, ...each.identity }] : [],
      );
      const store = this.ephemeral ? this.folders.store : null;
      await writePrivateJson(this.stateFile, { processes, temporaryStore: store });
      await this.onChange();
    });
    this.#noting = this.#noting.catch((error) => this.log(`the state could not be written: ${error.message}`));
    return this.#noting;
  }

  /** Ends every process in order, then removes what an ephemeral stack kept. Calling it again waits for the first. */
  stop() {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    for (const group of inEndOrder(this.#processes)) {
      await Promise.all(group.map((each) => each.stop(graceSeconds(each.role))));
    }
    this.onChange = async () => {};
    await this.#noting;
    await releasePorts(this.takenPorts);
    if (this.ephemeral) await rm(this.folders.store, { recursive: true, force: true });
    await rm(this.stateFile, { force: true });
  }

  /** Ends every process at once, for a person who does not want to wait. */
  kill() {
    for (const each of this.#processes) if (each.pid !== null) signalProcess(-each.pid, 'SIGKILL');
  }
}

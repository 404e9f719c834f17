import { realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { LauncherError } from '../progress.mjs';
import { resolve } from '../toolchain/tools.mjs';
import { startMongod, startTemporal, startVersitygw } from './engines.mjs';
import {
  moveSecretsToFiles,
  openFolders,
  openSecrets,
  readJson,
  readMongoUrlFile,
  removeSecrets,
  writePrivateJson,
} from './home.mjs';
import { isFree, preferredPort, releasePorts } from './ports.mjs';
import { graceSeconds, groupByStopOrder } from './roles.mjs';
import { signalProcess, Supervised } from './supervised.mjs';

/** Ports tried first on a stack that keeps its data; a port in use is replaced by any free one. */
const PREFERRED_PORTS = { api: 3000, temporal: 7233, temporalUi: 8233, s3: 7070, mongo: 27027, demoReceiver: 3999 };

/** Files with secrets of servers that the operator runs; commands such as `npm run admin` read their paths in run.json. */
const SECRET_FILES = ['MONGO_PASSWORD_FILE', 'S3_ACCESS_KEY_FILE', 'S3_SECRET_KEY_FILE', 'TEMPORAL_API_KEY_FILE'];

/** Settings of connections to a Temporal server that the operator runs. */
const TEMPORAL_SETTINGS = /^TEMPORAL_(TLS(_\w+)?|PAYLOAD_ENCRYPTION)$/;

const pickSettings = (env, isPicked) =>
  Object.fromEntries(Object.entries(env).filter(([name, value]) => isPicked(name) && value));

/**
 * One running stack: its folders, ports, engines and processes. Every start and end of a process is recorded in
 * `state.json`, so that a later start finds the processes that a killed launcher left running.
 */
export class Stack {
  #processes = [];
  #recording = Promise.resolve();
  /** @type {import('./engines.mjs').Readiness[]} */
  #readiness = [];
  #stopped = null;

  /**
   * @param {{home: string, ephemeral: boolean, fresh?: boolean, log: (message: string) => void, env?: NodeJS.ProcessEnv}} options
   */
  static async open({ home, ephemeral, fresh = false, log, env = process.env }) {
    if (fresh && !ephemeral) await rm(path.join(home, 'data'), { recursive: true, force: true });
    const folders = await openFolders(home, ephemeral);
    const secrets = await openSecrets(folders.secrets);
    const stack = new Stack({ folders, secrets, ephemeral, log, env });
    await stack.#recordState();
    return stack;
  }

  constructor({ folders, secrets, ephemeral, log, env }) {
    this.folders = folders;
    this.secrets = secrets;
    this.ephemeral = ephemeral;
    this.log = log;
    /** The environment that every process inherits. */
    this.inherited = env;
    this.takenPorts = new Set();
    /** Additional environment of the service's processes. */
    this.environment = {};
    this.addresses = {};
    /** @type {import('./test-settings.mjs').TestPorts | undefined} */
    this.testPorts = undefined;
    /** The hash of the sources that the service runs. */
    this.build = null;
  }

  get stateFile() {
    return path.join(this.folders.home, 'state.json');
  }

  get #portsFile() {
    return path.join(this.folders.store, 'ports.json');
  }

  /** The ports of the last run. */
  async #readPorts() {
    return this.ephemeral ? {} : ((await readJson(this.#portsFile)) ?? {});
  }

  /**
   * Chooses the ports of the last run if they are still free, so that links and bookmarks stay valid.
   * @param {Partial<Record<keyof typeof PREFERRED_PORTS, number>>} requested 0 for any free port
   * @param {Record<keyof typeof PREFERRED_PORTS, number>} [preferred] tried first in the first run
   * @throws {LauncherError} if a requested port is in use
   */
  async choosePorts(requested = {}, preferred = PREFERRED_PORTS) {
    const last = await this.#readPorts();
    const remembered = this.ephemeral ? {} : { ...preferred, ...last };
    const ports = {};
    for (const name of Object.keys(PREFERRED_PORTS)) {
      const port = requested[name];
      if (port !== undefined && port !== 0 && !(await isFree(port)))
        throw new LauncherError(`port ${port} for ${name} is in use`);
      ports[name] = await preferredPort(port === 0 ? undefined : (port ?? remembered[name]), this.takenPorts);
    }
    if (!this.ephemeral) await writePrivateJson(this.#portsFile, { ...ports, workers: last.workers });
    this.ports = ports;
    return ports;
  }

  /**
   * Chooses the port of the health checks and metrics of a worker: that of the last run if it is free, so that Prometheus
   * finds it again.
   * @param {string} role
   */
  async chooseWorkerPort(role) {
    const last = await this.#readPorts();
    const port = await preferredPort(last.workers?.[role], this.takenPorts);
    if (!this.ephemeral)
      await writePrivateJson(this.#portsFile, { ...last, workers: { ...last.workers, [role]: port } });
    return port;
  }

  /**
   * Starts MongoDB, Temporal and S3, unless the environment names a running server, and finds Chromium. From then on the
   * environment of the service is known: secrets are in files, and in the environment of none of its processes.
   * `awaitEngines` waits until the engines respond.
   */
  async startEngines() {
    const env = await readMongoUrlFile(this.inherited);
    const { secrets } = this.folders;
    this.inherited = await moveSecretsToFiles(env, secrets);
    const context = { data: this.folders.data, supervise: (...args) => this.supervise(...args) };
    await Promise.all([this.#startMongo(context, env), this.#startTemporal(context, env), this.#startS3(context, env)]);
    const chromium = await resolve('chromium', { env });
    this.environment = {
      ...pickSettings(this.inherited, (name) => SECRET_FILES.includes(name)),
      ...(await moveSecretsToFiles(this.environment, secrets)),
    };
    Object.assign(this.environment, {
      CHROMIUM_PATH: chromium.executable,
      MASTER_KEY_FILE: this.inherited.MASTER_KEY_FILE ?? this.secrets.masterKeyFile,
      JWT_SECRET_FILE: this.inherited.JWT_SECRET_FILE ?? this.secrets.jwtSecretFile,
    });
  }

  async #startMongo(context, env) {
    const tool = await resolve('mongod', { env });
    const started = tool.source === 'server' ? tool : await startMongod(context, { ...tool, port: this.ports.mongo });
    this.environment.MONGO_URL = started.url;
    this.addresses.mongo = started.url;
    this.#addReadiness(started);
  }

  async #startTemporal(context, env) {
    const tool = await resolve('temporal', { env });
    const started =
      tool.source === 'server'
        ? {
            address: tool.url,
            uiUrl: env.TEMPORAL_UI_URL,
            settings: pickSettings(env, (name) => TEMPORAL_SETTINGS.test(name)),
          }
        : await startTemporal(context, { ...tool, port: this.ports.temporal, uiPort: this.ports.temporalUi });
    Object.assign(this.environment, started.settings, { TEMPORAL_ADDRESS: started.address });
    this.environment.TEMPORAL_NAMESPACE = env.TEMPORAL_NAMESPACE ?? 'default';
    if (started.uiUrl) this.environment.TEMPORAL_UI_URL = started.uiUrl;
    this.addresses.temporal = started.address;
    this.addresses.temporalUi = started.uiUrl ?? null;
    this.#addReadiness(started);
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
    this.#addReadiness(started);
  }

  /** A server of the operator is expected to run. */
  #addReadiness({ ready }) {
    if (ready !== undefined) this.#readiness.push(ready);
  }

  /** Waits until every engine that was started responds. */
  async awaitEngines() {
    await Promise.all(this.#readiness.map((ready) => ready()));
  }

  /**
   * Creates a supervised process; it is not started yet.
   * @param {string} role
   * @param {string} command
   * @param {string[]} args
   * @param {{env?: NodeJS.ProcessEnv, cwd?: string, onLine?: (line: string) => void, afterRestart?: () => Promise<void>}} [options]
   */
  supervise(role, command, args, { env = {}, cwd, onLine, afterRestart } = {}) {
    if (this.#stopped !== null) throw new LauncherError('the stack is stopping');
    const supervised = new Supervised({
      role,
      command,
      args,
      env: { ...removeSecrets(this.inherited), ...env },
      cwd,
      logFile: path.join(this.folders.logs, `${role}.log`),
      log: this.log,
      onLine,
      afterRestart,
      changed: () => void this.#recordState(),
    });
    this.#processes.push(supervised);
    return supervised;
  }

  /** Process ids by role; null for a process that is not running at the moment. */
  get pids() {
    return Object.fromEntries(this.#processes.map((each) => [each.role, each.pid]));
  }

  /** Called after every change of a process id. */
  onChange = async () => {};

  #recordState() {
    this.#recording = this.#recording.then(async () => {
      const processes = this.#processes.flatMap((each) =>
        each.identity ? [{ role: each.role, ...each.identity }] : [],
      );
      const store = this.ephemeral ? this.folders.store : null;
      await writePrivateJson(this.stateFile, {
        home: await realpath(this.folders.home),
        processes,
        temporaryStore: store,
      });
      await this.onChange();
    });
    this.#recording = this.#recording.catch((error) => this.log(`the state could not be written: ${error.message}`));
    return this.#recording;
  }

  /** Stops every process in order, then removes the data of an ephemeral stack. A second call waits for the first. */
  stop() {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    for (const group of groupByStopOrder(this.#processes)) {
      await Promise.all(group.map((each) => each.stop(graceSeconds(each.role))));
    }
    this.onChange = async () => {};
    await this.#recording;
    await releasePorts(this.takenPorts);
    if (this.ephemeral) await rm(this.folders.store, { recursive: true, force: true });
    await rm(this.stateFile, { force: true });
  }

  /** Kills every process at once, without draining. */
  kill() {
    for (const each of this.#processes) if (each.pid !== null) signalProcess(-each.pid, 'SIGKILL');
  }
}

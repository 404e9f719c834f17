import { execFileSync, spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { z } from 'zod';
import { createComposeFolder, createSecrets, mountSecrets, resolveCompose } from './compose';
import type { ComposeService } from './compose';
import { evaluate } from './evaluate';
import { findFreePort } from './processes';
import { readStack } from './stack';
import { PROCESS_LIMIT_MS } from './limits';

const root = path.resolve(__dirname, '..', '..');

/** Where the tests run as root, and other users can read this clone, processes get the user of their container. */
const changesUser =
  process.getuid?.() === 0 &&
  process.platform === 'linux' &&
  spawnSync('setpriv', ['--reuid=1000', '--regid=1000', '--clear-groups', process.execPath, '-e', ''], { cwd: '/' })
    .status === 0 &&
  spawnSync('setpriv', [
    '--reuid=1000',
    '--regid=1000',
    '--clear-groups',
    'test',
    '-r',
    path.join(root, 'dist/api/main.js'),
  ]).status === 0;

/** The command with the user, groups and capabilities of the service. */
function asContainer({ user, group_add: groups, cap_add: capabilities }: ComposeService, command: string[]): string[] {
  if (!changesUser) return command;
  const [uid = '0', gid = '0'] = user === 'root' ? ['0', '0'] : (user ?? '0:0').split(':');
  const added = capabilities.map((name) => `,+${name.toLowerCase()}`).join('');
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    groups.length > 0 ? `--groups=${groups.join(',')}` : '--clear-groups',
    `--bounding-set=-all${added}`,
    '--inh-caps=-all',
    '--no-new-privs',
    ...command,
  ];
}

/** The path of a tool, in a cache that the users of the containers can read. */
function findTool(name: 'chromium' | 'mongod' | 'temporal'): string {
  const [executable, cache] = z.tuple([z.string(), z.string()]).parse(
    evaluate(
      `import { resolveTool } from './scripts/toolchain/resolver.mjs';
         import { tools, toolsFolder } from './scripts/toolchain/tools.mjs';`,
      `[(await resolveTool(tools.${name}, { dir: toolsFolder(), env: { PATH: process.env.PATH } })).executable, toolsFolder()]`,
    ),
  );
  const [folder = ''] = path.relative(cache, executable).split(path.sep);
  if (changesUser && folder !== '..') chmodSync(path.join(cache, folder), 0o755);
  return executable;
}

interface StartedProcess {
  name: string;
  child: ChildProcess;
  printed: () => string;
}

/**
 * The services of the compose file without containers: each with its resolved command, its environment, only its secrets,
 * its user of MongoDB and, where the tests run as root, its user and capabilities. The scripts of the containers set up
 * MongoDB and the namespace of Temporal; Temporal and the S3 server are those of the test stack.
 */
export class ContainerServices {
  private readonly started: StartedProcess[] = [];
  private readonly folder: string;
  private readonly secrets: string;
  private readonly project;
  private readonly ports = new Map<string, number>();
  private readonly chromium = findTool('chromium');
  private mongoPort = 0;

  /** @param settings lines of .env */
  constructor(private readonly settings: Readonly<Record<string, string>>) {
    this.folder = createComposeFolder(
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
    for (const name of ['tmp', 'uploads', 'run']) {
      mkdirSync(path.join(this.folder, name));
      chmodSync(path.join(this.folder, name), 0o1777);
    }
    this.project = resolveCompose(this.folder);
    this.secrets = createSecrets(this.folder);
    // The S3 server is that of the test stack.
    const key = path.join(this.secrets, 's3_secret_key');
    chmodSync(key, 0o640);
    cpSync(readStack().environment['S3_SECRET_KEY_FILE'] ?? '', key);
    chmodSync(key, 0o440);
    if (changesUser) chownSync(key, 0, 10_001);
  }

  /** Starts everything and waits until each service is ready. */
  async start(services: readonly string[]): Promise<void> {
    await this.startMongo();
    // Twice, because every `docker compose up` does.
    for (let round = 0; round < 2; round += 1) await this.initiateMongo();
    this.createNamespace();
    await this.runJob('migrate');
    for (const name of services) this.ports.set(name, findFreePort());
    for (const name of services) {
      const port = String(this.ports.get(name));
      const address = name === 'api' ? { PORT: port, HOST: '127.0.0.1' } : { WORKER_HEALTH_PORT: port };
      this.run(name, this.get(name).command ?? [], { ...this.buildEnvironment(name), ...address });
    }
    for (const name of services)
      await this.waitUntil(`the start of ${name}`, async () => (await fetch(`${this.getUrl(name)}/readyz`)).ok);
  }

  /** Runs the job that creates the users. @param database in which they are, if it is another one than usual */
  async initiateMongo(database?: string): Promise<void> {
    const into = path.join(this.folder, 'run', 'mongo-initiate');
    mountSecrets(this.get('mongo-initiate'), this.secrets, into);
    const address = `127.0.0.1:${this.mongoPort}`;
    const env = {
      MONGO_HOST: address,
      MONGO_MEMBER: address,
      SECRETS_FOLDER: into,
      ...(database === undefined ? {} : { MONGO_DATABASE: database }),
    };
    const child = this.run('mongo-initiate', this.get('mongo-initiate').command ?? [], env);
    await once(child, 'exit');
    if (child.exitCode !== 0) throw new Error(this.describeEnd());
    this.started.pop();
  }

  /** Where a service answers health checks; the base address of `api`. */
  getUrl(service: string): string {
    return `http://127.0.0.1:${this.ports.get(service)}`;
  }

  /**
   * Runs a service that ends, as `docker compose run` does.
   * @param args instead of its command
   * @returns what it printed
   * @throws Error if it fails
   */
  async runJob(name: string, args?: readonly string[]): Promise<string> {
    const { entrypoint, command } = this.get(name);
    // The init process of the image.
    const program = (entrypoint ?? []).filter((part) => !['tini', '--'].includes(part));
    const child = this.run(name, [...program, ...(args ?? command ?? [])], this.buildEnvironment(name));
    await once(child, 'close');
    if (child.exitCode !== 0) throw new Error(this.describeEnd());
    return this.started.pop()?.printed() ?? '';
  }

  /** Ends services as if they had been removed. */
  async end(names: readonly string[]): Promise<void> {
    for (const started of this.started.filter(({ name }) => names.includes(name))) {
      const exited = once(started.child, 'exit');
      started.child.kill('SIGKILL');
      await exited;
      this.started.splice(this.started.indexOf(started), 1);
    }
  }

  /** A folder that the users of the containers may write to; it is removed with the services. */
  get sharedFolder(): string {
    return path.join(this.folder, 'tmp');
  }

  /** Everything that the services have printed. */
  readOutput(): string {
    return this.started.map(({ printed }) => printed()).join('');
  }

  /** Kills what runs, in the reverse order of its start, and removes the folder. */
  async stop(): Promise<void> {
    for (const { child } of [...this.started].reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The environment of a service on the engines of this machine, with its secrets in a folder of its own. */
  buildEnvironment(name: string): Record<string, string> {
    const env = mountSecrets(this.get(name), this.secrets, path.join(this.folder, 'run', name));
    const { environment: stack } = readStack();
    return {
      ...env,
      MONGO_URL: (env['MONGO_URL'] ?? '').replace('mongo:27017', `127.0.0.1:${this.mongoPort}`),
      TEMPORAL_ADDRESS: stack['TEMPORAL_ADDRESS'] ?? '',
      S3_ENDPOINT: stack['S3_ENDPOINT'] ?? '',
      S3_ACCESS_KEY: stack['S3_ACCESS_KEY'] ?? readFileSync(stack['S3_ACCESS_KEY_FILE'] ?? '', 'utf8').trim(),
      MODELS_DIR: path.resolve(stack['MODELS_DIR'] ?? '.vouch/models'),
      CHROMIUM_PATH: this.chromium,
      UPLOAD_DIR: path.join(this.folder, 'uploads'),
      TMPDIR: path.join(this.folder, 'tmp'),
      ...(changesUser ? {} : { RUN_AS: '' }),
    };
  }

  private get(name: string): ComposeService {
    const service = this.project.services[name];
    if (service === undefined) throw new Error(`There is no service ${name}.`);
    return service;
  }

  private run(name: string, command: string[], env: Record<string, string>): ChildProcess {
    const [program = '', ...args] = asContainer(this.get(name), command);
    const child = spawn(program, args, {
      cwd: root,
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
    this.started.push({ name, child, printed: () => printed });
    return child;
  }

  private describeEnd(): string {
    return this.started
      .filter(({ child }) => child.exitCode !== null)
      .map(({ name, child, printed }) => `${name} ended with ${child.exitCode}: ${printed().slice(-2000)}`)
      .join('\n');
  }

  private async waitUntil(what: string, check: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PROCESS_LIMIT_MS;
    while (!(await check().catch(() => false))) {
      const ended = this.describeEnd();
      if (ended !== '' || Date.now() > deadline) throw new Error(`${what} did not happen. ${ended}`);
      await delay(100);
    }
  }

  private async startMongo(): Promise<void> {
    const executable = findTool('mongod');
    const data = path.join(this.folder, 'mongo');
    mkdirSync(data);
    if (changesUser) chownSync(data, 999, 999);
    const port = findFreePort();
    this.mongoPort = port;
    const into = path.join(this.folder, 'run', 'mongo');
    mountSecrets(this.get('mongo'), this.secrets, into);
    const [shell = 'bash'] = this.get('mongo').entrypoint ?? [];
    const small = ['--wiredTigerCacheSizeGB', '0.25', '--oplogSize', '64', '--nounixsocket'];
    const options = ['--bind_ip', '127.0.0.1', '--port', String(port), '--dbpath', data, ...small];
    this.run('mongo', [shell, path.join(this.folder, 'deploy/mongo/start.sh'), ...options], {
      PATH: `${path.dirname(executable)}:${process.env['PATH'] ?? ''}`,
      REPLICA_SET_KEY_FILE: path.join(into, 'mongo_replica_set_key'),
      TMPDIR: path.join(this.folder, 'tmp'),
    });
    await this.waitUntil('the start of mongod', async () => {
      const url = `mongodb://127.0.0.1:${port}/?directConnection=true`;
      const client = await mongoose.mongo.MongoClient.connect(url, { serverSelectionTimeoutMS: 500 });
      await client.close();
      return true;
    });
  }

  private createNamespace(): void {
    execFileSync('sh', [path.join(this.folder, 'deploy/temporal/namespace.sh')], {
      env: {
        PATH: `${path.dirname(findTool('temporal'))}:${process.env['PATH'] ?? ''}`,
        HOME: path.join(this.folder, 'tmp'),
        TEMPORAL_ADDRESS: readStack().environment['TEMPORAL_ADDRESS'],
        TEMPORAL_NAMESPACE: this.settings['TEMPORAL_NAMESPACE'],
      },
      stdio: 'pipe',
    });
  }
}

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { PROCESS_LIMIT_MS } from './limits';

/** run.json of the launcher: addresses, credentials and processes. */
const runSchema = z.object({
  api: z.url(),
  docs: z.url(),
  temporalUi: z.string().nullable(),
  s3: z.string(),
  mongo: z.string(),
  temporal: z.string(),
  organisationId: z.string(),
  identityApiKey: z.string(),
  admin: z.object({ email: z.string(), password: z.string() }),
  demoReceiverPort: z.number(),
  /** By role: launcher, api, worker, mongod, temporal, s3; null while a process is being restarted. */
  pids: z.record(z.string(), z.number().nullable()),
  /** The address of each process of the service by role: API and workers. */
  processes: z.record(z.string(), z.url()),
  /** Environment variables of the service: engine addresses, key files, limits. */
  environment: z.record(z.string(), z.string()),
});
export type RunningStack = z.infer<typeof runSchema>;

const projectRoot = path.resolve(__dirname, '..', '..');

/** Null without a launcher that serves: it removes the file while others may read it. */
function readRunFile(file: string): RunningStack | null {
  try {
    return runSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Reads run.json of the stack that `npm test` started for this run. Process ids change after a process was killed.
 *
 * @throws Error if the tests were started without a stack
 */
export function readStack(): RunningStack {
  const file = process.env['VOUCH_TEST_STACK'];
  const run = file === undefined ? null : readRunFile(file);
  if (run === null)
    throw new Error('No stack is running for these tests; start them with `npm test -- <folder or file>`.');
  return run;
}

/** A separate stack, for tests that kill processes. */
export interface OwnStack {
  /** Its VOUCH_HOME. */
  readonly home: string;
  /** Current addresses and process ids. */
  run(): RunningStack;
  /** Sends a signal to the process of a role (api, worker, mongod, temporal, s3, launcher). */
  kill(role: string, signal?: NodeJS.Signals): void;
  /** Resolves when every process is running and the API is ready. */
  waitUntilReady(): Promise<void>;
  /** Starts the launcher again in the same home after it was killed. */
  restart(): Promise<void>;
  /** Ends every process and removes the folders of the stack. */
  stop(): Promise<void>;
}

export interface OwnStackOptions {
  /** Additional worker processes, in the form of `--workers`: `vision=2`. */
  workers?: string;
  /** Whether data survives a restart of the launcher. @default false */
  keepData?: boolean;
  /** Additional environment variables of the service. */
  env?: Record<string, string>;
  /** Whether the stack ends by itself when this process does, without keeping it alive. Default false. */
  endsWithProcess?: boolean;
  /** Prepares the home and returns how its launcher is started. Default: as by `npm start`. */
  prepare?: (home: string) => Promise<LauncherCommand>;
}

export interface LauncherCommand {
  /** A command that executes the launcher, with its arguments. */
  prefix: readonly string[];
  /** The script of the launcher with its arguments. */
  script: readonly string[];
  env: Record<string, string>;
}

/** @param describe what there is instead, for the message of the error */
async function waitUntil(
  what: string,
  check: () => boolean | Promise<boolean>,
  describe: () => string = () => '',
): Promise<void> {
  const deadline = Date.now() + PROCESS_LIMIT_MS;
  while (!(await check())) {
    if (Date.now() > deadline)
      throw new Error(`${what} did not happen within ${PROCESS_LIMIT_MS / 1000} s. ${describe()}`.trim());
    await delay(100);
  }
}

const isAlive = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

async function isApiReady(run: RunningStack): Promise<boolean> {
  return fetch(`${run.api}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
    (response) => response.ok,
    () => false,
  );
}

/** The environment without the engines of the shared stack, so that the launcher starts separate ones. */
export function buildEnvironment(home: string, overrides: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(MONGO_|TEMPORAL_(ADDRESS|UI|NAMESPACE)|S3_|MASTER_KEY|JWT_SECRET|PUBLIC_URL|PORT|HOST$)/.test(name),
  );
  return { ...Object.fromEntries(inherited), ...overrides, VOUCH_HOME: home };
}

function buildStartCommand({ keepData, workers }: OwnStackOptions): LauncherCommand {
  const script = ['scripts/start.mjs', '--no-demo', '--port', '0'];
  if (keepData !== true) script.push('--ephemeral');
  if (workers !== undefined) script.push('--workers', workers);
  return { prefix: [], script, env: {} };
}

/** Starts a complete stack in a temporary home, as `npm start -- --no-demo --port 0` does. */
export async function startOwnStack(options: OwnStackOptions = {}): Promise<OwnStack> {
  const shared = process.env['VOUCH_TEST_STACK'];
  // Inside the home of the test run, whose clean-up also ends processes left by a killed test.
  const parent = shared === undefined ? path.join(projectRoot, '.vouch', 'tests') : path.dirname(shared);
  mkdirSync(parent, { recursive: true });
  const home = mkdtempSync(path.join(parent, 'own-'));
  const runFile = path.join(home, 'run.json');
  const { prefix, script, env } = (await options.prepare?.(home)) ?? buildStartCommand(options);
  const [command = process.execPath, ...args] = [...prefix, process.execPath, ...script];
  const launch = (): ChildProcess => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      env: buildEnvironment(home, { ...env, ...options.env }),
      // With an IPC channel, so that the launcher ends if the test process ends without stopping it.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if (options.endsWithProcess === true) {
      child.unref();
      child.channel?.unref();
    }
    return child;
  };

  let launcher = launch();
  const run = (): RunningStack => {
    const current = readRunFile(runFile);
    if (current === null) throw new Error('The stack is not running.');
    return current;
  };
  /** Killed processes that run.json still lists, which must not count as running. */
  const killed = new Set<number>();
  /** Once run.json does not list it any more, the system may give its id to another process. */
  const forgetUnlisted = (current: RunningStack | null): void => {
    const listed = new Set(Object.values(current?.pids ?? {}));
    for (const pid of killed) if (!listed.has(pid)) killed.delete(pid);
  };
  const waitUntilReady = async (): Promise<void> => {
    let missing = '';
    const isReady = async (): Promise<boolean> => {
      if (!isAlive(launcher)) throw new Error('The launcher ended.');
      const current = readRunFile(runFile);
      forgetUnlisted(current);
      missing = `run.json: ${JSON.stringify(current?.pids ?? null)}, launcher ${launcher.pid}, killed ${[...killed].join()}`;
      if (current === null || current.pids['launcher'] !== launcher.pid) return false;
      const living = Object.values(current.pids).every((pid) => pid !== null && !killed.has(pid));
      return living && (await isApiReady(current));
    };
    await waitUntil('a ready stack', isReady, () => missing);
  };
  const stack: OwnStack = {
    home,
    run,
    kill(role, signal = 'SIGKILL') {
      const pid = run().pids[role];
      if (typeof pid !== 'number') throw new Error(`No process of role ${role} is running.`);
      if (signal === 'SIGKILL') killed.add(pid);
      process.kill(pid, signal);
    },
    waitUntilReady,
    async restart() {
      await waitUntil('the end of the launcher', () => !isAlive(launcher));
      launcher = launch();
      await waitUntilReady();
    },
    async stop() {
      launcher.kill('SIGTERM');
      await waitUntil('the end of the launcher', () => !isAlive(launcher));
      rmSync(home, { recursive: true, force: true });
    },
  };
  try {
    await waitUntilReady();
    return stack;
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

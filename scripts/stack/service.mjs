import path from 'node:path';
import { readBuildHash } from '../build/compile.mjs';
import { modelsFolder } from '../toolchain/tools.mjs';
import { root } from './home.mjs';

const READY_WITHIN_SECONDS = 120;
/** A developer who changes the code does not wait for long activities to finish. */
const RESTART_GRACE_SECONDS = 5;
const dist = path.join(root, 'dist');

/** Compiled entry files; the containers start the same ones. */
export const ENTRIES = {
  api: path.join(dist, 'api', 'main.js'),
  worker: path.join(dist, 'workers', 'main.js'),
  admin: path.join(dist, 'scripts', 'admin.js'),
  restore: path.join(dist, 'scripts', 'restore.js'),
  demo: path.join(dist, 'scripts', 'demo', 'main.js'),
};

/**
 * The environment of every process of the service: addresses of the engines and the operator's settings. A setting of
 * the operator takes precedence, except for addresses of engines that this launcher started.
 * @param {import('./stack.mjs').Stack} stack
 */
export function serviceEnvironment(stack) {
  const env = stack.inherited;
  const host = env.HOST ?? '127.0.0.1';
  return {
    NODE_ENV: env.NODE_ENV ?? 'development',
    LOG_LEVEL: env.LOG_LEVEL ?? 'info',
    HOST: host,
    PUBLIC_URL:
      env.PUBLIC_URL ?? `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${stack.ports.api}`,
    MODELS_DIR: modelsFolder(env),
    EGRESS_ALLOW: env.EGRESS_ALLOW ?? '',
    // With one arena per thread, hundreds of megabytes would stay allocated after large images.
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
    // Node 22 and later store compiled code here, which saves a tenth of the processor time of a start.
    NODE_COMPILE_CACHE: env.NODE_COMPILE_CACHE ?? path.join(root, '.vouch', 'cache', 'compiled-code'),
    ...(env.UV_THREADPOOL_SIZE ? { UV_THREADPOOL_SIZE: env.UV_THREADPOOL_SIZE } : {}),
    // Commands that print with the same browser read it from run.json.
    ...(env.CHROMIUM_SANDBOX ? { CHROMIUM_SANDBOX: env.CHROMIUM_SANDBOX } : {}),
    ...stack.environment,
  };
}

/**
 * Starts the API and the workers and waits until each is ready.
 * @param {import('./stack.mjs').Stack} stack
 * @param {NodeJS.ProcessEnv} environment the result of `serviceEnvironment`
 * @param {ServiceOptions} options
 * @returns {Promise<ServiceProcess[]>}
 *
 * @typedef {object} ServiceOptions
 * @property {string} [pools] pools of the first worker process, default `all`
 * @property {{pool: string, count: number}[]} workers additional worker processes, each for one pool
 * @property {() => Promise<unknown>} [migrate] migrates the database; called if a process waits for it
 * @property {(index: number) => string[]} [nodeOptions] options of Node for each process; the API has index 0
 * @property {(role: string, line: string) => void} [onLine] receives the output of the processes
 *
 * @typedef {{supervised: import('./supervised.mjs').Supervised, port: number}} ServiceProcess
 */
export async function startService(stack, environment, options) {
  const { pools = 'all', workers, migrate, nodeOptions = () => [], onLine } = options;
  const build = await readBuildHash();
  const extra = workers.flatMap(({ pool, count }) =>
    Array.from({ length: count }, (_, index) => ({ role: `worker-${pool}-${index + 1}`, pools: pool })),
  );
  const start = (role, args, ports, index) => {
    const settings = { cwd: root, env: { ...environment, ...ports }, onLine: onLine && ((line) => onLine(role, line)) };
    return stack.supervise(role, process.execPath, [...nodeOptions(index), ...args], settings);
  };
  const port = stack.ports.api;
  const processes = [{ supervised: start('api', [ENTRIES.api], { PORT: String(port) }, 0), port }];
  for (const [index, worker] of [{ role: 'worker', pools }, ...extra].entries()) {
    const healthPort = await stack.chooseWorkerPort(worker.role);
    const args = [ENTRIES.worker, `--pools=${worker.pools}`];
    const supervised = start(worker.role, args, { WORKER_HEALTH_PORT: String(healthPort) }, index + 1);
    processes.push({ supervised, port: healthPort });
  }
  await Promise.all(processes.map(({ supervised }) => supervised.start()));
  await untilServing(processes, migrate);
  stack.build = build;
  return processes;
}

/**
 * Restarts processes of the service and waits until each is ready. Then the stack runs the current build.
 * @param {Pick<import('./stack.mjs').Stack, 'build' | 'onChange'>} stack
 * @param {RestartedProcess[]} processes those that load changed code
 * @param {() => Promise<unknown>} [migrate] migrates the database; called if a process waits for it
 *
 * @typedef {{supervised: Pick<import('./supervised.mjs').Supervised, 'restart' | 'ready'>, port: number}} RestartedProcess
 */
export async function restartService(stack, processes, migrate = undefined) {
  const build = await readBuildHash();
  await Promise.all(processes.map(({ supervised }) => supervised.restart(RESTART_GRACE_SECONDS)));
  await untilServing(processes, migrate);
  stack.build = build;
  await stack.onChange();
}

const untilAll = (processes, check) =>
  Promise.all(processes.map(({ supervised, port }) => supervised.ready(() => check(port), READY_WITHIN_SECONDS)));

/** Waits until each process is ready; migrates the database if one waits for that. */
async function untilServing(processes, migrate) {
  if (migrate !== undefined && (await isAnyWaitingForSchema(processes))) await migrate();
  await untilReady(processes);
}

const untilReady = (processes) => untilAll(processes, async (port) => (await readReadiness(port)).ok);

/** Waits until each process is ready or waits for the migrations. @returns whether one waits for them */
async function isAnyWaitingForSchema(processes) {
  let isAnyWaiting = false;
  await untilAll(processes, async (port) => {
    const { ok, checks } = await readReadiness(port);
    const isWaiting = checks?.schema === 'failed';
    isAnyWaiting ||= isWaiting;
    return ok || isWaiting;
  });
  return isAnyWaiting;
}

async function readReadiness(port) {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(10_000) });
  return response.json();
}

import path from 'node:path';
import { modelsFolder } from '../toolchain/tools.mjs';
import { root } from './home.mjs';

const READY_WITHIN_SECONDS = 120;
const dist = path.join(root, 'dist');

/** The API's entry and a worker's, as the containers start them too. */
export const ENTRIES = {
  api: path.join(dist, 'api', 'main.js'),
  worker: path.join(dist, 'workers', 'main.js'),
  admin: path.join(dist, 'scripts', 'admin.js'),
  demo: path.join(dist, 'scripts', 'demo', 'main.js'),
};

/**
 * What every process of the service gets: where the engines are, and what an operator set. An operator's own value
 * wins, except for the addresses of engines that this launcher started.
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
    // One arena for each thread would keep hundreds of megabytes after large images.
    MALLOC_ARENA_MAX: env.MALLOC_ARENA_MAX ?? '2',
    ...(env.UV_THREADPOOL_SIZE ? { UV_THREADPOOL_SIZE: env.UV_THREADPOOL_SIZE } : {}),
    ...stack.environment,
  };
}

/**
 * Starts the API and the workers and waits until each says it is ready.
 * @param {import('./stack.mjs').Stack} stack
 * @param {NodeJS.ProcessEnv} environment of `serviceEnvironment`
 * @param {{pool: string, count: number}[]} extraWorkers more worker processes, each for one pool
 */
export async function startService(stack, environment, extraWorkers) {
  const api = startApi(stack, environment);
  const workers = [startWorker(stack, environment, 'worker', 'all')];
  for (const { pool, count } of extraWorkers) {
    for (let number = 1; number <= count; number += 1) {
      workers.push(startWorker(stack, environment, `worker-${pool}-${number}`, pool));
    }
  }
  await Promise.all([api, ...workers]);
}

async function startApi(stack, environment) {
  const port = stack.ports.api;
  const api = stack.supervise('api', process.execPath, [ENTRIES.api], {
    cwd: root,
    env: { ...environment, PORT: String(port) },
  });
  await api.start();
  await api.ready(() => answersReady(port), READY_WITHIN_SECONDS);
}

async function startWorker(stack, environment, role, pools) {
  const port = await stack.choosePort();
  const worker = stack.supervise(role, process.execPath, [ENTRIES.worker, `--pools=${pools}`], {
    cwd: root,
    env: { ...environment, WORKER_HEALTH_PORT: String(port) },
  });
  await worker.start();
  await worker.ready(() => answersReady(port), READY_WITHIN_SECONDS);
}

async function answersReady(port) {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(10_000) });
  await response.arrayBuffer();
  return response.ok;
}

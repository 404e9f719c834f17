import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { prepareReplicaSet } from './replica-set.mjs';
import { run } from '../toolchain/command.mjs';

const READY_WITHIN_SECONDS = 60;

/**
 * The transaction of a killed process blocks the records it wrote until MongoDB aborts it, after 60 s by default. The
 * service limits how many rows it writes in one transaction, so that a running process ends its own well before this.
 */
const MAX_TRANSACTION_SECONDS = 15;

/**
 * The development server polls its one history shard twenty times a second by default, so that a workflow with one
 * activity takes 99–150 ms; with these rates it takes 23 ms. The matcher settings make task queues fair: a flood of one
 * organisation does not starve the work of another. With a single partition, a queue dispatches tasks in the order in
 * which they arrived; with the default of four, the few slots of one machine could drain any partition first. The
 * keepalive ends long polls on lost connections, which would otherwise take tasks for a minute that no worker receives.
 */
export const TEMPORAL_DYNAMIC_CONFIG = {
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 500,
  'matching.useNewMatcher': true,
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  'frontend.keepAliveTime': '5s',
  'frontend.keepAliveTimeout': '3s',
};

/**
 * @typedef {object} EngineContext
 * @property {string} data
 * @property {(role: string, command: string, args: string[], options?: {env?: NodeJS.ProcessEnv, afterRestart?: () => Promise<void>}) => import('./supervised.mjs').Supervised} supervise
 */

/**
 * @typedef {() => Promise<void>} Readiness waits until a started engine responds; called once, without delay
 */

/**
 * Starts MongoDB as a replica set with one member, because transactions and change streams need a replica set.
 * @returns {Promise<{url: string, ready: Readiness}>}
 */
export async function startMongod({ data, supervise }, { executable, port }) {
  const dbpath = path.join(data, 'mongo');
  await mkdir(dbpath, { recursive: true });
  const url = `mongodb://127.0.0.1:${port}/vouch?replicaSet=vouch&directConnection=true`;
  const prepare = () => prepareReplicaSet(port);
  const mongod = supervise(
    'mongod',
    executable,
    [
      ...[
        '--dbpath',
        dbpath,
        '--port',
        String(port),
        '--bind_ip',
        '127.0.0.1',
        '--replSet',
        'vouch',
        '--nounixsocket',
        '--quiet',
      ],
      ...['--wiredTigerCacheSizeGB', '0.5', '--oplogSize', '256'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...['--setParameter', `transactionLifetimeLimitSeconds=${MAX_TRANSACTION_SECONDS}`],
    ],
    { afterRestart: () => mongod.ready(prepare, READY_WITHIN_SECONDS) },
  );
  await mongod.start();
  return { url, ready: () => mongod.ready(prepare, READY_WITHIN_SECONDS) };
}

/**
 * Starts Temporal's development server with its web interface; its data is in a file.
 * @returns {Promise<{address: string, uiUrl: string, ready: Readiness}>}
 */
export async function startTemporal({ data, supervise }, { executable, port, uiPort }) {
  await mkdir(path.join(data, 'temporal'), { recursive: true });
  const address = `127.0.0.1:${port}`;
  const tuning = Object.entries(TEMPORAL_DYNAMIC_CONFIG).flatMap(([key, value]) => [
    '--dynamic-config-value',
    `${key}=${JSON.stringify(value)}`,
  ]);
  const temporal = supervise('temporal', executable, [
    ...['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--ui-port', String(uiPort)],
    ...['--db-filename', path.join(data, 'temporal', 'temporal.db'), '--sqlite-pragma', 'journal_mode=wal'],
    ...['--ui-disable-news-fetch', '--log-level', 'warn', ...tuning],
  ]);
  await temporal.start();
  const respond = async () => {
    if (!(await accepts(port))) return false;
    await run(executable, ['operator', 'namespace', 'describe', 'default', '--address', address], {
      timeoutSeconds: 10,
    });
    return true;
  };
  const ready = () => temporal.ready(respond, READY_WITHIN_SECONDS);
  return { address, uiUrl: `http://127.0.0.1:${uiPort}`, ready };
}

/**
 * Starts an S3 server that stores objects in a folder. Metadata is in a second folder, because not every file system
 * supports extended attributes; earlier versions of objects, which Object Lock needs, are in a third.
 * @returns {Promise<{endpoint: string, ready: Readiness}>}
 */
export async function startVersitygw(context, { executable, port, accessKey, secretKey }) {
  const objects = path.join(context.data, 's3', 'objects');
  const sidecar = path.join(context.data, 's3', 'metadata');
  const versions = path.join(context.data, 's3', 'versions');
  for (const folder of [objects, sidecar, versions]) await mkdir(folder, { recursive: true });
  const s3 = context.supervise(
    's3',
    executable,
    [
      '--port',
      `127.0.0.1:${port}`,
      '--health',
      '/health',
      '--quiet',
      '--keep-alive',
      'posix',
      '--sidecar',
      sidecar,
      '--versioning-dir',
      versions,
      objects,
    ],
    // Passed in the environment, because every user of the machine can read command lines.
    { env: { ROOT_ACCESS_KEY: accessKey, ROOT_SECRET_KEY: secretKey } },
  );
  await s3.start();
  const respond = async () => (await fetch(`http://127.0.0.1:${port}/health`)).ok;
  return { endpoint: `http://127.0.0.1:${port}`, ready: () => s3.ready(respond, READY_WITHIN_SECONDS) };
}

/** Whether a process accepts TCP connections on this port. */
export function accepts(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = connect({ port, host, timeout: 2000 });
    const end = (accepted) => {
      socket.destroy();
      resolve(accepted);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

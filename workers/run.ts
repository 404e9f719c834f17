import type { Server } from 'node:http';
import { OpenTelemetryActivityInboundInterceptor } from '@temporalio/interceptors-opentelemetry/lib/worker';
import { Worker } from '@temporalio/worker';
import type { ActivityInterceptorsFactory, NativeConnection } from '@temporalio/worker';
import { awaitAvailable } from '../lib/await-available';
import type { StartCheck } from '../lib/await-available';
import type { Config } from '../lib/config';
import { startHealthServer } from '../lib/http-health';
import type { HealthCheck, MetricsPage } from '../lib/http-health';
import { Metrics } from '../lib/metrics/metrics';
import { pingMongo } from '../lib/mongo';
import { createLogger } from '../lib/logger';
import { readMachine } from '../lib/machine';
import { isNetworkError } from '../lib/network-errors';
import { logProcessEvents } from '../lib/process-log';
import { changeUser } from '../lib/run-as';
import { awaitTemporal, ensureTemporal, pingTemporal } from '../lib/temporal';
import { createDataConverter } from '../lib/temporal-payloads';
import { WorkflowSpans } from '../lib/tracing';
import { DEPLOYMENT_NAME } from '../lib/worker-deployment';
import { closePlatform, createPlatform } from '../services/platform/bootstrap';
import { awaitCurrentSchema } from '../services/platform/migrations/schema-state';
import type { Platform } from '../services/platform/platform';
import { QUEUES } from '../workflows/contracts';
import type { Pool } from '../workflows/contracts';
import { createConnector, watchConnection } from './connection-watch';
import { growHeapBetweenCollections } from './garbage-collection';
import { createActivityInterceptors } from './interceptors';
import type { PoolDefinition, PoolRuntime } from './pool';
import { deliveryPool } from './pools/delivery';
import { exportsPool } from './pools/exports';
import { orchestrationPool } from './pools/orchestration';
import { renderingPool } from './pools/rendering';
import { screeningPool } from './pools/screening';
import { visionPool } from './pools/vision';
import { SCHEDULES } from './schedules';
import { planSlots } from './slots';
import { installTemporalRuntime } from './temporal-runtime';

const POOL_DEFINITIONS: readonly PoolDefinition[] = [
  orchestrationPool,
  visionPool,
  renderingPool,
  deliveryPool,
  screeningPool,
  exportsPool,
];
/**
 * At most this long after it was made, a heartbeat is sent. Without this the SDK waits 80 % of the heartbeat timeout: a
 * call that takes long would end activities whose timeout is five seconds.
 */
const HEARTBEAT_THROTTLE_MS = 1000;
/** Added to the longest attempt, so that the result can be sent to the server. */
const DRAIN_MARGIN_MS = 5000;

/** The outermost interceptor: it sees errors as they are stored in histories, with codes only. */
const createTraceInterceptors = (config: Config): ActivityInterceptorsFactory[] =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
    ? []
    : [(context) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(context) })];

async function createWorker(
  config: Config,
  platform: Platform,
  connection: NativeConnection,
  definition: PoolDefinition,
  runtime: PoolRuntime,
  { taskQueue, activities, slots }: NonNullable<PoolRuntime['second']>,
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue,
    dataConverter: createDataConverter(config, platform.masterKey),
    activities,
    sinks: platform.singletons.get(WorkflowSpans).sinks,
    maxConcurrentActivityTaskExecutions: slots,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    shutdownGraceTime: runtime.maxAttemptMs + DRAIN_MARGIN_MS,
    interceptors: {
      activity: [...createTraceInterceptors(config), createActivityInterceptors(platform.logger, definition)],
    },
    ...(config.WORKER_BUILD_ID === undefined
      ? {}
      : {
          workerDeploymentOptions: {
            version: { deploymentName: DEPLOYMENT_NAME, buildId: config.WORKER_BUILD_ID },
            useWorkerVersioning: true,
            // A session may be open for weeks: it goes on in the current version, which replays its history (test/replay).
            defaultVersioningBehavior: 'AUTO_UPGRADE' as const,
          },
        }),
    ...runtime.workerOptions,
  });
}

/** The queues that a process polls for a pool. */
const listQueues = ({ pool }: PoolDefinition, { activities, slots, second }: PoolRuntime) => [
  { taskQueue: QUEUES[pool], activities, slots },
  ...(second === undefined ? [] : [second]),
];

/** Creates the engines and activities of the pools, with as many slots as the machine has room for. */
async function createRuntimes(definitions: readonly PoolDefinition[], platform: Platform) {
  const machine = readMachine();
  const pools = definitions.map(({ pool }) => pool);
  const plan = planSlots(pools, machine, platform.config);
  const runtimes = await Promise.all(
    definitions.map(async (definition) => ({ definition, runtime: await definition.create(platform, plan) })),
  );
  return { machine, runtimes };
}

const startHealth = async (
  config: Config,
  checks: Record<string, HealthCheck>,
  metrics?: MetricsPage,
): Promise<Server | undefined> =>
  config.WORKER_HEALTH_PORT === undefined
    ? undefined
    : startHealthServer(config.HOST, config.WORKER_HEALTH_PORT, checks, metrics);

/** The metrics of this process and of its Temporal SDK; undefined without METRICS_TOKEN. */
function createMetricsPage(
  { config, singletons }: Platform,
  readSdkMetrics: () => Promise<string>,
): MetricsPage | undefined {
  const token = config.metricsToken;
  if (token === undefined) return undefined;
  const metrics = singletons.get(Metrics);
  metrics.measureRuntime();
  const read = async (): Promise<string> =>
    (await Promise.all([metrics.registry.metrics(), readSdkMetrics()])).join('');
  return { token, read };
}

/** Reports that the process is alive and waits for what it cannot start without. */
class WaitingReport {
  private server: Server | undefined;
  constructor(private readonly config: Config) {}

  readonly open = async (awaited: StartCheck): Promise<void> => {
    this.close();
    this.server = await startHealth(this.config, {
      [awaited]: () => Promise.reject(new Error('It is not ready yet.')),
    });
  };

  close(): void {
    this.server?.close();
  }
}

/** Connects the process, once its master key is decrypted, the database is migrated and all stores respond. */
async function startPlatform(config: Config): Promise<Platform> {
  const report = new WaitingReport(config);
  const onWaiting = report.open;
  const platform = await createPlatform(config, { name: 'worker', watch: false, serves: true, onWaiting });
  const { logger, objects, temporal } = platform;
  await awaitCurrentSchema(platform, () => onWaiting('schema'));
  const ensureBucket = () => objects.ensureBucket();
  await awaitAvailable(
    { check: 'objects', connect: ensureBucket, isUnavailable: isNetworkError },
    { logger, onWaiting },
  );
  await awaitTemporal(temporal, config.TEMPORAL_NAMESPACE, { logger, onWaiting });
  report.close();
  return platform;
}

/** Ends the process, whose connection to Temporal is lost. */
function endProcess(): void {
  createLogger({ level: 'error', name: 'worker', sync: true }).error(
    'The connection to Temporal is lost; the process ends, so that its supervisor starts it again',
  );
  // An orderly exit waits for the long polls on that connection.
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Connects the process to its stores and works for the pools until a signal ends it.
 * @param config checked by the caller
 * @throws Error if the process cannot start
 */
export async function runWorkers(config: Config, pools: readonly Pool[]): Promise<void> {
  const definitions = POOL_DEFINITIONS.filter(({ pool }) => pools.includes(pool));
  growHeapBetweenCollections();
  const platform = await startPlatform(config);
  const { logger } = platform;
  logProcessEvents(logger);
  const readSdkMetrics = await installTemporalRuntime(logger, config.metricsToken !== undefined);
  if (definitions.includes(orchestrationPool))
    await ensureTemporal(platform.temporal, config.TEMPORAL_NAMESPACE, SCHEDULES, logger);

  const connect = createConnector(config);
  const connection = await connect();
  // Everything that root may read has been read, and no process that reads files of strangers runs yet.
  changeUser(config.RUN_AS);
  const { machine, runtimes } = await createRuntimes(definitions, platform);
  const workers = await Promise.all(
    runtimes.flatMap(({ definition, runtime }) =>
      listQueues(definition, runtime).map((queue) =>
        createWorker(config, platform, connection, definition, runtime, queue),
      ),
    ),
  );

  const checks: Record<string, HealthCheck> = {
    mongodb: () => pingMongo(),
    temporal: () => pingTemporal(platform.temporal, config.TEMPORAL_NAMESPACE),
    objects: () => platform.objects.health(),
    ...Object.fromEntries(runtimes.map(({ definition, runtime }) => [definition.pool, () => runtime.health()])),
  };
  const health = await startHealth(config, checks, createMetricsPage(platform, readSdkMetrics));
  const slots = Object.fromEntries(runtimes.map(({ definition, runtime }) => [definition.pool, runtime.slots]));
  logger.info({ ...machine, slots, buildId: config.WORKER_BUILD_ID }, 'Worker is ready');

  const watch = new AbortController();
  void watchConnection(connection, connect, { signal: watch.signal, logger, onLost: endProcess });

  // Temporal's runtime handles SIGTERM and SIGINT by draining; run() settles when no activity is running.
  try {
    await Promise.all(workers.map((worker) => worker.run()));
  } finally {
    watch.abort();
    health?.close();
    await Promise.all(runtimes.map(({ runtime }) => runtime.close()));
    await connection.close();
    await closePlatform(platform);
  }
  logger.info('Worker has drained');
}

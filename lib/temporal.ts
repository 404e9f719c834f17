import { Client, Connection, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { ScheduleDescription, WorkflowClientInterceptor } from '@temporalio/client';
import { OpenTelemetryWorkflowClientInterceptor } from '@temporalio/interceptors-opentelemetry/lib/client';
import { awaitAvailable } from './await-available';
import type { Waiting } from './await-available';
import type { Config } from './config';
import type { MasterKey } from './crypto/master-key';
import type { Logger } from './logger';
import { isTemporalUnavailable } from './temporal-errors';
import { requestIdClientInterceptor } from './temporal-headers';
import { createDataConverter } from './temporal-payloads';
import { ensureSearchAttributes } from './temporal-search-attributes';
import { readTemporalTls } from './temporal-tls';

/** A workflow that a Temporal Schedule starts at a fixed interval. */
export interface ScheduledWorkflow {
  scheduleId: string;
  workflowType: string;
  taskQueue: string;
  everySeconds: number;
}

/** Options of the connections of clients and workers. */
export function buildTemporalConnectionOptions(config: Config) {
  const tls = readTemporalTls(config);
  return {
    address: config.TEMPORAL_ADDRESS,
    ...(tls === undefined ? {} : { tls }),
    ...(config.TEMPORAL_API_KEY === undefined ? {} : { apiKey: config.TEMPORAL_API_KEY }),
  };
}

/** By default the client waits up to two minutes before it connects again, however long Temporal has been back. */
const MAX_RECONNECT_BACKOFF_MS = 2000;

/** Passes the current trace to the workflows that are started or signalled. */
const createTraceInterceptors = (config: Config): WorkflowClientInterceptor[] =>
  config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined ? [] : [new OpenTelemetryWorkflowClientInterceptor()];

/** A client that connects on first use, so that the API can start while Temporal is unavailable. */
export function createTemporalClient(config: Config, masterKey: MasterKey): Client {
  return new Client({
    connection: Connection.lazy({
      ...buildTemporalConnectionOptions(config),
      channelArgs: { 'grpc.max_reconnect_backoff_ms': MAX_RECONNECT_BACKOFF_MS },
    }),
    namespace: config.TEMPORAL_NAMESPACE,
    dataConverter: createDataConverter(config, masterKey),
    interceptors: { workflow: [requestIdClientInterceptor, ...createTraceInterceptors(config)] },
  });
}

/** Rejects after `timeoutMs` if Temporal does not respond. */
export async function pingTemporal(client: Client, namespace: string, timeoutMs = 2000): Promise<void> {
  await client.connection.withDeadline(Date.now() + timeoutMs, () =>
    client.workflowService.describeNamespace({ namespace }),
  );
}

/** Waits until Temporal responds. */
export const awaitTemporal = (client: Client, namespace: string, waiting: Waiting): Promise<void> =>
  awaitAvailable(
    { check: 'temporal', connect: () => pingTemporal(client, namespace), isUnavailable: isTemporalUnavailable },
    waiting,
  );

const buildScheduleOptions = ({ scheduleId, workflowType, taskQueue, everySeconds }: ScheduledWorkflow) => ({
  spec: { intervals: [{ every: everySeconds * 1000 }] },
  policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' as const },
  action: { type: 'startWorkflow' as const, workflowType, workflowId: scheduleId, taskQueue, args: [{}] },
});

/** Whether a registered Schedule starts the same workflow at the same interval. */
function isUpToDate({ spec, action }: ScheduleDescription, schedule: ScheduledWorkflow): boolean {
  const [interval, ...others] = spec.intervals ?? [];
  return (
    others.length === 0 &&
    interval?.every === schedule.everySeconds * 1000 &&
    action.workflowType === schedule.workflowType &&
    action.taskQueue === schedule.taskQueue
  );
}

async function ensureSchedule(client: Client, schedule: ScheduledWorkflow): Promise<void> {
  const options = buildScheduleOptions(schedule);
  try {
    await client.schedule.create({ scheduleId: schedule.scheduleId, ...options });
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    const handle = client.schedule.getHandle(schedule.scheduleId);
    if (isUpToDate(await handle.describe(), schedule)) return;
    // A Schedule that an operator has paused stays paused.
    await handle.update(({ state }) => ({ ...options, state }));
  }
}

/**
 * Registers missing search attributes and Schedules, and updates Schedules that have changed. Called at every start.
 * @throws ConfigError with the CLI commands to run if Temporal rejects the search attributes
 */
export async function ensureTemporal(
  client: Client,
  namespace: string,
  schedules: readonly ScheduledWorkflow[],
  logger: Logger,
): Promise<void> {
  const { operatorService } = client.connection as Connection;
  const isRegistered = await ensureSearchAttributes(operatorService, namespace, logger);
  await Promise.all(schedules.map((schedule) => ensureSchedule(client, schedule)));
  logger.info(
    { namespace, schedules: schedules.map((schedule) => schedule.scheduleId) },
    isRegistered ? 'Search attributes and Schedules are registered' : 'Schedules are registered',
  );
}

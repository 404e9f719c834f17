import { createServer } from 'node:net';
import { Runtime } from '@temporalio/worker';
import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/common';
import { summariseError } from '../lib/logger';
import type { Logger } from '../lib/logger';

const LOOPBACK = '127.0.0.1';
const SDK_METRICS_TIMEOUT_MS = 2000;

type PinoLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

const LEVELS: Record<LogLevel, PinoLevel> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/**
 * Messages of the SDK that are expected: `workers/interceptors.ts` logs failed attempts itself, a workflow that fails has
 * recorded the failure before, and most pools have activities only.
 */
const EXPECTED_MESSAGES: ReadonlySet<string> = new Set([
  'Activity failed',
  'Workflow failed',
  'No workflows registered, not polling for workflow tasks',
  'No Nexus services registered, not polling for Nexus tasks',
]);

/** The fields of a message, with errors on one line: the SDK repeats what failed. */
const readFields = (meta: LogMetadata = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(meta).map(([name, value]: [string, unknown]) => [
      name === 'error' ? 'reason' : name,
      value instanceof Error ? summariseError(value) : value,
    ]),
  );

/** Passes messages of the Temporal SDK and its native core to the log of the worker. */
export function createTemporalLogger(logger: Logger): TemporalLogger {
  const log = (level: LogLevel, message: string, meta?: LogMetadata): void => {
    logger[EXPECTED_MESSAGES.has(message) ? 'debug' : LEVELS[level]](readFields(meta), message);
  };
  return {
    log,
    trace: (message, meta) => log('TRACE', message, meta),
    debug: (message, meta) => log('DEBUG', message, meta),
    info: (message, meta) => log('INFO', message, meta),
    warn: (message, meta) => log('WARN', message, meta),
    error: (message, meta) => log('ERROR', message, meta),
  };
}

/** A free port on the loopback interface. */
async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Reads the metrics of the SDK; empty if they cannot be read. */
export const readSdkMetrics = async (port: number): Promise<string> =>
  fetch(`http://${LOOPBACK}:${port}/metrics`, { signal: AbortSignal.timeout(SDK_METRICS_TIMEOUT_MS) })
    .then((response) => response.text())
    .catch(() => '');

/**
 * Configures the Temporal SDK of this process; called once, before its first connection.
 * @param withMetrics whether the SDK measures; its core serves the result on a loopback port only
 * @returns reads the metrics of the SDK in the text format of Prometheus
 */
export async function installTemporalRuntime(logger: Logger, withMetrics: boolean): Promise<() => Promise<string>> {
  const port = withMetrics ? await findFreePort() : null;
  const bindAddress = `${LOOPBACK}:${port ?? 0}`;
  const exporter = { bindAddress, countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  Runtime.install({
    logger: createTemporalLogger(logger),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(port === null ? {} : { metrics: { attachServiceName: false, prometheus: exporter } }),
    },
  });
  return () => (port === null ? Promise.resolve('') : readSdkMetrics(port));
}

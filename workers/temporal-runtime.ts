import { Runtime } from '@temporalio/worker';
import type { Logger as TemporalLogger, LogLevel, LogMetadata } from '@temporalio/common';
import { summariseError } from '../lib/logger';
import type { Logger } from '../lib/logger';

type PinoLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

const LEVELS: Record<LogLevel, PinoLevel> = {
  TRACE: 'trace',
  DEBUG: 'debug',
  INFO: 'info',
  WARN: 'warn',
  ERROR: 'error',
};

/**
 * Messages of the SDK that are expected: `workers/interceptors.ts` logs failed attempts itself, and a workflow that fails
 * has recorded the failure before.
 */
const EXPECTED_MESSAGES: ReadonlySet<string> = new Set(['Activity failed', 'Workflow failed']);

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

/** Configures the Temporal SDK of this process; called once, before its first connection. */
export function installTemporalRuntime(logger: Logger): void {
  Runtime.install({
    logger: createTemporalLogger(logger),
    telemetryOptions: { logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} } },
  });
}

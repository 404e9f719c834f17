import { format } from 'node:util';
import { ConfigError } from './config-error';
import { createLogger } from './logger';
import type { Logger } from './logger';

/** Level of the log lines that replace what the methods of the console print. */
const CONSOLE_LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** Libraries print to the console, such as the S3 client when it retries a request. */
function logConsole(logger: Logger): void {
  for (const [method, level] of Object.entries(CONSOLE_LEVELS)) {
    Object.assign(globalThis.console, { [method]: (...values: unknown[]) => logger[level](format(...values)) });
  }
}

/**
 * Logs warnings of Node.js, errors that end the process and what libraries print to the console as JSON, instead of as
 * text.
 */
export function logProcessEvents(logger: Logger): void {
  logConsole(logger);
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ warning: warning.name }, warning.message));
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'The process ends because of an unexpected error');
    process.exit(1);
  });
}

/** Logs why a process could not start: an invalid setting without a stack. */
export function logStartFailure(name: string, error: unknown): void {
  const logger = createLogger({ level: 'fatal', name });
  if (error instanceof ConfigError) logger.fatal(error.message);
  else logger.fatal({ err: error }, 'The process could not start');
}

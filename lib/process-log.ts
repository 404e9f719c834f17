import { ConfigError } from './config-error';
import { createLogger } from './logger';
import type { Logger } from './logger';

/** Logs warnings of Node.js and errors that end the process as JSON, instead of the text that Node.js prints. */
export function logProcessEvents(logger: Logger): void {
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

import { isGrpcServiceError } from '@temporalio/client';
import { AppError } from '../../domain/errors';
import { ConfigError } from '../../lib/config-error';
import { isMongoUnavailable } from '../../lib/mongo-errors';

/** What the operator can act on; the stack of anything unexpected. */
function describeError(error: unknown): string {
  if (error instanceof ConfigError) return error.message;
  // The message of a refused input names the field; any other error is listed by its code in the reference.
  if (error instanceof AppError) return error.status === 400 ? error.message : `${error.code}: ${error.message}`;
  if (isGrpcServiceError(error)) return `Temporal: ${error.details}`;
  if (!(error instanceof Error)) return String(error);
  return isMongoUnavailable(error) ? `MongoDB does not respond (${error.message}).` : String(error.stack);
}

/** Prints why a command failed; the process ends with code 1. */
export function reportFailure(error: unknown): void {
  process.stderr.write(`${describeError(error)}\n`);
  process.exitCode = 1;
}

/** A reader that has seen enough, such as `head`, closes the output: that ends the command, and is no failure. */
export function endWithReader(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit();
  });
}

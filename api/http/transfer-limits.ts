import type { IncomingMessage } from 'node:http';
import { AppError } from '../../domain/errors';
import type { Config } from '../../lib/config';

interface TransferLimits {
  /** Time for the whole body. */
  timeoutMs: number;
  /** Least rate within each span of `spanMs`; 0 for none. */
  bytesPerSecond: number;
  spanMs: number;
}

type TransferSettings = Pick<
  Config,
  'REQUEST_TIMEOUT_SECONDS' | 'UPLOAD_MIN_KILOBYTES_PER_SECOND' | 'UPLOAD_STALL_SECONDS'
>;

/** Limits in bytes and milliseconds from settings in kilobytes and seconds. */
export const buildTransferLimits = (settings: TransferSettings): TransferLimits => ({
  timeoutMs: settings.REQUEST_TIMEOUT_SECONDS * 1000,
  bytesPerSecond: settings.UPLOAD_MIN_KILOBYTES_PER_SECOND * 1024,
  spanMs: settings.UPLOAD_STALL_SECONDS * 1000,
});

const requestTimeoutError = (problem: string): AppError => new AppError('request_timeout', 408, `The body ${problem}.`);

/**
 * Reads a body within time limits, since a body that arrives slowly occupies memory, disk and a connection for as long as
 * its client likes.
 * @throws AppError 408, after which the connection must be closed
 */
export async function readWithinLimits<T>(
  request: IncomingMessage,
  { timeoutMs, bytesPerSecond, spanMs }: TransferLimits,
  read: () => Promise<T>,
): Promise<T> {
  let deadline: NodeJS.Timeout | undefined;
  let sampling: NodeJS.Timeout | undefined;
  const exceeded = new Promise<never>((_resolve, reject) => {
    deadline = setTimeout(() => {
      if (!request.complete) reject(requestTimeoutError(`did not arrive within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    if (bytesPerSecond === 0) return;
    let bytesBefore = request.socket.bytesRead;
    sampling = setInterval(() => {
      const bytes = request.socket.bytesRead - bytesBefore;
      bytesBefore += bytes;
      if (!request.complete && bytes < (bytesPerSecond * spanMs) / 1000)
        reject(requestTimeoutError(`arrived at less than ${bytesPerSecond / 1024} KB/s for ${spanMs / 1000} s`));
    }, spanMs);
  });
  try {
    return await Promise.race([read(), exceeded]);
  } finally {
    clearTimeout(deadline);
    clearInterval(sampling);
  }
}

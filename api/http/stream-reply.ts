import { once } from 'node:events';
import { pipeline } from 'node:stream';
import type { Duplex, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Response } from 'express';

const FAILED_SOURCE = 'failedSource';

/** Whether a response ended before its end because the stream that it was read from failed. */
export const isIncomplete = (response: Response): boolean => response.locals[FAILED_SOURCE] === true;

/** The last of streams that are piped through each other; if one fails or is destroyed, all are. */
const connect = (streams: readonly [Readable, ...Duplex[]]): Readable =>
  streams.length === 1 ? streams[0] : (pipeline([...streams], () => undefined) as Duplex);

/** Resolves once a stream has bytes or has ended. */
async function waitForBytes(body: Readable, ended: Promise<void>): Promise<void> {
  const waiting = new AbortController();
  const readable = once(body, 'readable', { signal: waiting.signal }).catch(() => undefined);
  try {
    await Promise.race([readable, ended]);
  } finally {
    waiting.abort();
  }
}

/**
 * Sends a stream to a client. The head is sent once the first bytes are read, so that a source that cannot be read at all
 * is answered with an error. If the source fails later, the connection is closed before the end of the response, which the
 * client notices. A client that disconnects is not an error.
 * @param writeHead sets status and headers
 * @throws the error of the source
 */
export async function sendStream(
  response: Response,
  streams: readonly [Readable, ...Duplex[]],
  writeHead: () => void,
): Promise<void> {
  const body = connect(streams);
  let disconnected = false;
  const end = (): void => {
    disconnected = !response.writableFinished;
    body.destroy();
  };
  // A client that has left before is not reported again, and what is written to it never drains.
  if (response.closed) end();
  else response.once('close', end);
  const ended = finished(body, { writable: false });
  try {
    await waitForBytes(body, ended);
    // Not by stream.pipeline(): its listeners, added to those of the middleware, exceed the default limit of an emitter.
    writeHead();
    body.pipe(response);
    await ended;
  } catch (error) {
    if (disconnected) return;
    response.locals[FAILED_SOURCE] = response.headersSent;
    throw error;
  }
}

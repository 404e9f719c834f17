import { VouchError } from '../../../../clients/typescript/src/errors';

/** Time between two requests for a file that is being rendered. */
const POLL_MS = 2000;
/** Requests after which a file is no longer awaited, which is after two minutes. */
const MAX_REQUESTS = 60;

/** Waits, unless the signal ends it. @throws the reason of the signal */
async function wait(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
  signal.throwIfAborted();
}

/**
 * Requests a file until it is rendered: until then the API answers 202 with the state of the rendition.
 *
 * @param signal ends the requests, such as when the page is left
 * @param pollMs time between two requests
 * @throws VouchError `pdf_not_ready` if the file is not rendered after two minutes; the reason of the signal
 */
export async function awaitFile(
  read: (options: { signal: AbortSignal }) => Promise<unknown>,
  signal: AbortSignal,
  pollMs = POLL_MS,
): Promise<Blob> {
  for (let requests = 0; requests < MAX_REQUESTS; requests += 1) {
    if (requests > 0) await wait(pollMs, signal);
    const file = await read({ signal });
    if (file instanceof Blob) return file;
  }
  throw new VouchError({
    status: 503,
    // The API, too, says so if it waits for a file.
    code: 'pdf_not_ready',
    message: 'The file was not rendered within two minutes.',
    details: {},
    requestId: null,
    retryAfterSeconds: null,
  });
}

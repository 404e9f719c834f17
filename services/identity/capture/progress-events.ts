import type { Readable } from 'node:stream';
import { AppError } from '../../../domain/errors';
import { GeneratorStream } from '../../../lib/generator-stream';
import { CaptureBrowser } from '../../../models/identity/capture/capture-browser';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { getBrowserSession } from './capture-state';

/** A server-sent event (HTML Living Standard, section 9.2). */
const formatEvent = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Keeps the connection open through proxies that close idle ones. */
const COMMENT = ': waiting\n\n';
const COMMENT_EVERY_MS = 15_000;

/** After this time the stream ends and the browser connects again, so that no connection stays for ever. */
const MAX_STREAM_MS = 10 * 60_000;

interface CaptureEvent {
  text: string;
  /** Version of the session that it shows; null for the last event of a stream. */
  version: number | null;
}

const endEvent = (code: string): CaptureEvent => ({ text: formatEvent('end', { code }), version: null });

async function isEnded(platform: Platform, browser: CaptureBrowserRecord): Promise<boolean> {
  const active = { _id: browser._id, ...toScope(browser), endedAt: null, expiresAt: { $gt: platform.clock.now() } };
  return (await CaptureBrowser.exists(active)) === null;
}

/** The next event; null while the session has the version that was sent last. */
async function readEvent(
  platform: Platform,
  browser: CaptureBrowserRecord,
  read: () => Promise<object>,
  lastVersion: number | null,
): Promise<CaptureEvent | null> {
  try {
    if (await isEnded(platform, browser)) return endEvent('unauthorized');
    const { version } = await getBrowserSession(browser);
    return version === lastVersion ? null : { text: formatEvent('state', await read()), version };
  } catch (error) {
    if (error instanceof AppError && error.code === 'session_erased') return endEvent(error.code);
    throw error;
  }
}

/** @param hasLeft whether the reader of the stream has left */
async function* streamEvents(
  platform: Platform,
  browser: CaptureBrowserRecord,
  read: () => Promise<object>,
  hasLeft: () => boolean,
): AsyncGenerator<string> {
  const endsAt = Date.now() + MAX_STREAM_MS;
  let lastVersion: number | null = null;
  while (Date.now() < endsAt) {
    const startedAt = Date.now();
    const sentVersion: number | null = lastVersion;
    const event: CaptureEvent | null = await platform.changes.waitFor(
      'sessions',
      browser.sessionId,
      COMMENT_EVERY_MS,
      async () => (hasLeft() ? endEvent('left') : readEvent(platform, browser, read, sentVersion)),
    );
    // A wait that was cut short without an event: the process is shutting down.
    if (event === null && Date.now() - startedAt < COMMENT_EVERY_MS) return;
    yield event?.text ?? COMMENT;
    if (event !== null) {
      if (event.version === null) return;
      lastVersion = event.version;
    }
  }
}

/** Streams of one browser at the same time: its windows, and some that it has not closed yet. Each reads every second. */
const MAX_OPEN_STREAMS = 10;
const RETRY_AFTER_SECONDS = 10;

/** The number of open streams of each browser in this process. */
class OpenStreams {
  private readonly counts = new Map<string, number>();

  /** @returns a function that counts the stream as closed. @throws AppError 429 */
  open(browserId: string): () => void {
    const count = this.counts.get(browserId) ?? 0;
    if (count >= MAX_OPEN_STREAMS) {
      const message = `A browser can follow a capture ${MAX_OPEN_STREAMS} times at once; close other windows.`;
      throw new AppError('rate_limit_exceeded', 429, message, { retryAfterSeconds: RETRY_AFTER_SECONDS });
    }
    this.counts.set(browserId, count + 1);
    return () => {
      const left = (this.counts.get(browserId) ?? 1) - 1;
      if (left === 0) this.counts.delete(browserId);
      else this.counts.set(browserId, left);
    };
  }
}

/**
 * The state of a capture whenever it changes, as server-sent events: `state` with what `read` returns, at once and after
 * each change, and `end` with a code once the access has ended. The stream ends after ten minutes, when its access ends,
 * and when the process shuts down; browsers then connect again.
 * @throws AppError 429 for a browser with too many open streams
 */
export function streamCaptureEvents(
  platform: Platform,
  browser: CaptureBrowserRecord,
  read: () => Promise<object>,
): Readable {
  const countClosed = platform.singletons.get(OpenStreams).open(browser._id);
  let left = false;
  const events = streamEvents(platform, browser, read, () => left);
  return new GeneratorStream(events, () => {
    left = true;
    countClosed();
  });
}

import { AppError } from '../../../domain/errors';
import { CaptureBrowser } from '../../../models/identity/capture/capture-browser';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import type { Platform } from '../../platform/platform';
import { toScope } from '../sessions/session-store';
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

/**
 * The state of a capture whenever it changes, as server-sent events: `state` with what `read` returns, at once and after
 * each change, and `end` with a code once the access has ended. The stream ends after ten minutes, when its access ends,
 * and when the process shuts down; browsers then connect again.
 */
export async function* streamCaptureEvents(
  platform: Platform,
  browser: CaptureBrowserRecord,
  read: () => Promise<object>,
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
      () => readEvent(platform, browser, read, sentVersion),
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

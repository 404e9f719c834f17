import { DAY_MS } from '../../../domain/durations';
import { AppError, unauthorizedError } from '../../../domain/errors';
import { acceptsChecks } from '../../../domain/identity/sessions/session';
import { generateSecret, sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { CaptureBrowser } from '../../../models/identity/capture/capture-browser';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import { CaptureLink } from '../../../models/identity/capture/capture-link';
import type { CaptureLinkRecord } from '../../../models/identity/capture/capture-link';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { guardSession, getSession } from '../sessions/session-store';

/** Longest time for which a browser has access with one link. */
export const CAPTURE_ACCESS_MS = DAY_MS;

/** A browser of the capture page with its token, which only {@link exchangeLink} returns. */
export interface OpenedBrowser {
  browser: CaptureBrowserRecord;
  token: string;
}

/** The browser of a cookie's token; null if its access has ended. */
export async function findCaptureBrowser(platform: Platform, token: string): Promise<CaptureBrowserRecord | null> {
  const found = await CaptureBrowser.findOne({ tokenHash: sha256Hex(token) }).lean<CaptureBrowserRecord>();
  if (found === null || found.endedAt !== null || found.expiresAt <= platform.clock.now()) return null;
  return found;
}

/** 401: the access of a browser has ended. */
export const accessEndedError = (): AppError =>
  unauthorizedError('The capture was closed or has expired; open the link again.');

/** 410: the session of the capture page was erased. */
export const sessionErasedError = (): AppError =>
  new AppError('session_erased', 410, 'The data of this verification was erased.');

const linkUsedError = (): AppError =>
  new AppError('link_used', 410, 'The link was opened before; ask for a new one, or continue where it was opened.');

/** @throws AppError 404 `link_unknown`; 410 `link_used`, `link_expired` */
async function getOpenLink(platform: Platform, tokenHash: string): Promise<CaptureLinkRecord> {
  const link = await CaptureLink.findOne({ tokenHash }).lean<CaptureLinkRecord>();
  if (link === null) throw new AppError('link_unknown', 404, 'The link is not valid; check that it is complete.');
  if (link.usedAt !== null) throw linkUsedError();
  if (link.replacedAt !== null || link.expiresAt <= platform.clock.now()) {
    throw new AppError('link_expired', 410, 'The link has expired or was replaced by a newer one; ask for a new one.');
  }
  return link;
}

/** Runs `work`; a session that does not exist any more was erased, because its link exists. */
export async function mapMissingToErased<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof AppError && error.status === 404 && error.code === 'not_found'
      ? sessionErasedError()
      : error;
  }
}

/** Takes the link and gives its bearer access to the session, in one transaction. */
const openBrowser = (platform: Platform, link: CaptureLinkRecord): Promise<OpenedBrowser> =>
  runTransaction(platform, async (unit) => {
    const now = platform.clock.now();
    const session = await getSession(link, link.sessionId, unit.mongoSession);
    const taken = await CaptureLink.updateOne(
      { _id: link._id, ...toScope(link), usedAt: null, replacedAt: null },
      { $set: { usedAt: now } },
      { session: unit.mongoSession },
    );
    if (taken.matchedCount === 0) throw linkUsedError();
    const token = generateSecret();
    const browser: CaptureBrowserRecord = {
      _id: newId('cpb'),
      ...toScope(link),
      sessionId: link.sessionId,
      tokenHash: sha256Hex(token),
      handedOverBy: link.purpose === 'hand_over' ? link.createdBy : null,
      createdAt: now,
      expiresAt: new Date(now.getTime() + CAPTURE_ACCESS_MS),
      endedAt: null,
    };
    await CaptureBrowser.create([browser], { session: unit.mongoSession });
    // Also notifies the browser that handed over that the other device has opened the page.
    await guardSession(unit, session, acceptsChecks(session.status) ? { lastActivityAt: now } : {});
    await unit.audit(link, { actor: browser._id, action: 'capture.opened', subject: link.sessionId });
    return { browser, token };
  });

/**
 * Exchanges the token of a link for access to its session.
 * @throws AppError 404 `link_unknown`; 410 `link_used`, `link_expired`, `session_erased`
 */
export async function exchangeLink(platform: Platform, token: string): Promise<OpenedBrowser> {
  const link = await getOpenLink(platform, sha256Hex(token)).catch(async (error: unknown) => {
    // Whatever became of a link, that of an erased session is answered as such.
    const known = await CaptureLink.findOne({ tokenHash: sha256Hex(token) }).lean<CaptureLinkRecord>();
    if (known !== null) await mapMissingToErased(getSession(known, known.sessionId));
    throw error;
  });
  return mapMissingToErased(openBrowser(platform, link));
}

/** What became of the codes of a browser. */
export interface HandOvers {
  /** Whether another device has taken over. */
  isHandedOver: boolean;
  /** How often a device has opened a code, also those whose access has ended since. */
  count: number;
}

/** The devices to which a browser has handed over. */
export async function countHandOvers({
  _id,
  organisationId,
  mode,
  sessionId,
}: CaptureBrowserRecord): Promise<HandOvers> {
  const filter = { organisationId, mode, sessionId, handedOverBy: _id };
  const opened = await CaptureBrowser.find(filter, { endedAt: 1 }).lean<Pick<CaptureBrowserRecord, 'endedAt'>[]>();
  return { isHandedOver: opened.some(({ endedAt }) => endedAt === null), count: opened.length };
}

/** The session of the link that a browser has opened before, so that it can open the same link again. */
export async function isLinkOf(browser: CaptureBrowserRecord, token: string): Promise<boolean> {
  const { organisationId, mode, sessionId } = browser;
  const tokenHash = sha256Hex(token);
  return (await CaptureLink.exists({ organisationId, mode, sessionId, tokenHash })) !== null;
}

/** Ends the access of a browser. @throws AppError 401 if a concurrent request has ended it */
export async function endCaptureBrowser(platform: Platform, browser: CaptureBrowserRecord): Promise<void> {
  await runTransaction(platform, async (unit) => {
    const ended = await CaptureBrowser.updateOne(
      { _id: browser._id, ...toScope(browser), endedAt: null },
      { $set: { endedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (ended.matchedCount === 0) throw accessEndedError();
    await unit.audit(browser, { actor: browser._id, action: 'capture.closed', subject: browser.sessionId });
  });
}

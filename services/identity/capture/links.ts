import { createHmac } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations';
import { conflictError } from '../../../domain/errors';
import { isCapturable } from '../../../domain/identity/capture/capture-steps';
import { acceptsChecks, sessionClosedError } from '../../../domain/identity/sessions/session';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { CaptureLink } from '../../../models/identity/capture/capture-link';
import type { CaptureLinkRecord } from '../../../models/identity/capture/capture-link';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { guardSession, getSession } from '../sessions/session-store';

/** A person scans the code of a hand-over with the phone in the hand. */
const HAND_OVER_TTL_MS = 10 * MINUTE_MS;

/** A new link to the capture page. Its token is in the URL only. */
export interface IssuedLink {
  url: string;
  expiresAt: Date;
}

/** The token is in the fragment, which browsers do not send: it is in no log, history of a proxy or `Referer`. */
const buildUrl = ({ config }: Platform, token: string): string => `${config.PUBLIC_URL}/verify#${token}`;

/**
 * The token of a link: a code of its id, so that a repeated request gets the same link although only its hash is stored.
 * @param keyId the master key from which the key of the code is derived
 */
const computeToken = ({ masterKey }: Platform, keyId: string, linkId: string): string =>
  createHmac('sha256', masterKey.deriveKey('capture-link', keyId)).update(linkId).digest('base64url');

interface LinkRequest {
  purpose: CaptureLinkRecord['purpose'];
  createdBy: string;
  expiresAt: Date;
}

/** Ends the unused links of a purpose: of several links only the newest opens the page. */
async function endUnusedLinks(
  { platform, mongoSession }: UnitOfWork,
  session: SessionRecord,
  purpose: LinkRequest['purpose'],
): Promise<void> {
  await CaptureLink.updateMany(
    { ...toScope(session), sessionId: session._id, purpose, usedAt: null, replacedAt: null },
    { $set: { replacedAt: platform.clock.now() } },
    { session: mongoSession },
  );
}

async function insertLink(unit: UnitOfWork, session: SessionRecord, request: LinkRequest): Promise<IssuedLink> {
  const { platform, mongoSession } = unit;
  const _id = newId('cpl');
  const token = computeToken(platform, platform.masterKey.currentKeyId, _id);
  const link: CaptureLinkRecord = {
    _id,
    ...toScope(session),
    sessionId: session._id,
    tokenHash: sha256Hex(token),
    createdAt: platform.clock.now(),
    usedAt: null,
    replacedAt: null,
    ...request,
  };
  await CaptureLink.create([link], { session: mongoSession });
  return { url: buildUrl(platform, token), expiresAt: request.expiresAt };
}

/**
 * The link of a new session, in the transaction that creates it.
 * @returns null for a session that the capture page cannot complete
 */
export async function issueFirstLink(
  unit: UnitOfWork,
  session: SessionRecord,
  createdBy: string,
): Promise<IssuedLink | null> {
  if (!isCapturable(session.features)) return null;
  return insertLink(unit, session, { purpose: 'person', createdBy, expiresAt: session.expiresAt });
}

/**
 * The link that was issued with a session, for a repeat of the request that created it.
 * @returns null without such a link, and once its master key was replaced
 */
export async function findFirstLink(platform: Platform, session: SessionRecord): Promise<IssuedLink | null> {
  const link = await CaptureLink.findOne({ ...toScope(session), sessionId: session._id, purpose: 'person' })
    .sort({ _id: 1 })
    .lean<CaptureLinkRecord>();
  if (link === null) return null;
  const tokens = platform.masterKey.keyIds.map((keyId) => computeToken(platform, keyId, link._id));
  const token = tokens.find((each) => sha256Hex(each) === link.tokenHash);
  return token === undefined ? null : { url: buildUrl(platform, token), expiresAt: link.expiresAt };
}

/** @throws AppError 409 `session_closed`, `session_not_capturable` */
function requireLinkable({ status, features }: SessionRecord): void {
  if (!acceptsChecks(status)) throw sessionClosedError(status);
  if (!isCapturable(features)) {
    const message =
      'The capture page cannot complete this session: a comparison of faces and registers need a document.';
    throw conflictError('session_not_capturable', message, { features });
  }
}

/** Creates a link in a transaction of its own, guarded by the session's version against a concurrent end or erasure. */
const createLink = (
  platform: Platform,
  scope: Scope,
  sessionId: string,
  { purpose, createdBy, ttlMs }: Omit<LinkRequest, 'expiresAt'> & { ttlMs: (session: SessionRecord) => number },
): Promise<IssuedLink> =>
  runTransaction(platform, async (unit) => {
    const session = await getSession(scope, sessionId, unit.mongoSession);
    requireLinkable(session);
    const changed = await guardSession(unit, session);
    const expiresAt = new Date(platform.clock.now().getTime() + ttlMs(session));
    await endUnusedLinks(unit, changed, purpose);
    const link = await insertLink(unit, changed, { purpose, createdBy, expiresAt });
    await unit.audit(scope, {
      actor: createdBy,
      action: purpose === 'person' ? 'capture_link.created' : 'capture.handed_over',
      subject: sessionId,
    });
    return link;
  });

/**
 * Creates a link for the person of an open session, in place of an earlier one that was not used.
 * @throws AppError 404; 409 `session_closed`, `session_not_capturable`
 */
export const createPersonLink = (
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
): Promise<IssuedLink> =>
  createLink(platform, scope, sessionId, {
    purpose: 'person',
    createdBy: actor,
    // A session that was not started keeps its expiry, which a new link does not extend.
    ttlMs: ({ status, expiresAt, settings }) =>
      status === 'not_started' ? expiresAt.getTime() - platform.clock.now().getTime() : settings.linkTtlHours * HOUR_MS,
  });

/**
 * Creates a link with which the person continues on another device, within ten minutes.
 * @param browserId the browser that hands over
 * @throws AppError 404; 409 `session_closed`
 */
export const createHandOverLink = (
  platform: Platform,
  scope: Scope,
  browserId: string,
  sessionId: string,
): Promise<IssuedLink> =>
  createLink(platform, scope, sessionId, {
    purpose: 'hand_over',
    createdBy: browserId,
    ttlMs: () => HAND_OVER_TTL_MS,
  });

import { conflictError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { SHAREABLE_STATUSES } from '../../../domain/identity/sharing/sharing';
import type { ShareInclude } from '../../../domain/identity/sharing/sharing';
import { isId, newId } from '../../../lib/ids';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { Share } from '../../../models/identity/sharing/share';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { Organisation } from '../../../models/platform/access/organisation';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { getOrganisation } from '../../platform/access/organisations';
import { readEvidence, saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { createFileLink } from '../../platform/evidence/file-links';
import type { FileLink } from '../../platform/evidence/file-links';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { guardSession, getSession } from '../sessions/session-store';
import { BUNDLE_CONTENT_TYPE, writeBundle } from './bundle';
import { buildSharedSession } from './content';
import { getOwnIssuer, signShare } from './token';
import type { ShareClaims } from './token';

export interface ShareInput {
  /** Id of an organisation, or issuer of an installation; any organisation of this installation if omitted. */
  audience?: string | undefined;
  ttlSeconds: number;
  include: readonly ShareInclude[];
  consentText: string;
  /** Whether a file for another installation is created too. */
  bundle: boolean;
}

export interface IssuedShare {
  share: ShareRecord;
  token: string;
  /** Link to the file for another installation; null if none was requested. */
  bundle: FileLink | null;
}

/** @throws AppError 409 `session_not_finished` */
export function requireShareable({ status }: SessionRecord): void {
  if (SHAREABLE_STATUSES.includes(status)) return;
  throw conflictError('session_not_finished', `Only a finished session can be shared; this one is ${status}.`, {
    status,
    allowed: SHAREABLE_STATUSES,
  });
}

const buildShareClaims = (platform: Platform, share: ShareRecord): ShareClaims => ({
  iss: getOwnIssuer(platform),
  aud: share.audience,
  jti: share._id,
  exp: Math.floor(share.expiresAt.getTime() / 1000),
});

/** Creates, encrypts and uploads the bundle of a share. */
async function uploadBundle(platform: Platform, session: SessionRecord, share: ShareRecord): Promise<EvidenceRecord> {
  const consent = { text: share.consentText, at: share.createdAt };
  const content = await buildSharedSession(session, share.include, consent);
  const files = new Map<string, Buffer>();
  for (const { evidenceId, sha256 } of content.files) {
    files.set(sha256, (await readEvidence(platform, session, evidenceId)).body);
  }
  const { _id: id, name } = await getOrganisation(session.organisationId);
  const manifest = await signShare(platform, buildShareClaims(platform, share), {
    share: content,
    organisation: { id, name },
  });
  return uploadEvidence(platform, session, {
    recordId: session._id,
    checkId: session._id,
    field: 'bundle',
    derivedFrom: session._id,
    contentType: BUNDLE_CONTENT_TYPE,
    body: writeBundle(manifest, files),
  });
}

/**
 * Who may import a share, as the claim `aud` names it: without the slashes at the end of a public address.
 * @throws AppError 400 for an organisation that does not exist; one that imports a bundle may be elsewhere
 */
async function resolveAudience(platform: Platform, { audience, bundle }: ShareInput): Promise<string> {
  if (audience === undefined) return getOwnIssuer(platform);
  if (!isId('org', audience)) return audience.replace(/\/+$/, '');
  if (!bundle && (await Organisation.exists({ _id: audience })) === null)
    throw invalidFieldError('audience', 'is not an organisation of this installation');
  return audience;
}

/** The response for a share, equal for a repeated request. */
async function buildIssuedShare(platform: Platform, actor: string, share: ShareRecord): Promise<IssuedShare> {
  const { bundleEvidenceId } = share;
  return {
    share,
    token: await signShare(platform, buildShareClaims(platform, share)),
    bundle: bundleEvidenceId === null ? null : await createFileLink(platform, share, actor, bundleEvidenceId),
  };
}

async function getShare(scope: Scope, id: string): Promise<ShareRecord> {
  const found = await Share.findOne({ _id: id, ...toScope(scope) }).lean<ShareRecord>();
  if (found === null) throw notFoundError('share');
  return found;
}

/**
 * Offers a finished session once to another organisation. The token only states issuer, audience, share id and expiry;
 * the content stays here until the share is imported.
 *
 * @throws AppError 400 for an unknown audience; 404; 409 `session_not_finished`; 413 `bundle_too_large`
 */
export const shareSession = (
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
  input: ShareInput,
  use: IdempotentUse | undefined,
): Promise<IssuedShare> =>
  runIdempotently(
    platform,
    use,
    async (claim) => {
      const session = await getSession(scope, sessionId);
      requireShareable(session);
      const audience = await resolveAudience(platform, input);
      const now = platform.clock.now();
      const draft: ShareRecord = {
        _id: newId('shr'),
        ...toScope(scope),
        sessionId,
        audience,
        opening: session.opening,
        include: [...new Set(input.include)],
        consentText: input.consentText,
        bundleEvidenceId: null,
        createdBy: actor,
        createdAt: now,
        expiresAt: new Date((Math.floor(now.getTime() / 1000) + input.ttlSeconds) * 1000),
        consumedAt: null,
        revokedAt: null,
      };
      const bundle = input.bundle ? await uploadBundle(platform, session, draft) : null;
      const share = { ...draft, bundleEvidenceId: bundle?._id ?? null };
      await runTransaction(platform, async (unit) => {
        // Guarded by the session's version, so that neither a change nor an erasure intervenes.
        await guardSession(unit, session);
        await Share.create([share], { session: unit.mongoSession });
        if (bundle !== null) await saveEvidence(unit, [bundle]);
        const fields = ['audience', 'include', 'consentText'];
        await unit.audit(scope, { actor, action: 'session.shared', subject: sessionId, fields });
        await claim(unit, share._id, 201);
      });
      return buildIssuedShare(platform, actor, share);
    },
    async (id) => buildIssuedShare(platform, actor, await getShare(scope, id)),
  );

import { AppError, forbiddenError } from '../../../domain/errors';
import { getCheckDefinition } from '../../../domain/identity/checks/checks';
import { renamePair } from '../../../domain/identity/sessions/steps';
import type { SharedFile, SharedSession } from '../../../domain/identity/sharing/sharing';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Check } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { Share } from '../../../models/identity/sharing/share';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { ShareUse } from '../../../models/identity/sharing/share-use';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { readEvidence, saveEvidence, uploadEvidence } from '../../platform/evidence/evidence';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { Claim, IdempotentUse } from '../../platform/transactions/idempotency';
import { toScope } from '../../platform/platform';
import type { Actor, Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { getSession } from '../sessions/session-store';
import { recordDayChanges } from '../statistics/day-changes';
import { beginSession, computeStatusDates } from '../sessions/session-transitions';
import { draftSession, withSessionNumber } from '../sessions/sessions';
import { findTemplateForSession } from '../sessions/session-templates';
import { getBundleFile, readBundle, parseSharedSession } from './bundle';
import { buildSharedSession } from './content';
import { insertImportedHits, renewHitIds } from './imported-hits';
import { isRevoked } from './revocation';
import {
  requireCurrent,
  getSharedSession,
  guardSharedSession,
  mapErasedToGone,
  nameOwner,
  shareGoneError,
  shareRevokedError,
  shareUsedError,
} from './validity';
import { requireShareable } from './share';
import { verifyShare } from './token';
import { trustsOrganisation } from './trusted-organisations';
import type { NamedOrganisation } from './trusted-organisations';
import type { Issuer, ShareClaims } from './token';

export interface ShareImportInput {
  /** Whether to accept an approval without an own review. */
  trustReview: boolean;
  /** Template whose settings apply to the imported session; the organisation's default if omitted. */
  templateId?: string | undefined;
}

/** Who imports a share, and into which organisation and mode. */
interface Importer {
  platform: Platform;
  scope: Scope;
  actor: Actor;
}

/** A verified share: its content, its files and its issuer. */
interface VerifiedShare {
  claims: ShareClaims;
  issuer: Issuer;
  /** The sharing organisation; null if its installation does not name it. */
  organisation: NamedOrganisation | null;
  /** The share, if this installation issued it. */
  share: ShareRecord | null;
  /** The session of the share as it was read; null if it is in another installation. */
  source: SessionRecord | null;
  content: SharedSession;
  readFile: (file: SharedFile) => Promise<Buffer>;
}

/** @throws AppError 403 if the caller or the issuer is not permitted to skip the review */
async function requireTrust(
  { scope, actor }: Importer,
  { issuer, share }: VerifiedShare,
  { trustReview }: ShareImportInput,
): Promise<void> {
  if (!trustReview) return;
  if (!actor.permissions.has('sessions:trust-import')) throw forbiddenError('sessions:trust-import');
  const trusted = issuer.own
    ? share !== null && (await trustsOrganisation(scope, share.organisationId))
    : issuer.trusted;
  if (!trusted) {
    throw new AppError('issuer_not_trusted', 403, 'The decisions of this issuer are not accepted without a review.');
  }
}

/** Verifies a share issued by this installation and reads it from its session. */
async function openOwnShare(platform: Platform, scope: Scope, token: string): Promise<VerifiedShare> {
  const { claims, issuer } = await verifyShare(platform, scope, token, 'shareToken');
  if (!issuer.own) {
    throw new AppError('bundle_required', 400, 'A share of another installation is imported from its bundle.');
  }
  const share = await Share.findById(claims.jti).lean<ShareRecord>();
  if (share === null) throw shareGoneError();
  if (share.consumedAt !== null) throw shareUsedError();
  if (isRevoked(share)) throw shareRevokedError();
  const session = await getSharedSession(share);
  requireShareable(session);
  const content = await buildSharedSession(session, share.include, { text: share.consentText, at: share.createdAt });
  const readFile = async ({ evidenceId }: SharedFile) =>
    (await mapErasedToGone(readEvidence(platform, share, evidenceId))).body;
  return { claims, issuer, organisation: await nameOwner(share), share, source: session, content, readFile };
}

/** Verifies a share that was received as a bundle, by its manifest alone. */
async function openBundle(platform: Platform, scope: Scope, file: Buffer): Promise<VerifiedShare> {
  const bundle = readBundle(file);
  const { claims, issuer, ...manifest } = await verifyShare(platform, scope, bundle.manifest, 'bundle');
  const content = parseSharedSession(manifest.share);
  const share = issuer.own ? await Share.findById(claims.jti).lean<ShareRecord>() : null;
  if (issuer.own && share === null) throw shareGoneError();
  if (share !== null && isRevoked(share)) throw shareRevokedError();
  // A used one is rejected as such when it is consumed.
  const source = share !== null && share.consumedAt === null ? await requireCurrent(share) : null;
  const organisation = share === null ? manifest.organisation : await nameOwner(share);
  return {
    claims,
    issuer,
    organisation,
    share,
    source,
    content,
    readFile: (shared) => Promise.resolve(getBundleFile(bundle, shared)),
  };
}

/** Ids of the new session, and of its checks by their ids in the share. */
interface NewIds {
  sessionId: string;
  checks: ReadonlyMap<string, string>;
}

/** Encrypts the files of a share with the key of the new session. @returns evidence ids by their previous ids */
async function reencryptFiles(
  { platform, scope }: Importer,
  { content, readFile }: VerifiedShare,
  ids: NewIds,
): Promise<Map<string, EvidenceRecord>> {
  const evidence = new Map<string, EvidenceRecord>();
  for (const file of content.files) {
    const { evidenceId, field, contentType } = file;
    const checkId = ids.checks.get(file.checkId) ?? ids.sessionId;
    const body = await readFile(file);
    const upload = { recordId: ids.sessionId, checkId, field, contentType, body };
    evidence.set(evidenceId, await uploadEvidence(platform, scope, upload));
  }
  return evidence;
}

interface CopiedShare {
  session: SessionRecord;
  checks: CheckRecord[];
  evidence: EvidenceRecord[];
}

/** Copies the checks of a share to the new session, without references to images that were not included. */
const copyChecks = (
  { platform, scope, actor }: Importer,
  content: SharedSession,
  { sessionId, checks }: NewIds,
  evidence: ReadonlyMap<string, EvidenceRecord>,
): CheckRecord[] =>
  content.checks.map((check) => ({
    _id: checks.get(check.id) ?? newId('chk'),
    ...toScope(scope),
    kind: check.kind,
    feature: getCheckDefinition(check.kind).feature,
    sessionId,
    recordId: sessionId,
    origin: check.origin,
    supplementary: check.supplementary,
    inputs: check.inputs.flatMap(({ field, evidenceId }) => {
      const copy = evidence.get(evidenceId);
      return copy === undefined ? [] : [{ field, evidenceId: copy._id }];
    }),
    details: null,
    sandbox: null,
    status: check.status,
    verdict: check.verdict,
    risks: check.risks,
    result: check.result,
    foundFaces: [],
    failure: check.failure,
    createdBy: actor.id,
    createdAt: new Date(check.createdAt),
    completedAt: check.completedAt === null ? platform.clock.now() : new Date(check.completedAt),
    deletedAt: null,
  }));

/** Copies a share as a new session of the importing organisation. */
async function copyShare(
  importer: Importer,
  verified: VerifiedShare,
  input: ShareImportInput,
  number: number,
): Promise<CopiedShare> {
  const { platform, scope, actor } = importer;
  const { content, claims } = verified;
  const template = await findTemplateForSession(scope, input.templateId);
  const sessionInput = {
    features: content.features,
    language: content.language ?? undefined,
    contact: content.contact ?? undefined,
  };
  const draft = await draftSession(platform, scope, actor.id, number, sessionInput, template);
  const at = draft.createdAt;
  const checkIds = new Map(content.checks.map(({ id }) => [id, newId('chk')]));
  const ids = { sessionId: draft._id, checks: checkIds };
  const evidence = await reencryptFiles(importer, verified, ids);
  const trusted = input.trustReview && content.status === 'approved';
  const status = trusted ? 'approved' : 'in_review';
  const session: SessionRecord = {
    ...draft,
    status,
    steps: content.steps.map((step) => ({
      ...step,
      attempts: step.attempts.flatMap((attempt) => {
        const checkId = checkIds.get(attempt.checkId);
        if (checkId === undefined) return [];
        const pair = attempt.pair === undefined ? {} : { pair: renamePair(attempt.pair, checkIds) };
        return [{ ...attempt, ...pair, checkId, at: new Date(attempt.at) }];
      }),
    })),
    decision:
      trusted && content.decision !== null
        ? { ...content.decision, rule: null, at: new Date(content.decision.at) }
        : null,
    imported: {
      issuer: claims.iss,
      organisation: verified.organisation,
      shareId: claims.jti,
      sessionId: content.sessionId,
      include: [
        ...(content.files.length > 0 ? ['images' as const] : []),
        ...(content.contact ? ['contact' as const] : []),
      ],
      trusted,
      consent: { text: content.consent.text, at: new Date(content.consent.at) },
      at,
    },
    startedAt: content.startedAt === null ? null : new Date(content.startedAt),
    country: content.country,
    reviewSince: trusted ? null : at,
    ...computeStatusDates(draft, status, at),
  };
  const checks = copyChecks(importer, content, ids, evidence).map(renewHitIds);
  return { session, checks, evidence: [...evidence.values()] };
}

/** Marks a share as used, in the transaction that imports it. */
async function consumeShare(unit: UnitOfWork, session: SessionRecord, verified: VerifiedShare): Promise<void> {
  const { claims, share, source } = verified;
  const at = unit.platform.clock.now();
  const { _id: sessionId, organisationId, mode } = session;
  const _id = sha256Hex(`${claims.iss} ${claims.jti}`);
  await ShareUse.create([{ _id, organisationId, mode, sessionId, at }], { session: unit.mongoSession });
  if (share === null) return;
  if (source !== null) await guardSharedSession(unit, share, source);
  const openFilter = { _id: share._id, consumedAt: null, revokedAt: null };
  const consumed = await Share.updateOne(openFilter, { $set: { consumedAt: at } }, { session: unit.mongoSession });
  if (consumed.matchedCount === 0) {
    const current = await Share.findById(share._id).session(unit.mongoSession).lean<ShareRecord>();
    throw current !== null && isRevoked(current) ? shareRevokedError() : shareUsedError();
  }
  await unit.audit(share, { actor: 'system', action: 'session.share_imported', subject: share.sessionId });
}

async function importShare(
  importer: Importer,
  verified: VerifiedShare,
  input: ShareImportInput,
  claim: Claim,
): Promise<SessionRecord> {
  const { platform, scope } = importer;
  await requireTrust(importer, verified, input);
  if (verified.content.mode !== scope.mode) {
    throw new AppError('wrong_audience', 403, `The share is of mode ${verified.content.mode}.`);
  }
  return withSessionNumber(platform, scope, async (number) =>
    saveCopy(importer, verified, await copyShare(importer, verified, input, number), claim),
  );
}

/** Saves the copy of a share, which consumes it. @throws AppError 409 if it was imported meanwhile */
async function saveCopy(
  { platform, scope, actor }: Importer,
  verified: VerifiedShare,
  { session, checks, evidence }: CopiedShare,
  claim: Claim,
): Promise<SessionRecord> {
  try {
    await runTransaction(platform, async (unit) => {
      await consumeShare(unit, session, verified);
      await saveEvidence(unit, evidence);
      if (checks.length > 0) await Check.create(checks, { session: unit.mongoSession, ordered: true });
      await insertImportedHits(unit, checks);
      await recordDayChanges(unit, 'checks', scope, checks);
      await beginSession(unit, session);
      const fields = ['results', 'imported', ...(session.imported?.include ?? [])];
      await unit.audit(scope, { actor: actor.id, action: 'session.imported', subject: session._id, fields });
      await claim(unit, session._id, 201);
    });
  } catch (error) {
    if (isDuplicateKeyError(error)) throw shareUsedError();
    throw error;
  }
  return session;
}

/** Source of an import. */
export type ShareSource = { shareToken: string } | { bundle: Buffer };

/**
 * Imports a share: its results become a session of the importing organisation, included images are encrypted with the
 * key of that session, and the token is consumed in the same transaction.
 *
 * @returns a session in review, or approved if the caller trusts the approval and is permitted to
 * @throws AppError 400 without a signature of an accepted issuer; 403 `wrong_audience`, `issuer_not_trusted`; 409
 * `share_used`, `share_outdated`, `session_changed`; 410 `share_expired`, `share_revoked`, `share_gone`
 */
export const importSession = (
  platform: Platform,
  scope: Scope,
  actor: Actor,
  source: ShareSource,
  input: ShareImportInput,
  use: IdempotentUse | undefined,
): Promise<SessionRecord> =>
  runIdempotently(
    platform,
    use,
    async (claim) => {
      const verified =
        'bundle' in source
          ? await openBundle(platform, scope, source.bundle)
          : await openOwnShare(platform, scope, source.shareToken);
      return importShare({ platform, scope, actor }, verified, input, claim);
    },
    (id) => getSession(scope, id),
  );

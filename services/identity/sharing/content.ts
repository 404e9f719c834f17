import { toIsoString } from '../../../domain/iso-time';
import type { Risk } from '../../../domain/identity/checks/risks';
import { SHARE_VERSION } from '../../../domain/identity/sharing/sharing';
import type { SharedCheck, SharedFile, SharedSession, ShareInclude } from '../../../domain/identity/sharing/sharing';
import { isCheckOfKind } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { findEvidence } from '../../platform/evidence/evidence';
import { listChecksOfSession } from '../checks/check-store';

/** Details of risks that name other records of the owner: an earlier session, a face, an entry of a blocklist. */
const OWNER_DETAILS: readonly string[] = ['sessionId', 'faceId', 'entry'];

function withoutOwnerDetails(risk: Risk): Risk {
  if (risk.details === undefined) return risk;
  const details = Object.entries(risk.details).filter(([name]) => !OWNER_DETAILS.includes(name));
  return { ...risk, details: Object.fromEntries(details) };
}

/** The result without what reviewers of the owner wrote about hits; whether a hit counts is part of the score. */
function withoutReviews(check: CheckRecord): CheckRecord['result'] {
  if (!isCheckOfKind(check, 'aml_screening') || check.result === null) return check.result;
  return { ...check.result, hits: check.result.hits.map((hit) => ({ ...hit, review: null })) };
}

function toSharedChecks(check: CheckRecord): SharedCheck[] {
  if (check.status === 'processing') return [];
  const { _id: id, kind, origin, supplementary, inputs, status, verdict, risks, failure } = check;
  return [
    {
      id,
      kind,
      origin,
      supplementary,
      inputs: inputs.map(({ field, evidenceId }) => ({ field, evidenceId })),
      status,
      verdict,
      risks: risks.map(withoutOwnerDetails),
      result: withoutReviews(check),
      failure,
      createdAt: check.createdAt.toISOString(),
      completedAt: toIsoString(check.completedAt),
    },
  ];
}

/** Whether a check read the issuing state of a document. */
const statesCountry = (check: CheckRecord): boolean =>
  isCheckOfKind(check, 'id_verification') && check.result !== null && check.result.issuingState !== null;

/** Builds the content of a share of a finished session. */
export async function buildSharedSession(
  session: SessionRecord,
  include: readonly ShareInclude[],
  consent: { text: string; at: Date },
): Promise<SharedSession> {
  const { _id: sessionId, decision } = session;
  const checks = await listChecksOfSession(session);
  const evidence = include.includes('images') ? await findEvidence(session, { recordId: sessionId }) : [];
  const files = evidence.map(({ _id: evidenceId, checkId, field, contentType, sha256 }): SharedFile => {
    return { evidenceId, checkId, field, contentType, sha256 };
  });
  return {
    version: SHARE_VERSION,
    mode: session.mode,
    sessionId,
    status: session.status,
    features: session.features,
    language: session.language,
    // Before a document was read, the country is one that the owner expected.
    country: checks.some(statesCountry) ? session.country : null,
    contact: include.includes('contact') ? session.contact : null,
    decision:
      decision === null
        ? null
        : {
            outcome: decision.outcome,
            reasons: [...decision.reasons],
            decidedBy: decision.decidedBy,
            at: decision.at.toISOString(),
          },
    startedAt: toIsoString(session.startedAt),
    finishedAt: toIsoString(session.finishedAt),
    steps: session.steps.map((step) => ({
      ...step,
      attempts: step.attempts.map((attempt) => ({ ...attempt, at: attempt.at.toISOString() })),
    })),
    checks: checks.flatMap(toSharedChecks),
    files,
    consent: { text: consent.text, at: consent.at.toISOString() },
  };
}

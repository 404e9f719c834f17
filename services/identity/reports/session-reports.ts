import { toIsoString } from '../../../domain/iso-time';
import { buildFacts, REPORT_TEMPLATE_VERSION } from '../../../domain/identity/reports/report';
import type { ReportDocument } from '../../../domain/identity/reports/report';
import { conflictError } from '../../../domain/errors';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { EvidenceRenditionRecord } from '../../../models/identity/reports/evidence-rendition';
import { Organisation } from '../../../models/platform/access/organisation';
import { createFileLink } from '../../platform/evidence/file-links';
import type { FileLink } from '../../platform/evidence/file-links';
import type { Platform, Scope } from '../../platform/platform';
import { obtainRendition, sourceChangedError } from './evidence-renditions';
import { getSessionDetail } from '../sessions/session-details';
import type { SessionDetail } from '../sessions/session-details';

/** Shorter than the 30 s after which common proxies and clients give up. */
const WAIT_MS = 25_000;
/** Maximum number of attempts if the session changes while its report is rendered. */
const MAX_ATTEMPTS = 3;

interface Report {
  document: ReportDocument;
  /** Identifies the content; equal reports have equal hashes. */
  contentHash: string;
}

function buildSections({ session, steps, effectiveChecks, risks, evidence }: SessionDetail) {
  return {
    steps: steps.map(({ feature, status, attempts }) => ({ feature, status, attempts })),
    results: effectiveChecks.flatMap(({ _id: checkId, feature, verdict, result }) =>
      result === null || verdict === null || feature === null
        ? []
        : [{ feature, checkId, verdict, facts: buildFacts(result) }],
    ),
    risks: risks.map(({ code, feature, severity, action, message }) => ({ code, feature, severity, action, message })),
    reviews: session.reviews.map(({ decision, from, to, reason, comment, override, by, at }) => ({
      decision,
      from,
      to,
      reason,
      comment,
      override,
      by,
      at: at.toISOString(),
    })),
    evidence: evidence.map(({ _id: id, field, contentType, bytes, sha256, createdAt }) => ({
      id,
      field,
      contentType,
      bytes,
      sha256,
      at: createdAt.toISOString(),
    })),
  };
}

/** Builds the current report of a session. @throws AppError 404 */
async function buildReport(platform: Platform, scope: Scope, sessionId: string): Promise<Report> {
  const detail = await getSessionDetail(platform, scope, sessionId);
  const { session } = detail;
  const organisation = await Organisation.findById(scope.organisationId, { name: 1 }).lean<{ name: string }>();
  const document: ReportDocument = {
    templateVersion: REPORT_TEMPLATE_VERSION,
    organisation: organisation?.name ?? scope.organisationId,
    session: {
      id: session._id,
      number: session.number,
      mode: session.mode,
      status: session.status,
      externalId: session.externalId,
      createdAt: session.createdAt.toISOString(),
      startedAt: toIsoString(session.startedAt),
      finishedAt: toIsoString(session.finishedAt),
      asOf: session.lastActivityAt.toISOString(),
    },
    decision:
      session.decision === null
        ? null
        : {
            outcome: session.decision.outcome,
            decidedBy: session.decision.decidedBy,
            at: session.decision.at.toISOString(),
            reasons: [...session.decision.reasons],
          },
    ...buildSections(detail),
  };
  return { document, contentHash: sha256Hex(JSON.stringify(document)) };
}

/**
 * Builds the report of a rendition, for the rendering pool.
 * @throws AppError 409 `source_changed` if the session has changed since the rendition was requested
 */
export async function openReport(platform: Platform, rendition: EvidenceRenditionRecord): Promise<Report> {
  const report = await buildReport(platform, rendition, rendition.recordId);
  if (report.contentHash !== rendition.source) throw sourceChangedError();
  return report;
}

/**
 * Returns a link to the current report of a session. It is rendered once for each state of the session and stored as
 * evidence.
 * @throws AppError 404; 409 `session_changed`; 503 `rendering_not_ready` or `rendering_failed`
 */
export async function linkToReport(
  platform: Platform,
  scope: Scope,
  actor: string,
  sessionId: string,
): Promise<FileLink> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const { contentHash } = await buildReport(platform, scope, sessionId);
    const request = { recordId: sessionId, kind: 'report', source: contentHash } as const;
    const evidenceId = await obtainRendition(platform, scope, request, WAIT_MS);
    if (evidenceId !== null) return createFileLink(platform, scope, actor, evidenceId);
  }
  throw conflictError('session_changed', 'The session changes while its report is rendered; try again.');
}

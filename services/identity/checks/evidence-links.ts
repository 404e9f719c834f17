import { conflictError, notFoundError } from '../../../domain/errors';
import { isId } from '../../../lib/ids';
import { Evidence } from '../../../models/platform/evidence/evidence';
import type { EvidenceRecord } from '../../../models/platform/evidence/evidence';
import { createFileLink } from '../../platform/evidence/file-links';
import type { FileLink } from '../../platform/evidence/file-links';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { obtainRendition } from '../reports/evidence-renditions';
import { getSession } from '../sessions/session-store';
import { getCheck } from './check-store';

/** Shorter than the 30 s after which common proxies and clients give up. */
const WAIT_MS = 25_000;

/** @throws AppError 404, also if the session or check was deleted and its files have not been removed yet */
async function getEvidence(scope: Scope, recordId: string, evidenceId: string): Promise<EvidenceRecord> {
  await (isId('ses', recordId) ? getSession(scope, recordId) : getCheck(scope, recordId));
  const filter = { _id: evidenceId, recordId, ...toScope(scope), deletedAt: null, derivedFrom: null };
  const found = await Evidence.findOne(filter).lean<EvidenceRecord>();
  if (found === null) throw notFoundError('evidence');
  return found;
}

/**
 * Creates a link to a file of a session or of a standalone check, as it was sent or as a preview.
 * @param recordId the session or check
 * @throws AppError 404; 409 `preview_not_available` for a file that is not an image; 503 until the preview is rendered
 */
export async function linkToEvidence(
  platform: Platform,
  scope: Scope,
  actor: string,
  { recordId, evidenceId, preview }: { recordId: string; evidenceId: string; preview: boolean },
): Promise<FileLink> {
  const evidence = await getEvidence(scope, recordId, evidenceId);
  if (!preview) return createFileLink(platform, scope, actor, evidenceId);
  if (!evidence.contentType.startsWith('image/')) {
    throw conflictError('preview_not_available', 'Previews are available for images only.', {
      contentType: evidence.contentType,
    });
  }
  const renditionEvidenceId = await obtainRendition(
    platform,
    scope,
    { recordId, kind: 'preview', source: evidenceId },
    WAIT_MS,
  );
  if (renditionEvidenceId === null) throw notFoundError('evidence');
  return createFileLink(platform, scope, actor, renditionEvidenceId);
}

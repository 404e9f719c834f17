import { AppError, notFoundError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { EvidenceRendition } from '../../../models/identity/reports/evidence-rendition';
import type {
  EvidenceRenditionKind,
  EvidenceRenditionRecord,
} from '../../../models/identity/reports/evidence-rendition';
import { workflowIds } from '../../../workflows/contracts';
import { saveEvidence, uploadEvidence, isEvidenceLost } from '../../platform/evidence/evidence';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { toScope } from '../sessions/session-store';

/** One asked for longer ago than this is asked for again: its workflow may have been terminated. */
const RETRY_PENDING_AFTER_MS = 30_000;
/** What a client is told to wait before it asks again. */
const RETRY_AFTER_SECONDS = 5;

/** What is wanted: which form of which record. */
export interface RenditionRequest {
  recordId: string;
  kind: EvidenceRenditionKind;
  source: string;
}

/** Records the wish and owes its workflow a start, in one transaction. */
const requestRendition = (
  platform: Platform,
  scope: Scope,
  request: RenditionRequest,
): Promise<EvidenceRenditionRecord> =>
  runTransaction(platform, async (unit) => {
    const rendition = await EvidenceRendition.findOneAndUpdate(
      { ...toScope(scope), ...request, status: { $ne: 'stored' } },
      {
        $set: { status: 'pending', failure: null, requestedAt: platform.clock.now(), completedAt: null },
        $setOnInsert: { _id: newId('ren'), evidenceId: null },
      },
      { upsert: true, returnDocument: 'after', session: unit.mongoSession },
    ).lean<EvidenceRenditionRecord>();
    const { _id: renditionId, organisationId } = rendition;
    await unit.start(organisationId, {
      workflow: 'evidenceRendition',
      workflowId: workflowIds.evidenceRendition(renditionId),
      argument: { renditionId, organisationId, kind: request.kind },
      summary: `${request.kind} of ${request.recordId}`,
      searchAttributes: { features: [request.kind] },
    });
    return rendition;
  });

/** The rendition as it stands, asked for unless it is stored or on its way. */
async function ensureRendition(
  platform: Platform,
  scope: Scope,
  request: RenditionRequest,
): Promise<EvidenceRenditionRecord> {
  const find = () => EvidenceRendition.findOne({ ...toScope(scope), ...request }).lean<EvidenceRenditionRecord>();
  const existing = await find();
  const pendingMs = platform.clock.now().getTime() - (existing?.requestedAt.getTime() ?? 0);
  if (existing?.status === 'stored' || (existing?.status === 'pending' && pendingMs < RETRY_PENDING_AFTER_MS))
    return existing;
  try {
    return await requestRendition(platform, scope, request);
  } catch (error) {
    // Another request inserted the row, or an attempt stored it, between the look and the write.
    const concurrent = isDuplicateKeyError(error) ? await find() : null;
    if (concurrent === null) throw error;
    return concurrent;
  }
}

/**
 * The evidence that holds a form of a person record: at once where it is stored, else made by its pool while the caller
 * waits.
 * @returns its id; null when the record changed while it was made, so that another source is to be asked for
 * @throws AppError 410 where the file it is made of was lost or changed; 503 `rendering_failed` or `rendering_not_ready`, both with `retryAfterSeconds`
 */
export async function obtainRendition(
  platform: Platform,
  scope: Scope,
  request: RenditionRequest,
  waitMs: number,
): Promise<string | null> {
  const rendition = await ensureRendition(platform, scope, request);
  const settled = await platform.changes.waitFor('evidence_renditions', rendition._id, waitMs, async () => {
    const current = await EvidenceRendition.findById(rendition._id).lean<EvidenceRenditionRecord>();
    if (current === null) throw notFoundError('record');
    return current.status === 'pending' ? null : current;
  });
  if (settled !== null && settled.evidenceId !== null) return settled.evidenceId;
  if (settled?.failure === SOURCE_CHANGED) return null;
  const failure = settled?.failure ?? null;
  if (isEvidenceLost(failure)) throw new AppError(failure, 410, 'The file it is made of was lost or changed.');
  const [code, message] =
    settled === null
      ? ['rendering_not_ready', 'It is still being made; ask again.']
      : ['rendering_failed', 'It could not be made; the next request tries again.'];
  throw new AppError(code, 503, message, { reason: settled?.failure, retryAfterSeconds: RETRY_AFTER_SECONDS });
}

const SOURCE_CHANGED = 'source_changed';

/** Thrown by a pool that finds the record no longer says what the rendition was asked to show. */
export const sourceChanged = (): AppError =>
  new AppError(SOURCE_CHANGED, 409, 'The record changed since this was asked for.');

/** The rendition a workflow makes, in whatever scope it lies. Never call it for a request. @throws AppError 404 */
export async function getRenditionForWorkflow(renditionId: string): Promise<EvidenceRenditionRecord> {
  const found = await EvidenceRendition.findById(renditionId).lean<EvidenceRenditionRecord>();
  if (found === null) throw notFoundError('rendition');
  return found;
}

/** Encrypts and stores what was made, once; of two attempts the first one's bytes stay. */
export async function storeRendition(
  platform: Platform,
  rendition: EvidenceRenditionRecord,
  file: { body: Buffer; contentType: string },
): Promise<void> {
  const { _id, recordId, kind, source } = rendition;
  const evidence = await uploadEvidence(platform, rendition, {
    recordId,
    checkId: recordId,
    field: kind,
    derivedFrom: kind === 'preview' ? source : recordId,
    ...file,
  });
  const won = await runTransaction(platform, async (unit) => {
    const stored = await EvidenceRendition.updateOne(
      { _id, status: 'pending' },
      { $set: { status: 'stored', evidenceId: evidence._id, completedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    );
    if (stored.matchedCount === 0) return false;
    await saveEvidence(unit, [evidence]);
    return true;
  });
  if (!won) await platform.objects.remove(evidence.objectKey);
}

/** Records that a rendition was given up; a later request starts it again. One stored meanwhile stays stored. */
export async function failEvidenceRendition(platform: Platform, renditionId: string, reason: string): Promise<void> {
  await EvidenceRendition.updateOne(
    { _id: renditionId, status: 'pending' },
    { $set: { status: 'failed', failure: reason, completedAt: platform.clock.now() } },
  );
}

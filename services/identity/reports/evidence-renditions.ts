import { AppError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { EvidenceRendition } from '../../../models/identity/reports/evidence-rendition';
import type {
  EvidenceRenditionKind,
  EvidenceRenditionRecord,
} from '../../../models/identity/reports/evidence-rendition';
import { workflowIds } from '../../../workflows/contracts';
import { saveEvidence, uploadEvidence, isEvidenceLost } from '../../platform/evidence/evidence';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { RenderOnDemand } from '../../platform/renditions/render-on-demand';
import { runTransaction } from '../../platform/transactions/unit-of-work';

/** Which form of which record is requested. */
export interface RenditionRequest {
  recordId: string;
  kind: EvidenceRenditionKind;
  source: string;
}

const evidenceRenditions = new RenderOnDemand<
  EvidenceRenditionRecord,
  Scope & RenditionRequest,
  { evidenceId: string }
>({
  model: EvidenceRendition,
  where: (conditions) => conditions,
  whereUnclaimed: ({ _id }) => ({ _id, status: 'pending' }),
  buildRequest: (state) => ({ $set: state, $setOnInsert: { _id: newId('ren'), evidenceId: null } }),
  buildCompletion: (file, state) => ({ $set: { ...file, ...state } }),
  buildFailure: (state) => ({ $set: state }),
  notReadyCode: 'rendering_not_ready',
  start: (unit, { _id: renditionId, organisationId, kind, recordId }) =>
    unit.start(organisationId, {
      workflow: 'evidenceRendition',
      workflowId: workflowIds.evidenceRendition(renditionId),
      argument: { renditionId, organisationId, kind },
      summary: `${kind} of ${recordId}`,
      searchAttributes: { features: [kind], recordId },
    }),
});

/**
 * Returns the evidence that holds a form of a person record; if it is not stored yet, it is rendered while the caller
 * waits.
 * @returns its id; null if the record changed while it was rendered, so that the caller must request another source
 * @throws AppError 410 if the source file was lost or changed; 503 `rendering_failed` or `rendering_not_ready`, both with `retryAfterSeconds`
 */
export async function obtainRendition(
  platform: Platform,
  scope: Scope,
  request: RenditionRequest,
  waitMs: number,
): Promise<string | null> {
  const requestedAt = performance.now();
  const rendition = await evidenceRenditions.ensure(platform, { ...toScope(scope), ...request });
  const settled = await evidenceRenditions.waitUntilSettled(platform, rendition, waitMs, requestedAt);
  if (settled !== null && settled.evidenceId !== null) return settled.evidenceId;
  const failure = settled?.failure ?? null;
  if (failure === SOURCE_CHANGED) return null;
  if (isEvidenceLost(failure)) throw new AppError(failure, 410, 'The source file was lost or changed.');
  throw evidenceRenditions.unavailableError(settled);
}

const SOURCE_CHANGED = 'source_changed';

/** Thrown by a worker pool if the record has changed since the rendition was requested. */
export const sourceChangedError = (): AppError =>
  new AppError(SOURCE_CHANGED, 409, 'The record changed since the rendition was requested.');

/** Returns the rendition of a workflow, whatever its scope; never call it for a request. @throws AppError 404 */
export const getRenditionForWorkflow = (renditionId: string): Promise<EvidenceRenditionRecord> =>
  evidenceRenditions.get(renditionId);

/** Encrypts and stores a rendered file once: if two attempts finish, the bytes of the first stay. */
export async function storeRendition(
  platform: Platform,
  rendition: EvidenceRenditionRecord,
  file: { body: Buffer; contentType: string },
): Promise<void> {
  const { recordId, kind, source } = rendition;
  const evidence = await uploadEvidence(platform, rendition, {
    recordId,
    checkId: recordId,
    field: kind,
    derivedFrom: kind === 'preview' ? source : recordId,
    ...file,
  });
  const first = await runTransaction(platform, async (unit) => {
    const stored = { evidenceId: evidence._id };
    if (!(await evidenceRenditions.complete(platform, rendition, stored, unit))) return false;
    await saveEvidence(unit, [evidence]);
    return true;
  });
  if (!first) await platform.objects.remove(evidence.objectKey);
}

/** Records that rendering failed; a later request starts it again. */
export const failEvidenceRendition = (platform: Platform, renditionId: string, reason: string): Promise<void> =>
  evidenceRenditions.fail(platform, renditionId, reason);

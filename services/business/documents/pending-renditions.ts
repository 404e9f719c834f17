import { Rendition } from '../../../models/business/documents/rendition';
import type { RenditionRecord } from '../../../models/business/documents/rendition';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { startOwnWorkflow } from './document-renditions';

/** Renditions of an organisation that share a workflow. */
const buildSharedFilter = (organisationId: string) =>
  ({ organisationId, status: 'pending', hasOwnWorkflow: { $ne: true } }) as const;

/**
 * Reads renditions that share a workflow and are not stored yet, the oldest request first.
 * @param exceptIds renditions in progress
 */
export const readPendingRenditions = (
  organisationId: string,
  limit: number,
  exceptIds: readonly string[],
): Promise<RenditionRecord[]> =>
  Rendition.find({ ...buildSharedFilter(organisationId), _id: { $nin: exceptIds } })
    .sort({ requestedAt: 1 })
    .limit(limit)
    .lean<RenditionRecord[]>();

/** Whether renditions that share a workflow are pending. */
export const hasPendingRenditions = async (organisationId: string): Promise<boolean> =>
  (await Rendition.exists(buildSharedFilter(organisationId))) !== null;

/** Renditions that get workflows of their own in one transaction. */
const BATCH_SIZE = 50;

/**
 * Gives pending renditions workflows of their own, which count their attempts and record why they fail, so that one that
 * fails or ends its worker does so alone.
 * @param renditionId only this one; else all that share a workflow
 */
export async function separateRenditions(
  platform: Platform,
  organisationId: string,
  renditionId?: string,
): Promise<void> {
  const filter = { ...buildSharedFilter(organisationId), ...(renditionId === undefined ? {} : { _id: renditionId }) };
  for (let count = BATCH_SIZE; count === BATCH_SIZE;)
    count = await runTransaction(platform, async (unit) => {
      const session = unit.mongoSession;
      const renditions = await Rendition.find(filter).limit(BATCH_SIZE).session(session).lean<RenditionRecord[]>();
      const ids = renditions.map(({ _id }) => _id);
      await Rendition.updateMany({ ...filter, _id: { $in: ids } }, { $set: { hasOwnWorkflow: true } }, { session });
      for (const rendition of renditions) startOwnWorkflow(unit, rendition);
      return renditions.length;
    });
}

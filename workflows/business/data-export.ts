import {
  ActivityCancellationType,
  ActivityFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { ExportActivities } from '../../activities/exports/activities';
import type { ExportRecordsActivities } from '../../activities/records/exports';
import type { BulkRenderingActivities } from '../../activities/rendering/bulk';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

/** Batches of documents printed at the same time. */
const CONCURRENT_BATCHES = 3;
/** Everything else has 3, the default; the highest is 1. */
const AFTER_SINGLE_DOCUMENTS = 4;

const { noteExportProgress, failExport, clearExport } = proxyActivities<ExportRecordsActivities>(
  ACTIVITY_OPTIONS.records,
);

/** The record says that an export is cancelled, and no part is saved without asking it: nothing need be interrupted. */
const cancellationType = ActivityCancellationType.ABANDON;

/** Prints every document that is not printed yet, batch by batch, some at a time. */
async function printAllDocuments(exportId: string, ends: readonly number[], organisationId: string): Promise<void> {
  const { printDocuments } = proxyActivities<BulkRenderingActivities>({
    ...ACTIVITY_OPTIONS.bulkRendering,
    cancellationType,
    // Whoever waits for one document goes before the next batch.
    priority: { priorityKey: AFTER_SINGLE_DOCUMENTS, fairnessKey: organisationId },
  });
  let [next, documents, failed] = [0, 0, false];
  const printer = async (): Promise<void> => {
    try {
      // Once one has failed, what the others would print is for nothing.
      for (let at = next++; at < ends.length && !failed; at = next++) {
        const printed = await printDocuments({ exportId, after: ends[at - 1] ?? 0, until: ends[at] ?? 0 });
        documents += printed;
        await noteExportProgress({ exportId, documents });
        showStatus('running', [`${documents} documents printed`]);
      }
    } catch (error) {
      failed = true;
      throw error;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_BATCHES }, printer));
}

async function writeExport({ exportId, organisationId, documents }: WorkflowArguments['dataExport']): Promise<void> {
  // One organisation's exports must not starve another's.
  const { beginExport, writeExportRows, planArchive, packArchive, finishExport } = proxyActivities<ExportActivities>({
    ...ACTIVITY_OPTIONS.exports,
    cancellationType,
    priority: { fairnessKey: organisationId },
  });
  await beginExport({ exportId });
  if (documents) await printAllDocuments(exportId, await planArchive({ exportId }), organisationId);
  const writePart = documents ? packArchive : writeExportRows;
  let slices = 0;
  while (!(await writePart({ exportId }))) showStatus('running', [`${++slices} slices written`]);
  await finishExport({ exportId });
}

/**
 * Takes a list out, or packs printed documents. The record in MongoDB says what is done; each activity goes on there.
 * What was cancelled or given up leaves nothing in the object store.
 */
export async function dataExport(input: WorkflowArguments['dataExport']): Promise<void> {
  const { exportId } = input;
  showStatus('running');
  try {
    await writeExport(input);
    showStatus('completed');
  } catch (error) {
    if (isCancellation(error)) {
      await CancellationScope.nonCancellable(() => clearExport({ exportId }));
      showStatus('cancelled');
      throw error;
    }
    if (!(error instanceof ActivityFailure)) throw error;
    const reason = getFailureReason(error);
    await CancellationScope.nonCancellable(async () => {
      await failExport({ exportId, reason });
      await clearExport({ exportId });
    });
    showStatus('failed', [reason]);
  }
}

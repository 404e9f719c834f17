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

/** Maximum number of batches of documents rendered at the same time. */
const CONCURRENT_BATCHES = 3;

const { noteExportProgress, failExport, clearExport } = proxyActivities<ExportRecordsActivities>(
  ACTIVITY_OPTIONS.records,
);

/** Activities need no cancellation: before each part they read from the record whether the export is cancelled. */
const cancellationType = ActivityCancellationType.ABANDON;

/** Renders the documents without a stored rendition in batches, with limited concurrency. */
async function printAllDocuments(exportId: string, ends: readonly number[], organisationId: string): Promise<void> {
  const { printDocuments } = proxyActivities<BulkRenderingActivities>({
    ...ACTIVITY_OPTIONS.bulkRendering,
    cancellationType,
    priority: { fairnessKey: organisationId },
  });
  let [next, documents, failed] = [0, 0, false];
  const printer = async (): Promise<void> => {
    try {
      // After a failure, further batches would be wasted work.
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
  // The fairness key prevents exports of one organisation from delaying those of another.
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
 * Exports a list, or an archive of rendered documents. The record in MongoDB has the progress, from which each activity
 * continues. Cancelled and failed exports leave nothing in the object store.
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

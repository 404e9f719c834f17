import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { RegisterRecordsActivities } from '../../activities/records/registers';
import type { RegisterImportActivities } from '../../activities/screening/registers';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failRegisterImport } = proxyActivities<RegisterRecordsActivities>(ACTIVITY_OPTIONS.records);

/** Reads a register that an organisation uploaded; what was active before stays so until it is read whole. */
export async function registerImport({
  registerId,
  organisationId,
}: WorkflowArguments['registerImport']): Promise<void> {
  // One organisation's large register must not starve another's look-ups.
  const { runRegisterImport } = proxyActivities<RegisterImportActivities>({
    ...ACTIVITY_OPTIONS.imports,
    priority: { fairnessKey: organisationId },
  });

  showStatus('importing');
  try {
    const { status, imported, rejected, failure } = await runRegisterImport({ registerId });
    showStatus(status, [`${imported} rows taken, ${rejected} rejected`, ...(failure === null ? [] : [failure])]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const reason = getFailureReason(error);
    await failRegisterImport({ registerId, reason });
    showStatus('failed', [reason]);
  }
}

import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { RegisterRecordsActivities } from '../../activities/records/registers';
import type { RegisterImportActivities } from '../../activities/screening/registers';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failRegisterImport } = proxyActivities<RegisterRecordsActivities>(ACTIVITY_OPTIONS.records);

/** Imports a register that an organisation uploaded; the active version remains until it is read completely. */
export async function registerImport({
  registerId,
  organisationId,
}: WorkflowArguments['registerImport']): Promise<void> {
  // Fairness: a large register of one organisation must not starve lookups of others.
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

import { ActivityFailure, continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { InvariantActivities } from '../../activities/records/invariants';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

const { companiesToCheck } = proxyActivities<InvariantActivities>(ACTIVITY_OPTIONS.records);
const { checkCompanyInvariants } = proxyActivities<InvariantActivities>(ACTIVITY_OPTIONS.invariants);

/** Checks the invariants of one company on request. */
export async function companyInvariants({ organisationId }: WorkflowArguments['companyInvariants']): Promise<number> {
  return checkCompanyInvariants(organisationId);
}

/**
 * Checks one company; a failure does not stop the check of other companies, and leaves the previous results as they
 * are.
 */
async function checkCompany(organisationId: string): Promise<'held' | 'broken' | 'failed'> {
  try {
    return (await checkCompanyInvariants(organisationId)) === 0 ? 'held' : 'broken';
  } catch (error) {
    if (error instanceof ActivityFailure) return 'failed';
    throw error;
  }
}

/** Checks the invariants of every company, one after another. */
export async function checkInvariants(progress: WorkflowArguments['checkInvariants']): Promise<void> {
  const counts = { held: 0, broken: 0, failed: 0, ...progress.counts };
  let after = progress.after ?? null;
  for (;;) {
    const { ids, last } = await companiesToCheck(after);
    for (const id of ids) {
      counts[await checkCompany(id)] += 1;
      after = id;
      setCurrentDetails(`held: ${counts.held}, violated: ${counts.broken}, failed: ${counts.failed}`);
    }
    if (last) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof checkInvariants>({ after, counts });
  }
}

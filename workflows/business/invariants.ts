import { ActivityFailure, continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { InvariantActivities } from '../../activities/records/invariants';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

const { companiesToCheck } = proxyActivities<InvariantActivities>(ACTIVITY_OPTIONS.records);
const { checkCompanyInvariants } = proxyActivities<InvariantActivities>(ACTIVITY_OPTIONS.invariants);

/** Looks at the invariants of one company, because somebody asked. */
export async function companyInvariants({ organisationId }: WorkflowArguments['companyInvariants']): Promise<number> {
  return checkCompanyInvariants(organisationId);
}

/** Looks at one company; one that cannot be looked at does not keep the others from it. Its old results grow stale. */
async function checkCompany(organisationId: string): Promise<'held' | 'broken' | 'failed'> {
  try {
    return (await checkCompanyInvariants(organisationId)) === 0 ? 'held' : 'broken';
  } catch (error) {
    if (error instanceof ActivityFailure) return 'failed';
    throw error;
  }
}

/** Looks at the invariants of every company, one after another. */
export async function checkInvariants(progress: WorkflowArguments['checkInvariants']): Promise<void> {
  const counts = { held: 0, broken: 0, failed: 0, ...progress.counts };
  let after = progress.after ?? null;
  for (;;) {
    const { ids, last } = await companiesToCheck(after);
    for (const id of ids) {
      counts[await checkCompany(id)] += 1;
      after = id;
      setCurrentDetails(`hold: ${counts.held}, broken: ${counts.broken}, not looked at: ${counts.failed}`);
    }
    if (last) return;
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof checkInvariants>({ after, counts });
  }
}

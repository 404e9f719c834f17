import {
  ActivityFailure,
  ApplicationFailure,
  continueAsNew,
  isCancellation,
  patched,
  proxyActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { ListActivities } from '../../activities/screening/lists';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { RescreeningProgress, WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { rescreenAffected, rescreenMonitors, recordListImpact, refreshWatchLists, dueWatchLists, refreshWatchList } =
  proxyActivities<ListActivities>(ACTIVITY_OPTIONS.imports);

/** Monitors of which a pass remembers that they failed; if there are more, the next pass is for all monitors. */
const MAX_FAILED = 1000;

/** Pauses before the passes for monitors that failed. */
const PAUSES = ['1 hour', '6 hours', '1 day'] as const;

const FIRST_PASS: RescreeningProgress = {
  after: null,
  only: null,
  impact: { monitors: 0, affected: 0 },
  failures: 0,
  failed: [],
  passes: 0,
};

/** The pass after one in which monitors failed. */
const startNextPass = ({ impact, failures, failed, passes }: RescreeningProgress): RescreeningProgress =>
  failures > failed.length
    ? { ...FIRST_PASS, passes: passes + 1 }
    : { ...FIRST_PASS, only: failed, impact, passes: passes + 1 };

const describeImpact = ({ impact, failures }: RescreeningProgress): string[] => [
  `${impact.affected} of ${impact.monitors} monitored subjects are screened again`,
  ...(failures === 0 ? [] : [`${failures} could not be compared`]),
];

/** Completes a pass, in parts. */
async function runPass(versionId: string, progress: RescreeningProgress): Promise<RescreeningProgress> {
  let current = progress;
  for (;;) {
    const { after, only, impact, failures, failed, passes } = current;
    const page = await rescreenMonitors({ versionId, after, only });
    current = {
      after: page.next,
      only,
      impact: { monitors: impact.monitors + page.monitors, affected: impact.affected + page.affected },
      failures: failures + page.failures,
      failed: [...failed, ...page.failed].slice(0, MAX_FAILED),
      passes,
    };
    showStatus('processing', describeImpact(current));
    if (page.next === null) return current;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof amlListChanged>({ versionId, progress: current });
    }
  }
}

/**
 * Screens the monitored subjects that a new version of a list concerns. Subjects that cannot be screened hold up no
 * others; they are tried again later, and in the end fail the workflow.
 */
export async function amlListChanged({ versionId, progress }: WorkflowArguments['amlListChanged']): Promise<void> {
  showStatus('processing');
  if (!patched('rescreen-in-parts')) {
    const { monitors, affected } = await rescreenAffected({ versionId });
    showStatus('completed', [`${affected} of ${monitors} monitored subjects are screened again`]);
    return;
  }
  let current = await runPass(versionId, progress ?? FIRST_PASS);
  while (current.failures > 0) {
    const pause = PAUSES[current.passes];
    if (pause === undefined) {
      showStatus('failed', describeImpact(current));
      throw ApplicationFailure.nonRetryable(
        `${current.failures} monitored subjects could not be screened again.`,
        'monitors_not_screened',
      );
    }
    await sleep(pause);
    current = await runPass(versionId, startNextPass(current));
  }
  await recordListImpact({ versionId, impact: current.impact });
  showStatus('completed', describeImpact(current));
}

/**
 * Fetches watch lists from their publishers, one at a time so that screenings keep their slots. An unavailable source
 * is retried by its activity and then by the next run, without delaying other lists.
 * @returns the number of lists with a new version
 */
export async function refreshLists(): Promise<number> {
  if (!patched('list-by-list')) return refreshWatchLists();
  let renewed = 0;
  for (const listId of await dueWatchLists()) {
    try {
      if (await refreshWatchList({ listId })) renewed += 1;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    }
  }
  return renewed;
}

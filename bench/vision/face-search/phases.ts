import { Check } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { Platform } from '../../../services/platform/platform';
import { workflowIds } from '../../../workflows/contracts';
import { percentile, roundTo } from '../../report';

/** A search over HTTP, in milliseconds since the epoch. */
export interface TimedSearch {
  checkId: string;
  sentAt: number;
  respondedAt: number;
}

/** The parts of one search, in milliseconds, in their order. */
interface Phases {
  /** Upload, encryption and storage of the image, until the transaction of the check. */
  accept: number;
  /** Commit, and the call that starts the workflow. */
  start: number;
  /** The first workflow task, which schedules the activity. */
  workflowTask: number;
  /** Until a vision worker has the activity. */
  dispatch: number;
  /** Reading the image, decoding, embedding, searching, until the transaction of the result. */
  activity: number;
  /** Commit, change stream, response. */
  respond: number;
}

interface Timestamp {
  seconds?: { toNumber(): number } | null;
  nanos?: number | null;
}

const toMilliseconds = (time: Timestamp | null | undefined): number =>
  (time?.seconds?.toNumber() ?? 0) * 1000 + (time?.nanos ?? 0) / 1e6;

async function readPhases(platform: Platform, { checkId, sentAt, respondedAt }: TimedSearch): Promise<Phases | null> {
  const check = await Check.findById(checkId, { createdAt: 1, completedAt: 1 }).lean<CheckRecord>();
  const { events } = await platform.temporal.workflow.getHandle(workflowIds.check(checkId)).fetchHistory();
  const getTime = (attributes: 'workflowExecutionStarted' | 'activityTaskScheduled' | 'activityTaskStarted'): number =>
    toMilliseconds(events?.find((event) => event[`${attributes}EventAttributes`] != null)?.eventTime);
  const started = getTime('workflowExecutionStarted');
  const scheduled = getTime('activityTaskScheduled');
  const running = getTime('activityTaskStarted');
  if (check?.completedAt == null || started === 0 || running === 0) return null;
  const [createdAt, completedAt] = [check.createdAt.getTime(), check.completedAt.getTime()];
  return {
    accept: createdAt - sentAt,
    start: started - createdAt,
    workflowTask: scheduled - started,
    dispatch: running - scheduled,
    activity: completedAt - running,
    respond: respondedAt - completedAt,
  };
}

/** Medians of where the time of searches over HTTP went, from their records and Temporal histories. */
export async function measurePhases(
  platform: Platform,
  searches: readonly TimedSearch[],
): Promise<Record<string, number>> {
  const found: Phases[] = [];
  for (const search of searches) {
    const phases = await readPhases(platform, search);
    if (phases !== null) found.push(phases);
  }
  const names = ['accept', 'start', 'workflowTask', 'dispatch', 'activity', 'respond'] as const;
  return Object.fromEntries(
    names.map((name) => [
      `phase_${name}P50Ms`,
      roundTo(
        percentile(
          found.map((phases) => phases[name]),
          0.5,
        ),
        1,
      ),
    ]),
  );
}

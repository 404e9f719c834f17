import { HOUR_MS, MINUTE_MS } from '../../../domain/durations';
import { DOCUMENT_RENDITION_WORKFLOW } from '../../../workflows/contracts';
import type { WorkflowName } from '../../../workflows/contracts';
import type { Platform } from '../platform';
import { readTaskQueues } from '../task-queues';
import type { TaskQueueStatistics } from '../task-queues';
import { MAX_EXAMPLES, reportIf } from './problem';
import type { Problem } from './problem';

/** A queue whose oldest task is older needs more worker processes. */
const MAX_BACKLOG_AGE_SECONDS = 60;

const describeQueue = ({ pool, taskType }: TaskQueueStatistics): string => `${pool} (${taskType} tasks)`;

/** Pools without a worker, and tasks that no worker has received for a minute. */
export async function diagnosePools({ temporal, config, clock }: Platform): Promise<Problem[]> {
  const queues = await readTaskQueues(temporal, config.TEMPORAL_NAMESPACE);
  const unserved = queues.filter(({ pollers }) => pollers === 0);
  const late = queues.filter(
    ({ pollers, backlogAgeSeconds }) => pollers > 0 && backlogAgeSeconds > MAX_BACKLOG_AGE_SECONDS,
  );
  const oldest = Math.max(0, ...late.map(({ backlogAgeSeconds }) => backlogAgeSeconds));
  return [
    ...reportIf({
      area: 'pools',
      summary: 'No worker asks for the tasks of a pool',
      count: unserved.length,
      since: null,
      examples: unserved.map(describeQueue),
      remedy: 'Start a worker with --pools=<pool>; what waits is done then. See docs/how-to/add-workers.md.',
    }),
    ...reportIf({
      area: 'pools',
      summary: 'Tasks of a pool have waited for a worker for more than a minute',
      count: late.length,
      since: new Date(clock.now().getTime() - oldest * 1000),
      examples: late.map((queue) => `${describeQueue(queue)}: ${queue.backlog} waiting`),
      remedy: 'Start more worker processes of the pool, or give its machines more processors.',
    }),
  ];
}

/** How long workflows of a type run at most while everything works, and what else may be the reason. */
interface Duration {
  workflow: WorkflowName;
  maxMs: number;
  summary: string;
  remedy: string;
}

const LOOK_AT_ACTIVITY =
  'Open one in the Temporal UI: its pending activity shows the attempts and the last failure. Attempts go on until the cause is gone.';

const DURATIONS: readonly Duration[] = [
  {
    workflow: 'check',
    maxMs: 10 * MINUTE_MS,
    summary: 'Checks outside a session have run for more than ten minutes',
    remedy: LOOK_AT_ACTIVITY,
  },
  {
    workflow: 'kyb',
    maxMs: 30 * MINUTE_MS,
    summary: 'Business checks have run for more than half an hour',
    remedy: `${LOOK_AT_ACTIVITY} Registers may be unreachable: check GLEIF_URL, COMPANIES_HOUSE_URL, VIES_URL and the network.`,
  },
  {
    workflow: 'amlScreening',
    maxMs: 10 * MINUTE_MS,
    summary: 'Screenings have run for more than ten minutes',
    remedy: LOOK_AT_ACTIVITY,
  },
  {
    workflow: 'registerImport',
    maxMs: 2 * HOUR_MS,
    summary: 'Imports of registers have run for more than two hours',
    remedy: LOOK_AT_ACTIVITY,
  },
  {
    workflow: DOCUMENT_RENDITION_WORKFLOW,
    maxMs: 10 * MINUTE_MS,
    summary: 'Documents have been rendered for more than ten minutes',
    remedy: `${LOOK_AT_ACTIVITY} Is Chromium of the rendering pool healthy?`,
  },
  {
    workflow: 'evidenceRendition',
    maxMs: 10 * MINUTE_MS,
    summary: 'Reports or previews have been rendered for more than ten minutes',
    remedy: LOOK_AT_ACTIVITY,
  },
  {
    workflow: 'erasure',
    maxMs: HOUR_MS,
    summary: 'Erasures have run for more than an hour',
    remedy: `${LOOK_AT_ACTIVITY} An erasure has to be completed: is the object store reachable?`,
  },
];

async function diagnoseDuration({ temporal, clock }: Platform, duration: Duration): Promise<Problem[]> {
  const before = new Date(clock.now().getTime() - duration.maxMs).toISOString();
  const query = `WorkflowType = '${duration.workflow}' AND ExecutionStatus = 'Running' AND StartTime < '${before}'`;
  const { count } = await temporal.workflow.count(query);
  if (count === 0) return [];
  const examples: { workflowId: string; startTime: Date }[] = [];
  for await (const execution of temporal.workflow.list({ query, pageSize: MAX_EXAMPLES })) {
    if (examples.push(execution) === MAX_EXAMPLES) break;
  }
  const since = Math.min(...examples.map(({ startTime }) => startTime.getTime()));
  return reportIf({
    area: duration.workflow,
    summary: duration.summary,
    count,
    since: Number.isFinite(since) ? new Date(since) : null,
    examples: examples.map(({ workflowId }) => workflowId),
    remedy: duration.remedy,
  });
}

/** Workflows that run for longer than they should. */
export async function diagnoseWorkflows(platform: Platform): Promise<Problem[]> {
  const problems = await Promise.all(DURATIONS.map((duration) => diagnoseDuration(platform, duration)));
  return problems.flat();
}

/** Schedules that an operator has paused, such as for maintenance. */
export async function diagnoseSchedules({ temporal }: Platform): Promise<Problem[]> {
  const paused: string[] = [];
  for await (const { scheduleId, state } of temporal.schedule.list()) {
    if (state.paused) paused.push(scheduleId);
  }
  return reportIf({
    area: 'schedules',
    summary: 'A Schedule is paused: what it does is not done',
    count: paused.length,
    since: null,
    examples: paused.slice(0, MAX_EXAMPLES),
    remedy: 'temporal schedule toggle --unpause --schedule-id <id>, once the reason for the pause is gone.',
  });
}

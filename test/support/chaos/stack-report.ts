import { readFileSync } from 'node:fs';
import path from 'node:path';
import { BacklogReaders } from '../../../models/platform/transactions/backlog-reader';
import { Rendition } from '../../../models/business/documents/rendition';
import type { Platform } from '../../../services/platform/platform';
import type { SharedStack } from '../shared-stack';

const MAX_WORKFLOWS = 20;
const MAX_LINES = 25;
/** Level of warnings in log lines. */
const WARNING = 40;

/** Open workflows with their activities that have not ended. */
async function listPendingActivities({ temporal }: Platform): Promise<object[]> {
  const found: object[] = [];
  for await (const { workflowId } of temporal.workflow.list({ query: `ExecutionStatus = 'Running'` })) {
    if (found.length === MAX_WORKFLOWS) break;
    if (workflowId.startsWith('temporal-sys')) continue;
    const { raw } = await temporal.workflow.getHandle(workflowId).describe();
    const activities = (raw.pendingActivities ?? []).map(({ activityType, state, attempt, lastFailure }) => ({
      activity: activityType?.name,
      state,
      attempt,
      failure: lastFailure?.message,
    }));
    found.push({ workflowId, workflowTask: raw.pendingWorkflowTask?.state, activities });
  }
  return found;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}

/** The last lines of a process, without those of requests that succeeded. */
const listLastLines = (stack: SharedStack, role: string): string[] =>
  readLines(path.join(stack.home, 'logs', `${role}.log`))
    .filter((line) => !line.includes('request completed') || Number(/"level":(\d+)/.exec(line)?.[1]) >= WARNING)
    .slice(-MAX_LINES);

/** What a stack is doing, for the log of a test in which it does not recover. */
export async function describeStack(stack: SharedStack, platform: Platform): Promise<string> {
  const sections = {
    'pending activities': await listPendingActivities(platform).catch(String),
    'readers of backlogs': await BacklogReaders.find().lean().catch(String),
    'renditions that are not stored': await Rendition.find({ status: { $ne: 'stored' } })
      .limit(MAX_WORKFLOWS)
      .lean()
      .catch(String),
  };
  const records = Object.entries(sections).map(([name, content]) => `${name}: ${JSON.stringify(content)}`);
  return [...records, ...['api', 'worker', 'temporal'].flatMap((role) => listLastLines(stack, role))].join('\n');
}

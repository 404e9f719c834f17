import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { WORKFLOW_ID_REUSE } from '../../workflows/contracts';
import { listHistoryFiles, readHistory, traceHistory } from '../support/histories';
import { bundleWorkflows } from '../support/time-skipping';

let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  workflowBundle = await bundleWorkflows();
});

describe('workflows started by an earlier version replay with the current code', () => {
  test.each(listHistoryFiles())('%s', async (file) => {
    await Worker.runReplayHistory({ workflowBundle }, readHistory(file));
  });
});

describe('workflows whose requests are traced replay like those without traces', () => {
  test.each(listHistoryFiles())('%s', async (file) => {
    await Worker.runReplayHistory({ workflowBundle }, traceHistory(readHistory(file)));
  });
});

test('every workflow type has a recorded history', () => {
  const recorded = listHistoryFiles().map(
    (file) => readHistory(file).events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
  );
  expect(Object.keys(WORKFLOW_ID_REUSE).filter((workflow) => !recorded.includes(workflow))).toEqual([]);
});

import { Worker } from '@temporalio/worker';
import { WORKFLOW_ID_REUSE } from '../../workflows/contracts';
import { listHistoryFiles, readHistory, traceHistory } from '../support/histories';
import { bundleWorkflows } from '../support/time-skipping';

const files = listHistoryFiles();

/** Replays every history and returns its error, null without one. All in one worker: its start takes longer than a replay. */
async function replayAll(read: typeof readHistory): Promise<Map<string, Error | null>> {
  const workflowBundle = await bundleWorkflows();
  const histories = files.map((file) => ({ workflowId: file, history: read(file) }));
  const errors = new Map<string, Error | null>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories))
    errors.set(workflowId, error ?? null);
  return errors;
}

describe.each([
  ['workflows started by an earlier version replay with the current code', readHistory],
  [
    'workflows whose requests are traced replay like those without traces',
    (file: string) => traceHistory(readHistory(file)),
  ],
])('%s', (_guarantee, read) => {
  let errors: Map<string, Error | null>;
  beforeAll(async () => {
    errors = await replayAll(read);
  });

  test.each(files)('%s', (file) => expect(errors.get(file)).toBeNull());
});

test('every workflow type has a recorded history', () => {
  const recorded = files.map(
    (file) => readHistory(file).events[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name,
  );
  expect(Object.keys(WORKFLOW_ID_REUSE).filter((workflow) => !recorded.includes(workflow))).toEqual([]);
});

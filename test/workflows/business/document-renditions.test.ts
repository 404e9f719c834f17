import { randomUUID } from 'node:crypto';
import type { WorkflowHandle } from '@temporalio/client';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import type { PendingRenderingActivities, RenderedPending } from '../../../activities/rendering/pending';
import { QUEUES, workflowIds } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});
afterAll(() => environment.teardown());

/** Runs the workflow of one organisation; `render` makes the n-th activity. */
async function runRenditions(render: (count: number, handle: WorkflowHandle) => Promise<RenderedPending>) {
  const organisationId = `org_${randomUUID()}`;
  const workflowId = workflowIds.documentRenditions(organisationId);
  let count = 0;
  const activities: PendingRenderingActivities = {
    renderPending: () => {
      count += 1;
      return render(count, environment.client.workflow.getHandle(workflowId));
    },
  };
  const connection = environment.nativeConnection;
  const workflows = await Worker.create({ connection, taskQueue: QUEUES.orchestration, workflowBundle });
  const rendering = await Worker.create({ connection, taskQueue: QUEUES.rendering, activities });
  const handle = await workflows.runUntil(
    rendering.runUntil(async () => {
      const started = await environment.client.workflow.signalWithStart('documentRenditions', {
        workflowId,
        taskQueue: QUEUES.orchestration,
        args: [{ organisationId }],
        signal: 'backlogAdded',
        signalArgs: [{ outboxId: 'obx_1' }],
      });
      await started.result();
      return started;
    }),
  );
  return { count, handle };
}

describe('the workflow of the documents of an organisation', () => {
  test('ends when the rendering pool has stored all that were pending', async () => {
    const { count, handle } = await runRenditions(() =>
      Promise.resolve({ stored: 3, separated: ['ren_1'], isUnfinished: false }),
    );
    await recordHistory(handle, 'document-renditions');
    expect(count).toBe(1);
  });

  test('goes on while documents are left, and looks again if it was woken meanwhile', async () => {
    const { count } = await runRenditions(async (number, running) => {
      if (number === 2) await running.signal('backlogAdded', { outboxId: 'obx_2' });
      return { stored: 9, separated: [], isUnfinished: number === 1 };
    });
    expect(count).toBe(3);
  });
});

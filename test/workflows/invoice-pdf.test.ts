import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import type { RenderingActivities } from '../../activities/rendering/activities';
import { QUEUES, REUSE, workflowIds } from '../../workflows/contracts';
import { keepHistory } from '../support/histories';
import { bundleWorkflow, startTimeSkipping } from '../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundleWithSourceMap;

beforeAll(async () => {
  environment = await startTimeSkipping();
  workflowBundle = await bundleWorkflow(require.resolve('../../workflows/invoice-pdf'));
});

afterAll(async () => {
  await environment.teardown();
});

const stored = () => Promise.resolve({ sha256: 'ab'.repeat(32), sizeBytes: 30_000 });

interface Outcome {
  /** Reasons recorded for giving up. */
  failures: string[];
  runs: number;
  ended: 'completed' | 'failed';
}

/** Prints one invoice with the given engine. */
async function printWith(
  renderInvoice: RenderingActivities['renderInvoice'],
  workflowId: string = randomUUID(),
): Promise<Outcome> {
  const failures: string[] = [];
  let runs = 0;
  const connection = environment.nativeConnection;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities: {
      failRendition: ({ reason }: { reason: string }) => {
        failures.push(reason);
        return Promise.resolve();
      },
    },
  });
  const rendering = await Worker.create({
    connection,
    taskQueue: QUEUES.rendering,
    activities: {
      renderInvoice: (input: { renditionId: string }) => {
        runs += 1;
        return renderInvoice(input);
      },
    },
  });
  const work = async (): Promise<Outcome['ended']> => {
    try {
      await environment.client.workflow.execute('invoicePdf', {
        workflowId,
        taskQueue: QUEUES.orchestration,
        workflowIdReusePolicy: REUSE.invoicePdf,
        args: [{ renditionId: 'ren_1', organisationId: 'org_1' }],
      });
      return 'completed';
    } catch (error) {
      if (error instanceof WorkflowFailedError) return 'failed';
      throw error;
    }
  };
  const ended = await orchestration.runUntil(rendering.runUntil(work));
  return { failures, runs, ended };
}

describe('the invoicePdf workflow', () => {
  test('ends when the rendering pool has stored the document', async () => {
    expect(await printWith(stored)).toEqual({ failures: [], runs: 1, ended: 'completed' });
  });

  test('recovers when Chromium crashed on earlier attempts', async () => {
    let crashes = 2;
    const workflowId = randomUUID();
    const print = () =>
      crashes-- > 0 ? Promise.reject(ApplicationFailure.retryable('Crashed.', 'rendering_failed')) : stored();
    const done = await printWith(print, workflowId);
    await keepHistory(environment.client.workflow.getHandle(workflowId), 'invoice-pdf');
    expect(done).toEqual({ failures: [], runs: 3, ended: 'completed' });
  });

  test('gives up after four attempts, records why, and may be started again under the same id', async () => {
    const workflowId = workflowIds.invoicePdf('org_1', 7, 'pdf', randomUUID());
    const crash = () => Promise.reject(ApplicationFailure.retryable('Crashed.', 'rendering_failed'));
    expect(await printWith(crash, workflowId)).toEqual({ failures: ['rendering_failed'], runs: 4, ended: 'failed' });
    await keepHistory(environment.client.workflow.getHandle(workflowId), 'invoice-pdf-failed');
    expect(await printWith(stored, workflowId)).toEqual({ failures: [], runs: 1, ended: 'completed' });
    await expect(printWith(stored, workflowId)).rejects.toThrow(/already started/i);
  });

  test('does not try again what cannot succeed', async () => {
    const gone = () => Promise.reject(ApplicationFailure.nonRetryable('No such invoice.', 'not_found'));
    expect(await printWith(gone)).toEqual({ failures: ['not_found'], runs: 1, ended: 'failed' });
  });

  test('its id names organisation, invoice, format and content, without a slash', () => {
    expect(workflowIds.invoicePdf('org_1', 7, 'pdf', 'c0ffee')).toBe('org_1.invoice-pdf.7.pdf.c0ffee');
  });
});

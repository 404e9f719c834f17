import { randomUUID } from 'node:crypto';
import { WorkflowFailedError } from '@temporalio/client';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundle } from '@temporalio/worker';
import {
  SECOND_QUEUES,
  DOCUMENT_RENDITION_WORKFLOW,
  QUEUES,
  RENDER_DOCUMENT_ACTIVITY,
} from '../../../workflows/contracts';
import { POOL_INTERCEPTORS } from '../../support/pool-interceptors';
import { recordHistory } from '../../support/histories';
import { bundleWorkflows, startTimeSkippingServer } from '../../support/time-skipping';

let environment: TestWorkflowEnvironment;
let workflowBundle: WorkflowBundle;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
  workflowBundle = await bundleWorkflows();
});

afterAll(async () => {
  await environment.teardown();
});

type Activity = (input: never) => Promise<unknown>;

/** The activity calls in order, some with document numbers. */
interface Run {
  calls: string[];
  ended: 'completed' | 'cancelled' | 'failed';
}

/** Runs one export; `replaced` overrides activities that by default succeed. */
async function runExport(
  documents: boolean,
  replaced: Record<string, Activity> = {},
  options: { history?: string; cancelAt?: string } = {},
): Promise<Run> {
  const calls: string[] = [];
  const workflowId = randomUUID();
  const handle = environment.client.workflow.getHandle(workflowId);
  const quick: Record<string, Activity> = {
    beginExport: () => Promise.resolve(),
    writeExportRows: () => Promise.resolve(true),
    planArchive: () => Promise.resolve([40, 80, 90]),
    printDocuments: ({ after, until }: { after: number; until: number }) => Promise.resolve(until - after),
    packArchive: () => Promise.resolve(true),
    finishExport: () => Promise.resolve(),
    noteExportProgress: () => Promise.resolve(),
    failExport: () => Promise.resolve(),
    clearExport: () => Promise.resolve(),
    [RENDER_DOCUMENT_ACTIVITY]: () => Promise.resolve({ sha256: 'x', sizeBytes: 1 }),
    ...replaced,
  };
  const activities = Object.fromEntries(
    Object.entries(quick).map(([name, run]) => [
      name,
      async (input: never) => {
        const { reason, documents: count } = input as { reason?: string; documents?: number };
        calls.push([name, reason ?? count].filter((part) => part !== undefined).join(' '));
        if (name === options.cancelAt) await handle.cancel();
        return run(input);
      },
    ]),
  );
  const { nativeConnection: connection } = environment;
  const orchestration = await Worker.create({
    connection,
    taskQueue: QUEUES.orchestration,
    workflowBundle,
    activities,
  });
  const pools = await Promise.all(
    [QUEUES.exports, QUEUES.rendering, SECOND_QUEUES.rendering].map((taskQueue) =>
      Worker.create({
        connection,
        taskQueue,
        activities,
        interceptors: POOL_INTERCEPTORS,
        maxConcurrentActivityTaskExecutions: 1,
      }),
    ),
  );
  const work = async (): Promise<Run['ended']> => {
    const args = [{ exportId: 'exp_1', organisationId: 'org_1', documents }];
    await environment.client.workflow.start('dataExport', { workflowId, taskQueue: QUEUES.orchestration, args });
    return handle.result().then(
      () => 'completed',
      (error: unknown) =>
        error instanceof WorkflowFailedError && error.cause instanceof CancelledFailure ? 'cancelled' : 'failed',
    );
  };
  const ended = await pools.reduce<() => Promise<Run['ended']>>(
    (inner, pool) => () => pool.runUntil(inner),
    () => orchestration.runUntil(work),
  )();
  if (options.history !== undefined) await recordHistory(handle, options.history);
  return { calls, ended };
}

describe('the dataExport workflow', () => {
  test('writes slice after slice until all rows are written, then makes the file', async () => {
    let left = 3;
    const slices = { writeExportRows: () => Promise.resolve(--left === 0) };
    const { calls, ended } = await runExport(false, slices, { history: 'data-export' });
    expect(ended).toBe('completed');
    expect(calls).toEqual(['beginExport', 'writeExportRows', 'writeExportRows', 'writeExportRows', 'finishExport']);
  });

  test('prints every batch of an archive once, then packs and makes the file', async () => {
    const { calls, ended } = await runExport(true, {}, { history: 'data-export-archive' });
    expect(ended).toBe('completed');
    expect(calls.filter((name) => name === 'printDocuments')).toHaveLength(3);
    expect(calls).toContain('noteExportProgress 90');
    expect(calls.slice(-2)).toEqual(['packArchive', 'finishExport']);
  });

  test('a single document is rendered while an archive occupies every slot of its queue', async () => {
    const waiting: (() => void)[] = [];
    let begun = 0;
    // Each batch requests a document and ends only once that was rendered.
    const printDocuments = async ({ after, until }: { after: number; until: number }): Promise<number> => {
      const rendered = new Promise<void>((resolve) => waiting.push(resolve));
      begun += 1;
      await environment.client.workflow.start(DOCUMENT_RENDITION_WORKFLOW, {
        workflowId: randomUUID(),
        taskQueue: QUEUES.orchestration,
        args: [{ renditionId: `ren_${begun}`, organisationId: 'org_1' }],
      });
      await rendered;
      return until - after;
    };
    const renderDocument = () => {
      waiting.shift()?.();
      return Promise.resolve({ sha256: 'x', sizeBytes: 1 });
    };
    const { calls, ended } = await runExport(true, { printDocuments, [RENDER_DOCUMENT_ACTIVITY]: renderDocument });
    expect([ended, begun]).toEqual(['completed', 3]);
    expect(calls.slice(-2)).toEqual(['packArchive', 'finishExport']);
  });

  test('continues from its progress after workers were killed', async () => {
    let crashes = 2;
    const write = () =>
      crashes-- > 0 ? Promise.reject(ApplicationFailure.retryable('Lost.', 'lost')) : Promise.resolve(true);
    const { calls, ended } = await runExport(false, { writeExportRows: write });
    expect([ended, calls.filter((name) => name === 'writeExportRows').length]).toEqual(['completed', 3]);
  });

  test('fails after four attempts, records the reason, and leaves nothing in the object store', async () => {
    const lost = () => Promise.reject(ApplicationFailure.retryable('Away.', 'store_unreachable'));
    const { calls, ended } = await runExport(false, { writeExportRows: lost }, { history: 'data-export-failed' });
    expect(ended).toBe('completed');
    expect(calls.filter((name) => name === 'writeExportRows')).toHaveLength(4);
    expect(calls.slice(-2)).toEqual(['failExport store_unreachable', 'clearExport']);
  });

  test('a document that cannot be rendered ends the rendering of others and the export', async () => {
    const print = ({ after }: { after: number }) =>
      after === 40
        ? Promise.reject(ApplicationFailure.nonRetryable('Broken.', 'rendering_failed'))
        : Promise.resolve(40);
    const { calls, ended } = await runExport(true, { printDocuments: print });
    const written = calls.filter((name) => /^(fail|clear)Export/.test(name));
    expect([ended, ...written]).toEqual(['completed', 'failExport rendering_failed', 'clearExport']);
    expect(calls).not.toContain('packArchive');
  });

  test('a cancelled export removes its files and writes nothing more', async () => {
    const options = { history: 'data-export-cancelled', cancelAt: 'writeExportRows' };
    const { calls, ended } = await runExport(false, { writeExportRows: () => Promise.resolve(false) }, options);
    expect(ended).toBe('cancelled');
    expect(calls.at(-1)).toBe('clearExport');
    expect(calls).not.toContain('finishExport');
  });
});

import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { RenderingActivities } from '../../../activities/rendering/documents';
import {
  DOCUMENT_RENDITION_WORKFLOW,
  QUEUES,
  RENDER_DOCUMENT_ACTIVITY,
  WORKFLOW_ID_REUSE,
  workflowIds,
} from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { PoolWorkflowRunner } from '../../support/pool-workflow';

let runner: PoolWorkflowRunner;

beforeAll(async () => {
  runner = await PoolWorkflowRunner.start({
    name: DOCUMENT_RENDITION_WORKFLOW,
    queue: QUEUES.rendering,
    activity: RENDER_DOCUMENT_ACTIVITY,
    failure: 'failRendition',
  });
});
afterAll(() => runner.stop());

const resolveStored = () => Promise.resolve({ sha256: 'ab'.repeat(32), sizeBytes: 30_000 });

/** Renders one document with the given activity. */
const renderWith = (
  engine: () => ReturnType<RenderingActivities[typeof RENDER_DOCUMENT_ACTIVITY]>,
  workflowId: string = randomUUID(),
) =>
  runner.run(workflowId, { renditionId: 'ren_1', organisationId: 'org_1' }, engine, {
    workflowIdReusePolicy: WORKFLOW_ID_REUSE[DOCUMENT_RENDITION_WORKFLOW],
  });

describe('the document rendition workflow', () => {
  test('ends when the rendering pool has stored the document', async () => {
    expect(await renderWith(resolveStored)).toEqual({ failures: [], runs: 1, ended: 'completed' });
  });

  test('recovers when Chromium crashed on earlier attempts', async () => {
    let crashes = 2;
    const workflowId = randomUUID();
    const render = () =>
      crashes-- > 0 ? Promise.reject(ApplicationFailure.retryable('Crashed.', 'rendering_failed')) : resolveStored();
    const done = await renderWith(render, workflowId);
    await recordHistory(runner.getHandle(workflowId), 'invoice-pdf');
    expect(done).toEqual({ failures: [], runs: 3, ended: 'completed' });
  });

  test('fails after four attempts, records the reason, and may be started again under the same id', async () => {
    const workflowId = workflowIds.documentRendition('org_1', 7, 'pdf', randomUUID());
    const crash = () => Promise.reject(ApplicationFailure.retryable('Crashed.', 'rendering_failed'));
    expect(await renderWith(crash, workflowId)).toEqual({ failures: ['rendering_failed'], runs: 4, ended: 'failed' });
    await recordHistory(runner.getHandle(workflowId), 'invoice-pdf-failed');
    expect(await renderWith(resolveStored, workflowId)).toEqual({ failures: [], runs: 1, ended: 'completed' });
    await expect(renderWith(resolveStored, workflowId)).rejects.toThrow(/already started/i);
  });

  test('does not retry a non-retryable failure', async () => {
    const gone = () => Promise.reject(ApplicationFailure.nonRetryable('No such invoice.', 'not_found'));
    expect(await renderWith(gone)).toEqual({ failures: ['not_found'], runs: 1, ended: 'failed' });
  });

  test('has an id of organisation, document, format and content, without a slash', () => {
    expect(workflowIds.documentRendition('org_1', 7, 'pdf', 'c0ffee')).toBe('org_1.invoice-pdf.7.pdf.c0ffee');
  });
});

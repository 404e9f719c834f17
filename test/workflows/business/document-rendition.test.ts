import { randomUUID } from 'node:crypto';
import { ApplicationFailure } from '@temporalio/common';
import type { RenderingActivities } from '../../../activities/rendering/activities';
import { QUEUES, WORKFLOW_ID_REUSE, workflowIds } from '../../../workflows/contracts';
import { recordHistory } from '../../support/histories';
import { PoolWorkflowRunner } from '../../support/pool-workflow';

let printing: PoolWorkflowRunner;

beforeAll(async () => {
  const file = require.resolve('../../../workflows/business/document-rendition');
  printing = await PoolWorkflowRunner.start({
    name: 'invoicePdf',
    file,
    queue: QUEUES.rendering,
    activity: 'renderInvoice',
    failure: 'failRendition',
  });
});
afterAll(() => printing.stop());

const resolveStored = () => Promise.resolve({ sha256: 'ab'.repeat(32), sizeBytes: 30_000 });

/** Prints one invoice with the given engine. */
const printWith = (engine: () => ReturnType<RenderingActivities['renderInvoice']>, workflowId: string = randomUUID()) =>
  printing.run(workflowId, { renditionId: 'ren_1', organisationId: 'org_1' }, engine, {
    workflowIdReusePolicy: WORKFLOW_ID_REUSE.invoicePdf,
  });

describe('the invoicePdf workflow', () => {
  test('ends when the rendering pool has stored the document', async () => {
    expect(await printWith(resolveStored)).toEqual({ failures: [], runs: 1, ended: 'completed' });
  });

  test('recovers when Chromium crashed on earlier attempts', async () => {
    let crashes = 2;
    const workflowId = randomUUID();
    const print = () =>
      crashes-- > 0 ? Promise.reject(ApplicationFailure.retryable('Crashed.', 'rendering_failed')) : resolveStored();
    const done = await printWith(print, workflowId);
    await recordHistory(printing.getHandle(workflowId), 'invoice-pdf');
    expect(done).toEqual({ failures: [], runs: 3, ended: 'completed' });
  });

  test('gives up after four attempts, records why, and may be started again under the same id', async () => {
    const workflowId = workflowIds.invoicePdf('org_1', 7, 'pdf', randomUUID());
    const crash = () => Promise.reject(ApplicationFailure.retryable('Crashed.', 'rendering_failed'));
    expect(await printWith(crash, workflowId)).toEqual({ failures: ['rendering_failed'], runs: 4, ended: 'failed' });
    await recordHistory(printing.getHandle(workflowId), 'invoice-pdf-failed');
    expect(await printWith(resolveStored, workflowId)).toEqual({ failures: [], runs: 1, ended: 'completed' });
    await expect(printWith(resolveStored, workflowId)).rejects.toThrow(/already started/i);
  });

  test('does not try again what cannot succeed', async () => {
    const gone = () => Promise.reject(ApplicationFailure.nonRetryable('No such invoice.', 'not_found'));
    expect(await printWith(gone)).toEqual({ failures: ['not_found'], runs: 1, ended: 'failed' });
  });

  test('its id names organisation, invoice, format and content, without a slash', () => {
    expect(workflowIds.invoicePdf('org_1', 7, 'pdf', 'c0ffee')).toBe('org_1.invoice-pdf.7.pdf.c0ffee');
  });
});

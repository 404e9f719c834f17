import { DAY_MS } from '../../../../domain/durations';
import { newId } from '../../../../lib/ids';
import { Export } from '../../../../models/business/exports/export';
import type { ExportRecord } from '../../../../models/business/exports/export';
import { Outbox } from '../../../../models/platform/transactions/outbox';
import { sweepExports } from '../../../../services/business/exports/sweep';
import type { Platform } from '../../../../services/platform/platform';
import { runTransaction } from '../../../../services/platform/transactions/unit-of-work';
import { workflowIds } from '../../../../workflows/contracts';
import { createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport } from '../../../support/business/exports';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

/** A task queue without workers. */
const UNSERVED_QUEUE = 'test-unserved';

let platform: Platform;
let client: BusinessClient;
let completed: ExportRecord;

beforeAll(async () => {
  platform = await getTestPlatform();
  client = await createBusinessClient();
  const { record } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' });
  completed = await Export.findOne({ organisationId: client.tenant.organisationId, id: record.id })
    .orFail()
    .lean<ExportRecord>();
});
afterAll(closeTestPlatform);

/** An accepted export that has made no progress for two days. @returns its `_id` */
async function createWaitingExport(id: number): Promise<string> {
  const _id = newId('exp');
  const unfinished = { objectKey: null, uploadId: null, completedAt: null, expiresAt: null, written: false, parts: 0 };
  const updatedAt = new Date(Date.now() - 2 * DAY_MS);
  await Export.create({ ...completed, ...unfinished, _id, id, updatedAt, state: 'queued' });
  return _id;
}

async function sweepAndRead(id: number): Promise<{ state: unknown; failure: unknown }> {
  await sweepExports(platform);
  const { state, failure } = getData(await client.get(`/api/exports/${id}`));
  return { state, failure };
}

describe('an export that has made no progress for more than a day', () => {
  test('waits while its workflow runs, since it goes on once a worker is started', async () => {
    const exportId = await createWaitingExport(101);
    const handle = await platform.temporal.workflow.start('dataExport', {
      workflowId: workflowIds.dataExport(exportId),
      taskQueue: UNSERVED_QUEUE,
      args: [{ exportId, organisationId: client.tenant.organisationId, documents: false }],
    });
    expect(await sweepAndRead(101)).toEqual({ state: 'queued', failure: null });
    await handle.terminate();
    expect(await sweepAndRead(101)).toEqual({ state: 'failed', failure: 'abandoned' });
  });

  test('waits while the start of its workflow is pending', async () => {
    const exportId = await createWaitingExport(102);
    const workflowId = workflowIds.dataExport(exportId);
    const never = new Date('2999-01-01T00:00:00Z');
    await runTransaction(platform, async (unit) => {
      const { organisationId } = client.tenant;
      unit.start(organisationId, {
        workflow: 'dataExport',
        workflowId,
        argument: { exportId, organisationId, documents: false },
      });
      // Only the relay would dispatch it, in the far future.
      const rows = unit.rows.splice(0).map((row) => ({ ...row, dueAt: never }));
      await Outbox.insertMany(rows, { session: unit.mongoSession });
    });
    expect(await sweepAndRead(102)).toEqual({ state: 'queued', failure: null });
    await Outbox.deleteMany({ workflowId });
    expect(await sweepAndRead(102)).toEqual({ state: 'failed', failure: 'abandoned' });
  });
});

import { MockActivityEnvironment } from '@temporalio/testing';
import { createExportActivities } from '../../../../activities/exports/activities';
import { Export } from '../../../../models/business/exports/export';
import type { ExportRecord } from '../../../../models/business/exports/export';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { clearExport, completeExport, failExport } from '../../../../services/business/exports/progress';
import { sweepExports } from '../../../../services/business/exports/sweep';
import type { Platform } from '../../../../services/platform/platform';
import { createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport, getDownloadPath } from '../../../support/business/exports';
import type { ExportData } from '../../../support/business/exports';
import { call } from '../../../support/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let platform: Platform;
let client: BusinessClient;
let record: ExportData;
let exportId: string;

beforeAll(async () => {
  platform = await getTestPlatform();
  client = await createBusinessClient();
  ({ record } = await createAndDownloadExport(client, { resource: 'customers', format: 'csv' }));
  const { _id } = await findStored();
  exportId = _id;
});
afterAll(closeTestPlatform);

const findStored = (): Promise<ExportRecord> =>
  Export.findOne({ organisationId: client.tenant.organisationId, id: record.id }).orFail().lean<ExportRecord>();

const download = (): Promise<number> => call('GET', getDownloadPath(record)).then(({ status }) => status);

const countCompletedEvents = (): Promise<number> =>
  WebhookEvent.countDocuments({
    organisationId: client.tenant.organisationId,
    type: 'export.completed',
    subjectId: exportId,
  });

describe('a completed export', () => {
  test('stays as it is when its completion is repeated, since the report of the first attempt was lost', async () => {
    const before = await findStored();
    const { finishExport } = createExportActivities(platform);
    await new MockActivityEnvironment({ attempt: 2 }).run(finishExport, { exportId });
    expect(await findStored()).toEqual(before);
    expect(await countCompletedEvents()).toBe(1);
  });

  test('stays as it is when an attempt that was overtaken completes it afterwards', async () => {
    const before = await findStored();
    await completeExport(platform, before, { sizeBytes: 1, sha256: '0'.repeat(64) });
    expect(await findStored()).toEqual(before);
    expect(await countCompletedEvents()).toBe(1);
  });

  test('keeps its file when its workflow records a failure, until the file expires', async () => {
    await failExport(platform, exportId, 'timed_out');
    await clearExport(platform, exportId);
    expect(getData(await client.get(`/api/exports/${record.id}`))).toMatchObject({ state: 'completed', failure: null });
    expect(await download()).toBe(200);
    await sweepExports(platform);
    expect(await download()).toBe(200);
    await Export.updateOne({ _id: exportId }, { $set: { expiresAt: new Date(Date.now() - 1000) } });
    await sweepExports(platform);
    expect(await download()).toBe(410);
  });
});

import { buffer } from 'node:stream/consumers';
import { newId } from '../../../../lib/ids';
import { Export } from '../../../../models/business/exports/export';
import type { ExportRecord } from '../../../../models/business/exports/export';
import {
  beginExport,
  clearExport,
  listExportParts,
  readWritableExport,
  savePart,
  streamExportFile,
} from '../../../../services/business/exports/progress';
import type { Platform } from '../../../../services/platform/platform';
import { createBusinessClient } from '../../../support/business/client';
import { requestExport, waitForExportEnd } from '../../../support/business/exports';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let platform: Platform;
beforeAll(async () => {
  platform = await getTestPlatform();
});
afterAll(closeTestPlatform);

/** A started export without a workflow, so that only the test writes it. */
async function createStartedExport(): Promise<string> {
  const { token, tenant } = await createBusinessClient();
  const { id } = await requestExport({ token }, { resource: 'customers', format: 'csv' });
  await waitForExportEnd({ token }, id);
  const { organisationId } = tenant;
  const done = await Export.findOne({ organisationId, id }).lean<ExportRecord>();
  const progress = { objectKey: null, uploadId: null, parts: 0, written: false, completedAt: null, expiresAt: null };
  const _id = newId('exp');
  await Export.create({ ...done, ...progress, _id, id: id + 1, state: 'queued' });
  await beginExport(platform, _id);
  return _id;
}

const PART = { body: Buffer.from('part'), rows: 1, lastKey: null, writer: null, files: [], last: false };

const cancel = (_id: string) => Export.updateOne({ _id }, { $set: { state: 'cancelled' } });

test('a part that is stored after its cancelled export was cleared is removed by the activity that sent it', async () => {
  const exportId = await createStartedExport();
  const record = await readWritableExport(exportId);
  const aborted: string[] = [];
  // The object store may keep a part that was on its way when its upload was aborted.
  const objects: Platform['objects'] = {
    ...platform.objects,
    uploadPart: async (...args) => {
      const etag = await platform.objects.uploadPart(...args);
      await cancel(exportId);
      await clearExport(platform, exportId);
      return etag;
    },
    abortUpload: (key, uploadId) => {
      aborted.push(uploadId);
      return platform.objects.abortUpload(key, uploadId);
    },
  };
  await expect(savePart({ ...platform, objects }, record, PART)).rejects.toMatchObject({ code: 'export_ended' });
  expect(aborted).toEqual([record.uploadId]);
});

test('an attempt that another one has overtaken leaves the upload of the export', async () => {
  const exportId = await createStartedExport();
  const record = await readWritableExport(exportId);
  await savePart(platform, record, PART);
  await expect(savePart(platform, record, PART)).rejects.toMatchObject({ code: 'export_ended' });
  expect(await savePart(platform, await readWritableExport(exportId), PART)).toMatchObject({ parts: 2 });
  await cancel(exportId);
  await clearExport(platform, exportId);
});

test('an attempt that was paused overwrites no part that another one has recorded, also with rows that have changed', async () => {
  const exportId = await createStartedExport();
  const record = await readWritableExport(exportId);
  const { organisationId, objectKey, uploadId } = record;
  const recorded = { ...PART, body: Buffer.from('recorded'), last: true };
  const objects: Platform['objects'] = {
    ...platform.objects,
    uploadPart: async (...args) => {
      await savePart(platform, record, recorded);
      return platform.objects.uploadPart(...args);
    },
  };
  const paused = { ...PART, body: Buffer.from('read before the rows changed'), last: true };
  await expect(savePart({ ...platform, objects }, record, paused)).rejects.toMatchObject({ code: 'export_ended' });
  await platform.objects.completeUpload(objectKey, uploadId, await listExportParts(record));
  const file = await streamExportFile(platform, organisationId, objectKey);
  expect(file === null ? null : await buffer(file)).toEqual(recorded.body);
  await cancel(exportId);
  await clearExport(platform, exportId);
});

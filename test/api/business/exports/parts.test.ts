import { buffer } from 'node:stream/consumers';
import { writeParts } from '../../../../activities/exports/write-parts';
import type { PartSource } from '../../../../activities/exports/write-parts';
import { newId } from '../../../../lib/ids';
import { MIN_PART_BYTES } from '../../../../lib/object-store';
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
  expect(await savePart(platform, record, PART)).toBeNull();
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
  expect(await savePart({ ...platform, objects }, record, paused)).toBeNull();
  await platform.objects.completeUpload(objectKey, uploadId, await listExportParts(record));
  const file = await streamExportFile(platform, organisationId, objectKey);
  expect(file === null ? null : await buffer(file)).toEqual(recorded.body);
  await cancel(exportId);
  await clearExport(platform, exportId);
});

describe('two attempts at one activity, of which Temporal has given the first up while it still runs', () => {
  const ROWS = 3;
  const formatRow = (row: number): Buffer => Buffer.alloc(MIN_PART_BYTES + 600 * 1024, row);

  /** Rows that fill a part each. */
  const source: PartSource<number> = {
    async *read(_record, after) {
      for (let row = Number(after ?? 0) + 1; row <= ROWS; row += 1)
        yield await Promise.resolve({ items: [row], lastKey: row });
    },
    createEncoder: () => {
      const rows: Buffer[] = [];
      return {
        add: (items) => Promise.resolve(void rows.push(...items.map(formatRow))),
        get size() {
          return rows.reduce((sum, { length }) => sum + length, 0);
        },
        end: () => Promise.resolve({ body: Buffer.concat(rows), writer: null, files: [] }),
      };
    },
  };

  /** Runs `overtake` when the attempt has uploaded its second part, and has not recorded it. */
  const interrupt = (overtake: () => Promise<unknown>): Platform => {
    let uploads = 0;
    const objects: Platform['objects'] = {
      ...platform.objects,
      uploadPart: async (...args) => {
        const etag = await platform.objects.uploadPart(...args);
        uploads += 1;
        if (uploads === 2) await overtake();
        return etag;
      },
    };
    return { ...platform, objects };
  };

  const never = (): boolean => false;
  const always = (): boolean => true;

  /** Completes the file: each row is in it once. */
  async function expectWholeFile(exportId: string): Promise<void> {
    const record = await readWritableExport(exportId);
    expect(record).toMatchObject({ written: true, rowsDone: ROWS });
    await platform.objects.completeUpload(record.objectKey, record.uploadId, await listExportParts(record));
    const file = await streamExportFile(platform, record.organisationId, record.objectKey);
    const bytes = file === null ? Buffer.alloc(0) : await buffer(file);
    const rows = Array.from({ length: ROWS }, (_, index) => formatRow(index + 1));
    expect(bytes.equals(Buffer.concat(rows))).toBe(true);
    await cancel(exportId);
    await clearExport(platform, exportId);
  }

  test('the second continues after a part that the first was first to record', async () => {
    const exportId = await createStartedExport();
    const second = interrupt(() => writeParts(platform, exportId, source, always));
    expect(await writeParts(second, exportId, source, never)).toBe(true);
    await expectWholeFile(exportId);
  });

  test('the second ends as written where the first has written the rest', async () => {
    const exportId = await createStartedExport();
    const second = interrupt(() => writeParts(platform, exportId, source, never));
    expect(await writeParts(second, exportId, source, never)).toBe(true);
    await expectWholeFile(exportId);
  });

  test('the first, which has been cancelled, ends after a part that the second was first to record', async () => {
    const exportId = await createStartedExport();
    let isCancelled = false;
    const first = interrupt(async () => {
      expect(await writeParts(platform, exportId, source, always)).toBe(false);
      isCancelled = true;
    });
    expect(await writeParts(first, exportId, source, () => isCancelled)).toBe(false);
    expect(await readWritableExport(exportId)).toMatchObject({ parts: 2, rowsDone: 2 });
    expect(await writeParts(platform, exportId, source, never)).toBe(true);
    await expectWholeFile(exportId);
  });

  test('both end when the export is cancelled', async () => {
    const exportId = await createStartedExport();
    const second = interrupt(() => cancel(exportId));
    await expect(writeParts(second, exportId, source, never)).rejects.toMatchObject({ code: 'export_ended' });
    await clearExport(platform, exportId);
  });
});

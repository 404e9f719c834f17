import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { createBulkRenderingActivities } from '../../../../activities/rendering/bulk';
import type { Renderer } from '../../../../activities/rendering/renderer';
import { sha256Hex } from '../../../../lib/crypto/secrets';
import { newId } from '../../../../lib/ids';
import { Export } from '../../../../models/business/exports/export';
import type { ExportRecord } from '../../../../models/business/exports/export';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { Rendition } from '../../../../models/business/documents/rendition';
import { reserveNumber } from '../../../../services/platform/transactions/counters';
import { getEncrypted } from '../../../../services/platform/evidence/encrypted-objects';
import type { Platform } from '../../../../services/platform/platform';
import { buildPendingRendition } from '../../../support/business/pending-rendition';
import { createAndDownloadExport } from '../../../support/business/exports';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { addCustomer, addService, createBusinessClient, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';

let platform: Platform;
let client: BusinessClient;
let productId: number;
let customerId: number;

beforeAll(async () => {
  platform = await getTestPlatform();
  client = await createBusinessClient('Bulk');
  productId = await addService(client);
  customerId = await addCustomer(client);
});
afterAll(closeTestPlatform);

async function issue(count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count)
    ids.push(getCreatedId(await client.post('/api/invoices', { customerId, lines: [{ productId, quantity: 1 }] })));
  return ids;
}

/** Creates a running archive export without a workflow. */
async function createRunningExport(): Promise<string> {
  const { organisationId } = client.tenant;
  const { record } = await createAndDownloadExport(client, { resource: 'invoices', format: 'csv' });
  const completedExport = await Export.findOne({ organisationId, id: record.id }).orFail().lean<ExportRecord>();
  const [_id, id] = [newId('exp'), await reserveNumber(organisationId, 'exports')];
  await Export.create({ ...completedExport, _id, id, format: 'zip-pdf', state: 'running', completedAt: null });
  return _id;
}

/** Suppresses the log of intended failures. */
const quietEnvironment = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });

type PrintPdf = Renderer['renderPdf'];

/** Renders the documents after the first up to the last with a fake renderer. */
async function printBatch(ids: readonly number[], renderPdf: PrintPdf, exportId: string): Promise<number> {
  const { printDocuments } = createBulkRenderingActivities(platform, { forArchives: () => ({ renderPdf }) });
  const batch = { exportId, after: (ids[0] ?? 0) - 1, until: ids.at(-1) ?? 0 };
  const printed: unknown = await quietEnvironment.run(() => printDocuments(batch));
  return Number(printed);
}

const findRenditions = (ids: readonly number[]) =>
  Rendition.find({ organisationId: client.tenant.organisationId, documentId: { $in: [...ids] } })
    .sort({ documentId: 1 })
    .lean();

/** Lists the keys of all objects of these documents, including those without a rendition. */
async function listObjectKeys(ids: readonly number[]): Promise<string[]> {
  const { organisationId } = client.tenant;
  const keys: string[] = [];
  for (const { contentHash } of await Invoice.find({ organisationId, id: { $in: [...ids] } }).lean())
    for await (const { key } of platform.objects.list(`${organisationId}/invoice-pdf/${contentHash}/`)) keys.push(key);
  return keys.sort();
}

/** Creates a fake renderer that marks its output. */
const createPrinter =
  (mark: string): PrintPdf =>
  (_, { contentId }) =>
    Promise.resolve(Buffer.from(`${mark} ${contentId}`));

describe('printing a batch of documents', () => {
  test('twice at once with different output leaves one complete file per document and no other object', async () => {
    const ids = await issue(6);
    const exportId = await createRunningExport();
    let [waiting, open] = [2, (): void => undefined];
    const bothBegan = new Promise<void>((resolve) => (open = resolve));
    const meeting = (mark: string): PrintPdf => {
      let first = true;
      return async (html, identity) => {
        if (first && --waiting === 0) open();
        first = false;
        await bothBegan;
        return createPrinter(mark)(html, identity);
      };
    };
    const counts = await Promise.all(['one', 'other'].map((mark) => printBatch(ids, meeting(mark), exportId)));
    expect(counts).toEqual([ids.length, ids.length]);
    const renditions = await findRenditions(ids);
    expect(renditions.map(({ documentId }) => documentId)).toEqual(ids);
    for (const { objectKey, sha256, sizeBytes, status } of renditions) {
      const bytes = await getEncrypted(platform, client.tenant.organisationId, objectKey ?? '');
      expect([status, sizeBytes, sha256]).toEqual(['stored', bytes?.length, sha256Hex(bytes ?? '')]);
    }
    expect(await listObjectKeys(ids)).toEqual(renditions.map(({ objectKey }) => objectKey).sort());
  });

  test('keeps stored files, and stores lost files again under the next generation', async () => {
    const ids = await issue(2);
    const exportId = await createRunningExport();
    await printBatch(ids, createPrinter('first'), exportId);
    const [kept, lost] = await findRenditions(ids);
    await Rendition.updateOne(
      { _id: lost?._id ?? '' },
      { $set: { status: 'failed', objectKey: null, sha256: null, sizeBytes: null }, $inc: { generation: 1 } },
    );
    await printBatch(ids, createPrinter('second'), exportId);
    const [same, again] = await findRenditions(ids);
    expect(same).toEqual(kept);
    expect(again).toMatchObject({ _id: lost?._id, generation: 2, status: 'stored', failure: null });
    const bytes = await getEncrypted(platform, client.tenant.organisationId, again?.objectKey ?? '');
    expect(bytes?.toString()).toMatch(/^second /);
  });

  test('fulfils a request for one document that was recorded while the batch was rendered', async () => {
    const [id = 0] = await issue(1);
    const wish = await buildPendingRendition(client.tenant.organisationId, id);
    const wished: PrintPdf = async (html, identity) => {
      await Rendition.create(wish);
      return createPrinter('bulk')(html, identity);
    };
    await printBatch([id], wished, await createRunningExport());
    expect(await findRenditions([id])).toMatchObject([{ _id: wish._id, status: 'stored', generation: 1 }]);
  });

  test('keeps the rendered files of a failed attempt: the next attempt renders only the rest', async () => {
    const ids = await issue(8);
    const exportId = await createRunningExport();
    let prints = 0;
    const breaking: PrintPdf = (html, identity) =>
      (prints += 1) > 4 ? Promise.reject(new Error('The press broke.')) : createPrinter('good')(html, identity);
    await expect(printBatch(ids, breaking, exportId)).rejects.toThrow('The press broke.');
    expect(await findRenditions(ids)).toHaveLength(4);
    expect(await listObjectKeys(ids)).toHaveLength(4);
    let rest = 0;
    const counting: PrintPdf = (html, identity) => {
      rest += 1;
      return createPrinter('good')(html, identity);
    };
    expect(await printBatch(ids, counting, exportId)).toBe(ids.length);
    expect(rest).toBe(4);
    expect((await findRenditions(ids)).map(({ status }) => status)).toEqual(ids.map(() => 'stored'));
  });
});

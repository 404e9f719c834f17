import { parseCsvRows, createAndDownloadExport, readZipFiles } from '../../../support/business/exports';
import { closeTestPlatform } from '../../../support/tenant';
import { addCustomer, addService, createBusinessClient, getData, getCreatedId } from '../../../support/business/client';

type Row = Record<string, unknown>;

afterAll(closeTestPlatform);

test('drafts are rows without a number in the list of invoices; an archive excludes them and reports their count', async () => {
  const books = await createBusinessClient('Drafts');
  const productId = await addService(books);
  const customerId = await addCustomer(books);
  const input = { customerId, lines: [{ productId, quantity: 1 }] };
  const issued = await books.post('/api/invoices', input);
  const drafts: number[] = [];
  for (let at = 0; at < 2; at += 1)
    drafts.push(getCreatedId(await books.post('/api/invoices', { ...input, draft: true })));
  const { record, file } = await createAndDownloadExport(books, { resource: 'invoices', format: 'json' });
  expect(record.rowsDone).toBe(3);
  expect((file.body as unknown as Row[]).map(({ id, status, number }) => [id, status, number])).toEqual([
    [getCreatedId(issued), 'issued', getData(issued)['number']],
    ...drafts.map((id) => [id, 'draft', null]),
  ]);
  const alone = await createAndDownloadExport(books, {
    resource: 'invoices',
    format: 'csv',
    filters: { status: 'draft' },
  });
  expect(parseCsvRows(alone.file.bytes).map((row) => [row['id'], row['number']])).toEqual(
    drafts.map((id) => [String(id), '']),
  );
  const archive = await createAndDownloadExport(books, { resource: 'invoices', format: 'zip-pdf' });
  expect([archive.record.rowsDone, archive.record.rowsTotal]).toEqual([1, 1]);
  const files = await readZipFiles(archive.file.bytes);
  expect([...files.keys()]).toEqual([`${String(getData(issued)['number'])}.pdf`, 'manifest.json']);
  const manifest: unknown = JSON.parse(String(files.get('manifest.json')));
  expect(manifest).toMatchObject({ documents: 1, draftsLeftOut: 2 });
});

import { addProduct, createBusinessClient, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport, parseCsvRows } from '../../../support/business/exports';
import { closeTestPlatform } from '../../../support/tenant';

/** Zones 25 hours apart, so that every time has different days in them. */
const [EAST, WEST] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];

let client: BusinessClient;
beforeAll(async () => {
  client = await createBusinessClient('Moves west');
});
afterAll(closeTestPlatform);

const moveTo = async (timeZone: string): Promise<void> => {
  expect((await client.put('/api/config/company', { timeZone })).status).toBe(200);
};
const today = (timeZone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
const dayBefore = (day: string): string => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

/** The entries of stock by day, and whether the journal has as many entries as it counts. */
async function readStockDays(): Promise<{ days: unknown[]; isCounted: boolean }> {
  const journal = await client.get('/api/journal?dateFrom=2020-01-01&pageSize=100');
  const rows = getRows(journal);
  return {
    days: rows.filter(({ kind }) => kind === 'stock').map(({ date }) => date),
    isCounted: journal.body['totalCount'] === rows.length,
  };
}
async function readDay(productId: number, day: string): Promise<unknown[]> {
  const journal = await client.get(`/api/journal?dateFrom=${day}&dateTo=${day}`);
  const ledger = await client.get(`/api/inventory/ledger?productId=${productId}&dateFrom=${day}&dateTo=${day}`);
  const valuation = await client.get(`/api/inventory/valuation?asOf=${day}`);
  return [journal.body['totalCount'], getRows(ledger).length, getRows(valuation).length];
}

test('a change of the time zone moves no posting of stock to another day, and what follows is not dated before it', async () => {
  await moveTo(EAST);
  const day = today(EAST);
  const productId = await addProduct(client, { initialStock: { quantity: 10, unitCost: 2 } });
  // Midnight in the east can have passed since.
  const posted = String((await readStockDays()).days[0]);
  expect([day, today(EAST)]).toContain(posted);
  const before = await readDay(productId, posted);
  expect(before).toEqual([1, 1, 1]);
  expect(await readDay(productId, dayBefore(posted))).toEqual([0, 0, 0]);
  await moveTo(WEST);
  expect(await readDay(productId, posted)).toEqual(before);
  expect(await readDay(productId, dayBefore(posted))).toEqual([0, 0, 0]);
  const lost = { warehouseId: 1, reason: 'Lost', lines: [{ productId, quantityDelta: -1 }] };
  expect((await client.post('/api/inventory/adjustments', lost)).status).toBe(201);
  const { days, isCounted } = await readStockDays();
  expect([days[0], isCounted]).toEqual([posted, true]);
  expect(String(days[1]) >= posted).toBe(true);
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
  for (const [filters, count] of [
    [{ dateFrom: posted }, 2],
    [{ dateTo: dayBefore(posted) }, 0],
  ] as const) {
    const { file } = await createAndDownloadExport(client, { resource: 'stock-ledger', format: 'csv', filters });
    expect(parseCsvRows(file.bytes)).toHaveLength(count);
  }
  await moveTo(EAST);
  expect((await readStockDays()).days).toEqual(days);
});

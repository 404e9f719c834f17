import { readDatevBatch } from '../../../support/business/accounting/datev';
import { createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport } from '../../../support/business/exports';
import { closeTestPlatform } from '../../../support/tenant';

/** Write-offs of bills for whose tax the company is liable as the buyer. All amounts are computed by hand. */

const today = new Date().toISOString().slice(0, 10);
let client: BusinessClient;
let vendorId: number;

beforeAll(async () => {
  client = await createBusinessClient('Buyer liable');
  const settings = { preset: 'skr03', datevConsultantNumber: 29_098, datevClientNumber: 55_003 };
  await client.put('/api/config/accounting', settings);
  await client.put('/api/config/company', { writeOffLimit: 500 });
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
});
afterAll(closeTestPlatform);

async function readSelfAssessed(category: string): Promise<unknown> {
  const report = getData(await client.get(`/api/reports/vat?dateFrom=${today}&dateTo=${today}&period=all`));
  const [period] = report['periods'] as { rows: { direction: string; category: string; net: number; tax: number }[] }[];
  const row = period?.rows.find((each) => each.direction === 'self_assessed' && each.category === category);
  return [row?.net, row?.tax];
}

test.each([
  ['AE', '1577', '1787'],
  ['K', '1574', '1774'],
])('a write-off of a bill of category %s reduces the taxed amount and the tax', async (category, input, output) => {
  const rate = { name: `Buyer liable ${category}`, category, percent: 0, exemptionReason: 'Buyer liable' };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  const lines = [{ description: 'Lamps', quantity: 1, unitCost: 200, taxRateId }];
  const bill = { vendorId, number: `B-${category}`, date: today, lines };
  const documentId = getCreatedId(await client.post('/api/payables', bill));
  const allocations = [{ documentId, amount: 150 }];
  expect((await client.post('/api/payables/payments', { vendorId, amount: 150, allocations })).status).toBe(201);
  expect(await readSelfAssessed(category)).toEqual([200, 38]);
  const id = getCreatedId(await client.post('/api/payables/write-offs', { documentId, reason: 'Waived' }));
  expect(await readSelfAssessed(category)).toEqual([150, 28.5]);

  const report = getData(await client.get(`/api/reports/trial-balance?dateFrom=${today}&dateTo=${today}`));
  const accounts = report['accounts'] as { number: string; closing: number }[];
  const balances = new Map(accounts.map(({ number, closing }) => [number, closing]));
  expect([balances.get(input), balances.get(output)]).toEqual([28.5, -28.5]);
  const filters = { dateFrom: today, dateTo: today };
  const request = { resource: 'journal', format: 'datev', filters };
  const { rows } = readDatevBatch((await createAndDownloadExport(client, request)).file.bytes);
  // The tax of the bill is in its key; that of the write-off is a row of its own, which the vendor has no part in.
  const corrections = rows.filter(({ account, contraAccount }) => [account, contraAccount].includes(output));
  const signed = corrections.map(({ amount, side, account, contraAccount }) => [
    side === 'S' ? amount.toNumber() : -amount.toNumber(),
    account,
    contraAccount,
  ]);
  expect([[[9.5, output, input]], [[-9.5, input, output]]]).toContainEqual(signed);

  expect((await client.post(`/api/payables/write-offs/${id}/void`, { reason: 'Paid after all' })).status).toBe(200);
  expect(await readSelfAssessed(category)).toEqual([200, 38]);
});

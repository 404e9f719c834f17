import { readDatevBatch } from '../../../support/business/accounting/datev';
import type { DatevRow } from '../../../support/business/accounting/datev';
import { addCustomer, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport } from '../../../support/business/exports';
import { closeTestPlatform } from '../../../support/tenant';

const DAY = '2026-01-15';

afterAll(closeTestPlatform);

async function createCompany(): Promise<{ client: BusinessClient; customerId: number; taxRateId: number }> {
  const client = await createBusinessClient('Hand-over');
  const settings = { preset: 'skr03', datevConsultantNumber: 29_098, datevClientNumber: 55_003 };
  expect((await client.put('/api/config/accounting', settings)).status).toBe(200);
  const rate = { name: 'Standard', category: 'S', percent: 19 };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  return { client, customerId: await addCustomer(client), taxRateId };
}

async function exportRows(client: BusinessClient, dateFrom: string, dateTo: string): Promise<DatevRow[]> {
  const request = { resource: 'journal', format: 'datev', filters: { dateFrom, dateTo } };
  return readDatevBatch((await createAndDownloadExport(client, request)).file.bytes).rows;
}

test('the counter-entry of a document keeps the accounts and tax keys of the chart of its day', async () => {
  const { client, customerId, taxRateId } = await createCompany();
  const lines = [{ description: 'Consulting', quantity: 1, unitPrice: 100, taxRateId }];
  const id = getCreatedId(await client.post('/api/invoices', { customerId, issueDate: DAY, lines }));
  const voided = getData(await client.post(`/api/invoices/${id}/void`, { reason: 'Made in error' }));
  const voidedOn = String(voided['voidedOn']);
  expect((await client.put('/api/config/period-lock', { lockedThrough: DAY })).status).toBe(200);
  const { taxes } = getData(await client.get('/api/config/accounting')) as { taxes: { revenue: { number: string } }[] };
  const renamed = taxes.map((tax) =>
    tax.revenue.number === '8400' ? { ...tax, revenue: { number: '8401', name: 'Erlöse 19 % USt neu' } } : tax,
  );
  const accounts = [{ purpose: 'receivables', number: '1410', name: 'Forderungen neu' }];
  expect((await client.put('/api/config/accounting', { accounts, taxes: renamed })).status).toBe(200);
  const rows = await exportRows(client, voidedOn, voidedOn);
  const fields = rows.map(({ amount, side, account, contraAccount }) => [
    amount.toFixed(2),
    side,
    account,
    contraAccount,
  ]);
  expect(fields).toEqual([['119.00', 'S', '8400', '10001']]);
});

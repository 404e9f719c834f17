import { writeOffCharges } from '../../../../services/business/migrations/write-off-charges';
import { bookDatevRows, readDatevBatch } from '../../../support/business/accounting/datev';
import { createBusinessClient, getCreatedId, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { createAndDownloadExport } from '../../../support/business/exports';
import { runMigration } from '../../../support/migrations';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { readBalances } from '../../../support/business/reports';

/**
 * Write-offs of bills with reverse charge in periods that were locked before such write-offs reduced the tax. All amounts
 * are computed by hand.
 */

afterAll(closeTestPlatform);

const today = new Date().toISOString().slice(0, 10);

/** A company that has written off 50.00 of a bill of 200.00 on 10 March 2025, and another 20.00. */
async function createCompany(): Promise<{ client: BusinessClient; writeOffs: [number, number] }> {
  const client = await createBusinessClient('Buyer liable');
  const settings = { preset: 'skr03', datevConsultantNumber: 29_098, datevClientNumber: 55_003 };
  await client.put('/api/config/accounting', settings);
  await client.put('/api/config/company', { writeOffLimit: 500 });
  const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
  const rate = { name: 'Buyer liable', category: 'AE', percent: 0, exemptionReason: 'Buyer liable' };
  const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
  const lines = [{ description: 'Lamps', quantity: 1, unitCost: 200, taxRateId }];
  const bill = { vendorId, number: 'B-1', date: '2025-03-03', lines };
  const documentId = getCreatedId(await client.post('/api/payables', bill));
  const writeOff = async (amount: number): Promise<number> =>
    getCreatedId(
      await client.post('/api/payables/write-offs', { documentId, amount, date: '2025-03-10', reason: 'Waived' }),
    );
  return { client, writeOffs: [await writeOff(50), await writeOff(20)] };
}

/** Net amount and tax for which the company is liable. */
async function readSelfAssessed(client: BusinessClient, dateFrom: string, dateTo: string): Promise<unknown> {
  const report = getData(await client.get(`/api/reports/vat?dateFrom=${dateFrom}&dateTo=${dateTo}&period=all`));
  const [period] = report['periods'] as { rows: { direction: string; net: number; tax: number }[] }[];
  const row = period?.rows.find(({ direction }) => direction === 'self_assessed');
  return row === undefined ? null : [row.net, row.tax];
}

const lock = async (client: BusinessClient, lockedThrough: string): Promise<void> =>
  expect((await client.put('/api/config/period-lock', { lockedThrough })).status).toBe(200);
const voidWriteOff = async (client: BusinessClient, id: number): Promise<void> =>
  expect((await client.post(`/api/payables/write-offs/${id}/void`, { reason: 'Paid' })).status).toBe(200);
const migrate = async (): Promise<number> => runMigration(await getTestPlatform(), writeOffCharges);

test('a locked period keeps its entries, and the first open day has the correction of its write-offs', async () => {
  const { client, writeOffs } = await createCompany();
  await lock(client, '2025-03-31');
  await migrate();
  const march = ['2025-03-01', '2025-03-31'] as const;
  // As the version that posted it: the write-off changed neither the taxed amount nor the tax.
  const readMarch = async () => [await readSelfAssessed(client, ...march), await readBalances(client, ...march)];
  const locked = await readMarch();
  expect(locked).toEqual([[200, 38], { '1577': 38, '1600': -130, '1787': -38, '2709': -70, '3200': 200 }]);
  expect(await readSelfAssessed(client, '2025-04-01', '2025-04-01')).toEqual([-70, -13.3]);
  const corrections = { '1577': -13.3, '1787': 13.3 };
  expect(await readBalances(client, '2025-04-01', '2025-04-01')).toEqual(corrections);
  const entries = getRows(await client.get('/api/journal?dateFrom=2025-04-01&dateTo=2025-04-01'));
  expect(entries.map(({ id, kind }) => [id, kind])).toEqual(
    writeOffs.map((id) => [`write_off_correction:payable:${id}`, 'write_off']),
  );
  const filters = { dateFrom: '2025-04-01', dateTo: '2025-04-01' };
  const request = { resource: 'journal', format: 'datev', filters };
  const { rows } = readDatevBatch((await createAndDownloadExport(client, request)).file.bytes);
  expect(bookDatevRows(rows)).toEqual(corrections);

  // A later void reverses the write-off as it is since its correction, in the open period.
  await voidWriteOff(client, writeOffs[0]);
  await migrate();
  expect(await readMarch()).toEqual(locked);
  expect(await readSelfAssessed(client, today, today)).toEqual([50, 9.5]);
  expect(await readSelfAssessed(client, '2025-03-01', today)).toEqual([180, 34.2]);
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});

test('a write-off of an open period reduces the tax itself, and a reversed one of a locked period is not corrected', async () => {
  const { client, writeOffs } = await createCompany();
  await lock(client, '2025-03-09');
  await migrate();
  expect(await readSelfAssessed(client, '2025-03-01', '2025-03-31')).toEqual([130, 24.7]);

  await voidWriteOff(client, writeOffs[0]);
  await lock(client, today);
  await migrate();
  expect(await readSelfAssessed(client, '2025-03-01', '2025-03-31')).toEqual([200, 38]);
  expect(await readSelfAssessed(client, today, today)).toBeNull();
  // The first open day, which is tomorrow, corrects the other one.
  expect(await readSelfAssessed(client, '2025-03-01', '9999-12-31')).toEqual([180, 34.2]);
});

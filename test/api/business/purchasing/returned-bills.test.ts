import fc from 'fast-check';
import { addProduct, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

/** Bills in another currency whose goods are returned completely, in any parts: nothing is left of them anywhere. */

let client: BusinessClient;
let vendorId: number;
/** A rate of 19 %, one of 7 %, one of two taxes, and one whose tax the buyer is liable for. */
let taxRateIds: number[];
let productIds: number[];
/** Days of this test, one after another, so that each case has exchange rates of its own. */
let day = new Date('2025-01-01T00:00:00Z').getTime();

const nextDay = (): string => new Date((day += 86_400_000)).toISOString().slice(0, 10);

beforeAll(async () => {
  client = await createBusinessClient('Returned bills');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
  const addRate = async (fields: object): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { category: 'S', ...fields }));
  const components = [
    { name: 'State', percent: 5 },
    { name: 'County', percent: 9.975 },
  ];
  taxRateIds = [
    await addRate({ name: 'Standard', percent: 19 }),
    await addRate({ name: 'Reduced', percent: 7 }),
    await addRate({ name: 'Two taxes', percent: 14.975, components }),
    await addRate({ name: 'Buyer liable', category: 'AE', percent: 0, exemptionReason: 'Buyer liable' }),
  ];
  productIds = [];
  for (const taxRateId of taxRateIds) productIds.push(await addProduct(client, { taxRateId }));
});
afterAll(closeTestPlatform);

interface Case {
  /** Quantity and unit cost of each line, and the position of its tax rate. */
  lines: { units: number; cents: number; rate: number }[];
  receiptRate: number;
  billRate: number;
  /** For each return, the units of each line; what is left at the end is returned without lines. */
  returns: number[][];
}

const setRate = async (date: string, rate: number): Promise<void> => {
  const response = await client.post('/api/config/exchange-rates', { currencyCode: 'USD', date, rate });
  expect(response.status).toBe(201);
};

async function receive({ lines, receiptRate }: Case, date: string): Promise<number> {
  await setRate(date, receiptRate);
  const ordered = lines.map(({ units, cents, rate }) => ({
    productId: productIds[rate],
    quantity: units,
    unitCost: cents / 100,
    taxRateId: taxRateIds[rate],
  }));
  const order = { vendorId, lines: ordered, currencyCode: 'USD', orderDate: date };
  const id = getCreatedId(await client.post('/api/purchase-orders', order));
  const received = await client.post(`/api/purchase-orders/${id}/receive`, { date });
  expect(received.status).toBe(201);
  return (getData(received)['receipt'] as { id: number }).id;
}

async function bill({ lines, billRate }: Case, receiptId: number, date: string): Promise<number> {
  await setRate(date, billRate);
  const billed = lines.map(({ units, cents, rate }) => ({
    productId: productIds[rate],
    quantity: units,
    unitCost: cents / 100,
    taxRateId: taxRateIds[rate],
  }));
  const fields = { vendorId, number: `B-${date}`, date, currencyCode: 'USD', receiptIds: [receiptId], lines: billed };
  return getCreatedId(await client.post('/api/payables', fields));
}

/** Returns the units of a case, and then what is left. */
async function returnAll({ lines, returns }: Case, receiptId: number): Promise<void> {
  const left = lines.map(({ units }) => units);
  const post = async (fields: object): Promise<void> => {
    const date = nextDay();
    const returned = await client.post('/api/vendor-returns', { receiptId, reason: 'Broken', date, ...fields });
    expect(returned.status).toBe(201);
  };
  for (const units of returns) {
    const taken = units.map((each, index) => Math.min(each, left[index] ?? 0));
    const sent = taken.flatMap((quantity, index) => (quantity > 0 ? [{ lineId: index + 1, quantity }] : []));
    if (sent.length === 0) continue;
    await post({ lines: sent });
    taken.forEach((each, index) => {
      left[index] = (left[index] ?? 0) - each;
    });
  }
  if (left.some((each) => each > 0)) await post({});
}

/** Everything that does not end at zero: accounts, tax rates with their components, and what is open of the vendor. */
async function readRemains(): Promise<unknown> {
  const { accounts } = getData(await client.get('/api/reports/trial-balance')) as {
    accounts: { name: string; closing: number }[];
  };
  const vat = getData(await client.get('/api/reports/vat?dateFrom=2025-01-01&dateTo=2026-12-31&period=all'));
  const rows = (vat['periods'] as { rows: VatRow[] }[]).flatMap((period) => period.rows);
  const parts = rows.flatMap((row) => [row, ...row.components]);
  const aging = getData(await client.get('/api/payables/aging'))['total'] as { net: number };
  return {
    accounts: accounts.filter(({ closing }) => closing !== 0).map(({ name, closing }) => [name, closing]),
    rates: parts.filter(({ net, tax }) => net !== 0 || tax !== 0),
    open: aging.net,
  };
}

interface VatRow {
  net: number;
  tax: number;
  components: VatRow[];
}

const NOTHING = { accounts: [], rates: [], open: 0 };

async function expectNoRemains(example: Case): Promise<void> {
  const receiptId = await receive(example, nextDay());
  const billId = await bill(example, receiptId, nextDay());
  await returnAll(example, receiptId);
  expect(await readRemains()).toEqual(NOTHING);
  expect(getData(await client.get(`/api/payables/${billId}`))).toMatchObject({ open: 0 });
}

async function expectNoViolations(): Promise<void> {
  const { violations, invariants } = getData(await client.post('/api/admin/invariants', undefined)) as {
    violations: number;
    invariants: { violations: number }[];
  };
  expect([violations, invariants.filter((each) => each.violations > 0)]).toEqual([0, []]);
}

test('returning one line after another of a bill with two tax rates leaves no cent at a rate', async () => {
  // Both rates have 10.05 USD, 11.055 EUR, of which the first gets the cent of the total of 22.11 EUR.
  const line = { units: 1, cents: 1005 };
  const lines = [
    { ...line, rate: 0 },
    { ...line, rate: 1 },
  ];
  await expectNoRemains({ lines, receiptRate: 1.1, billRate: 1.1, returns: [[0, 1]] });
});

test('returning a bill for whose tax the buyer is liable in parts leaves nothing of that tax', async () => {
  // 19 % of 0.50 is 0.10 for each unit, but that of 1.00 is 0.19.
  const lines = [{ units: 2, cents: 50, rate: 3 }];
  await expectNoRemains({ lines, receiptRate: 1, billRate: 1, returns: [[1]] });
});

test('returning a bill at another exchange rate than its receipt leaves neither a gain nor a loss', async () => {
  const lines = [{ units: 3, cents: 1000, rate: 0 }];
  await expectNoRemains({ lines, receiptRate: 0.9, billRate: 0.95, returns: [[1]] });
});

test('returning everything leaves nothing, whatever the lines, the exchange rates and the parts', async () => {
  const line = fc.record({
    units: fc.integer({ min: 1, max: 5 }),
    cents: fc.integer({ min: 1, max: 5000 }),
    rate: fc.integer({ min: 0, max: 3 }),
  });
  const rate = fc.integer({ min: 100, max: 30_000 }).map((value) => value / 10_000);
  const example: fc.Arbitrary<Case> = fc.record({
    lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    receiptRate: rate,
    billRate: rate,
    returns: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }), { maxLength: 3 }),
  });
  // The books of all cases together stay at zero, so that a failure is not shrunk.
  await fc.assert(fc.asyncProperty(example, expectNoRemains), { numRuns: 20, endOnFailure: true });
  await expectNoViolations();
});

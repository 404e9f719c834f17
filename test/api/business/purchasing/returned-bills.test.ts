import fc from 'fast-check';
import { getData } from '../../../support/business/client';
import { ForeignPurchases, NOTHING_LEFT } from '../../../support/business/foreign-purchases';
import type { PurchasedLine } from '../../../support/business/foreign-purchases';
import { closeTestPlatform } from '../../../support/tenant';

/** Bills in another currency whose goods are returned completely, in any parts: nothing is left of them anywhere. */

let purchases: ForeignPurchases;

beforeAll(async () => {
  purchases = await ForeignPurchases.create('Returned bills');
});
afterAll(closeTestPlatform);

interface Case {
  lines: PurchasedLine[];
  receiptRate: number;
  billRate: number;
  /** For each return, the units of each line; what is left at the end is returned without lines. */
  returns: number[][];
}

/** Returns the units of a case, and then what is left. */
async function returnAll({ lines, returns }: Case, receiptId: number): Promise<void> {
  const left = lines.map(({ units }) => units);
  for (const units of returns) {
    const taken = left.map((each, index) => Math.min(each, units[index] ?? 0));
    if (taken.every((each) => each === 0)) continue;
    await purchases.giveBack(receiptId, taken);
    taken.forEach((each, index) => {
      left[index] = (left[index] ?? 0) - each;
    });
  }
  if (left.some((each) => each > 0)) await purchases.giveBack(receiptId);
}

async function expectNoRemains(example: Case): Promise<void> {
  const receiptId = await purchases.receive(example.lines, await purchases.nextDay(example.receiptRate));
  const billId = await purchases.bill(example.lines, [receiptId], await purchases.nextDay(example.billRate));
  await returnAll(example, receiptId);
  expect(await purchases.readRemains()).toEqual(NOTHING_LEFT);
  expect(getData(await purchases.client.get(`/api/payables/${billId}`))).toMatchObject({ open: 0 });
}

test('goods are credited as they were billed, also at another cost than they were received', async () => {
  const lines = [
    { units: 3, cents: 1000, billedCents: 1033, rate: 0 },
    { units: 2, cents: 1000, billedCents: 950, rate: 1 },
  ];
  await expectNoRemains({
    lines,
    receiptRate: 0.9,
    billRate: 0.95,
    returns: [
      [1, 0],
      [1, 1],
    ],
  });
});

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

/** Receives goods in two parts, returns some of the first, bills what is left with one bill, and returns it. */
async function expectPartsToLeaveNothing(lines: readonly PurchasedLine[], rates: readonly number[]): Promise<void> {
  const orderId = await purchases.order(lines, await purchases.nextDay(rates[0]));
  const parts = lines.map(({ units }) => Math.ceil(units / 2));
  const first = await purchases.receiveOrder(orderId, await purchases.nextDay(rates[1]), parts);
  const second = await purchases.receiveOrder(orderId, await purchases.nextDay(rates[2]));
  const returned = lines.map((_, index) => (index === 0 ? 1 : 0));
  await purchases.giveBack(first, returned);
  const left = lines.map((line, index) => ({ ...line, units: line.units - (returned[index] ?? 0) }));
  const billId = await purchases.bill(left, [first, second], await purchases.nextDay(rates[3]));
  const rest = parts.map((part, index) => part - (returned[index] ?? 0));
  await purchases.giveBack(
    first,
    rest.map((units) => Math.ceil(units / 2)),
  );
  await purchases.giveBack(second);
  if (rest.some((units) => units > 1)) await purchases.giveBack(first);
  expect(await purchases.readRemains()).toEqual(NOTHING_LEFT);
  expect(await purchases.readOpen(billId)).toBe(0);
}

test('returning a bill of two receipts whose taxes were rounded apart leaves no cent', async () => {
  // 19 % of 0.03 is 0.01 for each receipt, but that of 0.09 is 0.02.
  const lines = [{ units: 4, cents: 3, rate: 0 }];
  await expectPartsToLeaveNothing(lines, [1, 1, 1, 1]);
});

test('returning a bill of several receipts leaves nothing, whatever the lines and the exchange rates', async () => {
  const line = fc.record({ units: fc.integer({ min: 4, max: 9 }), cents: fc.integer({ min: 1, max: 5000 }) });
  const rate = fc.integer({ min: 100, max: 30_000 }).map((value) => value / 10_000);
  const lines = fc.array(line, { minLength: 1, maxLength: 3 });
  const rates = fc.array(rate, { minLength: 4, maxLength: 4 });
  const property = fc.asyncProperty(lines, rates, (found, each) =>
    expectPartsToLeaveNothing(
      found.map((own, index) => ({ ...own, rate: index })),
      each,
    ),
  );
  await fc.assert(property, { numRuns: 10, endOnFailure: true });
  await purchases.expectNoViolations();
});

test('returning everything leaves nothing, whatever the lines, the costs, the exchange rates and the parts', async () => {
  const units = fc.integer({ min: 1, max: 5 });
  const cents = fc.integer({ min: 1, max: 5000 });
  const rateIndex = fc.integer({ min: 0, max: 3 });
  const asReceived = fc.array(fc.record({ units, cents, rate: rateIndex }), { minLength: 1, maxLength: 4 });
  // A bill that charges one product at several costs is credited at those of the receipt.
  const atOtherCosts = fc.uniqueArray(fc.record({ units, cents, billedCents: cents, rate: rateIndex }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ rate }) => rate,
  });
  const rate = fc.integer({ min: 100, max: 30_000 }).map((value) => value / 10_000);
  const example: fc.Arbitrary<Case> = fc.record({
    lines: fc.oneof(asReceived, atOtherCosts),
    receiptRate: rate,
    billRate: rate,
    returns: fc.array(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }), { maxLength: 3 }),
  });
  // The books of all cases together stay at zero, so that a failure is not shrunk.
  await fc.assert(fc.asyncProperty(example, expectNoRemains), { numRuns: 20, endOnFailure: true });
  await purchases.expectNoViolations();
});

import fc from 'fast-check';
import { getCreatedId, getData } from '../../../support/business/client';
import { ForeignPurchases, NOTHING_LEFT } from '../../../support/business/foreign-purchases';
import type { PurchasedLine } from '../../../support/business/foreign-purchases';
import { closeTestPlatform } from '../../../support/tenant';

/** Bills in another currency that are voided and recorded again, between returns: nothing is left of the wrong ones. */

let purchases: ForeignPurchases;

beforeAll(async () => {
  purchases = await ForeignPurchases.create('Voided purchases');
});
afterAll(closeTestPlatform);

/** A bill that is voided. */
interface WrongBill {
  /** Cost of every unit. */
  cents: number;
  exchangeRate: number;
  /** Whether it charges all units that are left, or one of each line. */
  isComplete: boolean;
  isCredited: boolean;
  /** Whether a unit is returned before the next bill. */
  isReturned: boolean;
}

interface Case {
  lines: PurchasedLine[];
  exchangeRates: [order: number, first: number, second: number, bill: number];
  wrong: WrongBill[];
}

interface Receipt {
  id: number;
  /** Units of each line that are not returned. */
  left: number[];
}

/** Everything that a void restores: what is open and billed of the receipts, all accounts and taxes. */
const readState = async (receipts: readonly Receipt[]): Promise<unknown> => ({
  remains: await purchases.readRemains(),
  receipts: await Promise.all(
    receipts.map(async ({ id }) => getData(await purchases.client.get(`/api/payables/${id}`))),
  ),
});

/** Records a credit note for a cent of a bill, takes it back from the bill, and voids it. */
async function creditAndVoid(billId: number): Promise<void> {
  const lines = [{ description: 'Discount', quantity: 1, unitCost: 0.01 }];
  const date = await purchases.nextDay();
  const body = {
    vendorId: purchases.vendorId,
    number: `C-${date}`,
    date,
    currencyCode: 'USD',
    payableId: billId,
    lines,
  };
  const id = getCreatedId(await purchases.client.post('/api/payables/credit-notes', body));
  const { client } = purchases;
  const listed = await client.get(`/api/payables/allocations?creditNoteId=${id}`);
  for (const allocation of listed.body['data'] as { id: number }[])
    expect((await client.post(`/api/payables/allocations/${allocation.id}/reverse`, { reason: 'Undone' })).status).toBe(
      200,
    );
  await purchases.voidDocument(id);
}

/** Returns a unit of the first line of which something is left. */
async function returnOne(receipts: readonly Receipt[]): Promise<void> {
  for (const { id, left } of receipts) {
    const index = left.findIndex((units) => units > 1);
    if (index < 0) continue;
    await purchases.giveBack(
      id,
      left.map((_, position) => (position === index ? 1 : 0)),
    );
    left[index] = (left[index] ?? 0) - 1;
    return;
  }
}

const sumLeft = (receipts: readonly Receipt[], index: number): number =>
  receipts.reduce((total, { left }) => total + (left[index] ?? 0), 0);

async function expectNoTrace({ lines, exchangeRates, wrong }: Case): Promise<void> {
  const [ordered, received, receivedLater, billed] = exchangeRates;
  const orderId = await purchases.order(lines, await purchases.nextDay(ordered));
  const parts = lines.map(({ units }) => Math.ceil(units / 2));
  const receipts: Receipt[] = [
    { id: await purchases.receiveOrder(orderId, await purchases.nextDay(received), parts), left: parts },
    {
      id: await purchases.receiveOrder(orderId, await purchases.nextDay(receivedLater)),
      left: lines.map(({ units }, index) => units - (parts[index] ?? 0)),
    },
  ];
  const receiptIds = receipts.map(({ id }) => id);
  const toBilled = (units?: number) =>
    lines.map((line, index) => ({ ...line, units: units ?? sumLeft(receipts, index) }));
  let hasChangedToday = false;
  for (const { cents, exchangeRate, isComplete, isCredited, isReturned } of wrong) {
    const before = await readState(receipts);
    const charged = toBilled(isComplete ? undefined : 1).map((line) => ({ ...line, billedCents: cents }));
    const billId = await purchases.bill(charged, receiptIds, await purchases.nextDay(exchangeRate));
    if (isCredited) await creditAndVoid(billId);
    // Nothing is voided before the allocation of a credit note was reversed, which is today.
    hasChangedToday ||= isCredited;
    await purchases.voidDocument(billId, hasChangedToday ? undefined : await purchases.nextDay());
    expect(await readState(receipts)).toEqual(before);
    if (isReturned) await returnOne(receipts);
    await purchases.expectNoViolations();
  }
  const billId = await purchases.bill(toBilled(), receiptIds, await purchases.nextDay(billed));
  for (const { id } of receipts) await purchases.giveBack(id);
  expect(await purchases.readOpen(billId)).toBe(0);
  expect(await purchases.readRemains()).toEqual(NOTHING_LEFT);
  await purchases.expectNoViolations();
}

test('whatever is billed, credited and voided, and returned meanwhile, the next bill is as if it were the first', async () => {
  const rate = fc.integer({ min: 100, max: 30_000 }).map((value) => value / 10_000);
  const cents = fc.integer({ min: 1, max: 5000 });
  const example: fc.Arbitrary<Case> = fc.record({
    lines: fc.uniqueArray(
      fc.record({
        units: fc.integer({ min: 4, max: 9 }),
        cents,
        billedCents: cents,
        rate: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 1, maxLength: 3, selector: (line) => line.rate },
    ),
    exchangeRates: fc.tuple(rate, rate, rate, rate),
    wrong: fc.array(
      fc.record({
        cents,
        exchangeRate: rate,
        isComplete: fc.boolean(),
        isCredited: fc.boolean(),
        isReturned: fc.boolean(),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  });
  // The books of all cases together stay at zero, so that a failure is not shrunk.
  await fc.assert(fc.asyncProperty(example, expectNoTrace), { numRuns: 8, endOnFailure: true });
});

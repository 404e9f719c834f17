import fc from 'fast-check';
import { ForeignPurchases, NOTHING_LEFT } from '../../../support/business/foreign-purchases';
import type { PurchasedLine } from '../../../support/business/foreign-purchases';
import { getCreatedId, getData, getRows } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';

/**
 * Bills in another currency that are paid, credited, refunded and written off in parts, at other exchange rates: the books
 * agree with the ledgers throughout, and nothing is left once all of it is undone and the goods are returned.
 */

let purchases: ForeignPurchases;

beforeAll(async () => {
  purchases = await ForeignPurchases.create('Undone settlements');
});
afterAll(closeTestPlatform);

const KINDS = ['pay', 'prepay', 'apply', 'reverse', 'return', 'refund', 'void', 'write_off', 'void_write_off'] as const;

/** One thing that is done: `share` is the part of what is possible, `choice` one of several records. */
interface Step {
  kind: (typeof KINDS)[number];
  share: number;
  choice: number;
  rate: number;
}

interface Case {
  lines: PurchasedLine[];
  receiptRate: number;
  billRate: number;
  steps: Step[];
}

interface Purchase {
  receiptId: number;
  billId: number;
}

interface Credit {
  reference: { paymentId: number } | { creditNoteId: number };
  left: number;
}

const toCents = (amount: number): number => Math.round(amount * 100) / 100;
const takeShare = (amount: number, share: number): number => toCents(Math.max(0.01, amount * share));
const select = <T>(from: readonly T[], { choice }: Step): T | undefined => from[choice % Math.max(1, from.length)];

const read = async (path: string): Promise<Record<string, unknown>[]> =>
  getRows(await purchases.client.get(`/api/payables/${path}`));
const post = (path: string, json: object) => purchases.client.post(`/api/payables/${path}`, json);
const succeed = async (path: string, json: object): Promise<void> =>
  expect([path, (await post(path, json)).body]).toMatchObject([path, { ok: true }]);

const readPayments = async (type: 'payment' | 'refund'): Promise<number[]> =>
  (await read('payments?pageSize=100'))
    .filter((each) => each['type'] === type && each['status'] === 'posted')
    .map(({ id }) => Number(id));
const readWriteOffs = async (): Promise<number[]> =>
  (await read('write-offs?pageSize=100')).filter(({ status }) => status === 'posted').map(({ id }) => Number(id));

/** The credit notes of the returns of a receipt. */
const readNotes = async ({ receiptId }: Purchase): Promise<number[]> =>
  getRows(await purchases.client.get(`/api/vendor-returns?receiptId=${receiptId}&pageSize=100`)).map(
    ({ creditNoteId }) => Number(creditNoteId),
  );

/** Payments and credit notes of which something is left. */
async function readCredits(purchase: Purchase): Promise<Credit[]> {
  const credits: Credit[] = [];
  for (const paymentId of await readPayments('payment')) {
    const { unapplied } = getData(await purchases.client.get(`/api/payables/payments/${paymentId}`));
    credits.push({ reference: { paymentId }, left: Number(unapplied) });
  }
  for (const creditNoteId of await readNotes(purchase))
    credits.push({ reference: { creditNoteId }, left: await purchases.readOpen(creditNoteId) });
  return credits.filter(({ left }) => left > 0);
}

async function pay({ billId: documentId }: Purchase, { share, rate, kind }: Step): Promise<void> {
  const open = await purchases.readOpen(documentId);
  const amount = takeShare(open === 0 ? 10 : open, share);
  if (kind === 'pay' && open === 0) return;
  const allocations = kind === 'pay' ? [{ documentId, amount }] : [];
  const { vendorId } = purchases;
  const date = await purchases.nextDay(rate);
  await succeed('payments', { vendorId, currencyCode: 'USD', amount, date, allocations });
}

async function applyCredit(purchase: Purchase, step: Step): Promise<void> {
  const open = await purchases.readOpen(purchase.billId);
  const credit = select(await readCredits(purchase), step);
  if (credit === undefined || open === 0) return;
  const amount = takeShare(Math.min(credit.left, open), step.share);
  const date = await purchases.nextDay(step.rate);
  await succeed('allocations', { ...credit.reference, documentId: purchase.billId, amount, date });
}

async function refund(purchase: Purchase, step: Step): Promise<void> {
  const credit = select(await readCredits(purchase), step);
  if (credit === undefined) return;
  const date = await purchases.nextDay(step.rate);
  await succeed('refunds', { ...credit.reference, amount: takeShare(credit.left, step.share), date });
}

/** Returns a part of what is left of one line; what was written off cannot be returned. */
async function giveBack({ receiptId }: Purchase, step: Step): Promise<void> {
  const { lines } = getData(await purchases.client.get(`/api/payables/${receiptId}`)) as {
    lines: { lineId: number; quantity: number; returned: number }[];
  };
  const left = lines.filter(({ quantity, returned }) => returned < quantity);
  const line = select(left, step);
  if (line === undefined) return;
  const quantity = Math.max(1, Math.floor((line.quantity - line.returned) * step.share));
  const sent = [{ lineId: line.lineId, quantity }];
  const date = await purchases.nextDay();
  const body = { receiptId, date, reason: 'Broken', lines: sent };
  const returned = await purchases.client.post('/api/vendor-returns', body);
  if (returned.status === 409) expect(returned.body['code']).toBe('credit_exceeds_bill');
  else expect(returned.status).toBe(201);
}

async function writeOff({ billId: documentId }: Purchase, { share }: Step): Promise<void> {
  const open = await purchases.readOpen(documentId);
  if (open === 0) return;
  const date = await purchases.nextDay();
  await succeed('write-offs', { documentId, amount: takeShare(open, share), date, reason: 'Waived' });
}

async function reverse(_: Purchase, step: Step): Promise<void> {
  const active = (await read('allocations?pageSize=100')).filter(({ reversedOn }) => reversedOn === null);
  const allocation = select(active, step);
  if (allocation !== undefined)
    await succeed(`allocations/${String(allocation['id'])}/reverse`, { reason: 'Applied to the wrong bill' });
}

/** Voids a payment; one that was refunded stays. */
async function voidPayment(_: Purchase, step: Step): Promise<void> {
  const id = select([...(await readPayments('payment')), ...(await readPayments('refund'))], step);
  if (id === undefined) return;
  const response = await post(`payments/${id}/void`, { reason: 'Returned by the bank' });
  if (response.status !== 200) expect(response.body['code']).toBe('payment_refunded');
}

async function voidWriteOff(_: Purchase, step: Step): Promise<void> {
  const id = select(await readWriteOffs(), step);
  if (id !== undefined) await succeed(`write-offs/${id}/void`, { reason: 'Paid' });
}

const ACTIONS: Readonly<Record<Step['kind'], (purchase: Purchase, step: Step) => Promise<void>>> = {
  pay,
  prepay: pay,
  apply: applyCredit,
  reverse,
  return: giveBack,
  refund,
  void: voidPayment,
  write_off: writeOff,
  void_write_off: voidWriteOff,
};

/** Takes back every payment and write-off, returns the goods that are left, and applies their credit to the bill. */
async function undo(purchase: Purchase): Promise<void> {
  const { receiptId, billId: documentId } = purchase;
  for (const type of ['refund', 'payment'] as const)
    for (const id of await readPayments(type)) await succeed(`payments/${id}/void`, { reason: 'Undone' });
  for (const id of await readWriteOffs()) await succeed(`write-offs/${id}/void`, { reason: 'Undone' });
  const { lines } = getData(await purchases.client.get(`/api/payables/${receiptId}`)) as {
    lines: { quantity: number; returned: number }[];
  };
  const date = await purchases.nextDay();
  if (lines.some(({ quantity, returned }) => returned < quantity))
    getCreatedId(await purchases.client.post('/api/vendor-returns', { receiptId, date, reason: 'Undone' }));
  for (const { reference, left } of await readCredits(purchase)) {
    const amount = Math.min(left, await purchases.readOpen(documentId));
    if (amount > 0) await succeed('allocations', { ...reference, documentId, amount });
  }
}

async function expectUndone({ lines, receiptRate, billRate, steps }: Case): Promise<void> {
  const receiptId = await purchases.receive(lines, await purchases.nextDay(receiptRate));
  const billId = await purchases.bill(lines, [receiptId], await purchases.nextDay(billRate));
  const purchase = { receiptId, billId };
  for (const step of steps) {
    await ACTIONS[step.kind](purchase, step);
    await purchases.expectNoViolations();
  }
  await undo(purchase);
  await purchases.expectNoViolations();
  expect(await purchases.readOpen(billId)).toBe(0);
  expect(await purchases.readRemains()).toEqual(NOTHING_LEFT);
}

test('whatever is settled of a bill in parts and taken back leaves nothing once the goods are returned', async () => {
  const rate = fc.integer({ min: 100, max: 30_000 }).map((value) => value / 10_000);
  const example: fc.Arbitrary<Case> = fc.record({
    lines: fc.array(
      fc.record({
        units: fc.integer({ min: 1, max: 5 }),
        cents: fc.integer({ min: 1, max: 5000 }),
        rate: fc.integer({ min: 0, max: 3 }),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    receiptRate: rate,
    billRate: rate,
    steps: fc.array(
      fc.record({
        kind: fc.constantFrom(...KINDS),
        share: fc.constantFrom(0.1, 0.37, 0.5, 1),
        choice: fc.nat(20),
        rate,
      }),
      { minLength: 1, maxLength: 8 },
    ),
  });
  // The books of all cases together stay at zero, so that a failure is not shrunk.
  await fc.assert(fc.asyncProperty(example, expectUndone), { numRuns: 8, endOnFailure: true });
});

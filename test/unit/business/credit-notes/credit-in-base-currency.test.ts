import fc from 'fast-check';
import { creditedBase } from '../../../../domain/business/credit-notes/credit-note-calculation';
import { Decimal, sum, ZERO } from '../../../../domain/business/decimal';
import { convertTotals } from '../../../../domain/business/invoices/invoice-calculation';
import { creditOwnInvoice, relievedBase } from '../../../../domain/business/payments/settlement';
import type { OpenAmounts } from '../../../../domain/business/payments/settlement';

interface Part {
  total: Decimal;
  taxTotal: Decimal;
}

const cents = (value: number): Decimal => new Decimal(value).div(100);
const amountOf = ({ total, taxTotal }: Part): Decimal => total.plus(taxTotal);

const part = fc
  .record({ total: fc.integer({ min: 1, max: 90_000 }), taxTotal: fc.nat(20_000) })
  .map(({ total, taxTotal }): Part => ({ total: cents(total), taxTotal: cents(taxTotal) }));
/** Ten significant digits at most, as rates have. */
const rate = fc.integer({ min: 1, max: 3_000_000 }).map((millionths) => new Decimal(millionths).div(1_000_000));
const decimals = fc.constantFrom(0, 2, 3);

/** An invoice that all these parts credit in full, as it stands open. */
const invoiceOf = (parts: readonly Part[], at: Decimal, places: number) => {
  const totals = { total: sum(parts.map((each) => each.total)), taxTotal: sum(parts.map((each) => each.taxTotal)) };
  const [original, base] = [amountOf(totals), convertTotals(totals, at, places)];
  const item = { original, originalBase: base.grandTotal, open: original, openBase: base.grandTotal };
  return { base, item };
};

/** Takes an amount out of an item. */
const less = (item: OpenAmounts, amount: Decimal, base: Decimal): OpenAmounts => ({
  ...item,
  open: item.open.minus(amount),
  openBase: item.openBase.minus(base),
});

/** Issues these credit notes one after another, with a payment before some, and books each on the receivable. */
function creditAll(parts: readonly Part[], payments: readonly number[], at: Decimal, places: number) {
  const { base, item: issued } = invoiceOf(parts, at, places);
  let item = issued;
  const notes = parts.map((now, index) => {
    const paid = Decimal.min(cents(payments[index] ?? 0), item.open);
    if (paid.gt(0)) item = less(item, paid, relievedBase(item, paid, places));
    const amounts = creditedBase(parts.slice(0, index), now, at, places);
    const credit = { amount: amountOf(now), base: amounts.grandTotal };
    const own = creditOwnInvoice(item, credit);
    item = less(item, own.applied, own.relieved);
    return {
      amounts,
      own,
      left: less({ ...item, open: credit.amount, openBase: credit.base }, own.applied, own.consumed),
    };
  });
  return { base, item, notes };
}

const shown = (values: readonly Decimal[]): string => sum(values).toFixed();

test('partial credit notes come to the invoice in base currency, whatever was paid in between', () => {
  const input = fc.tuple(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(60_000)), rate, decimals);
  fc.assert(
    fc.property(input, ([parts, payments, at, places]) => {
      const { base, notes } = creditAll(parts, payments, at, places);
      for (const name of ['total', 'taxTotal', 'grandTotal'] as const) {
        expect(shown(notes.map(({ amounts }) => amounts[name]))).toBe(base[name].toFixed());
        for (const { amounts } of notes) expect(amounts[name].gte(0)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('an unpaid invoice loses in base currency what each credit note says, and nothing is realised', () => {
  const input = fc.tuple(fc.array(part, { minLength: 1, maxLength: 8 }), rate, decimals);
  fc.assert(
    fc.property(input, ([parts, at, places]) => {
      const { item, notes } = creditAll(parts, [], at, places);
      for (const { amounts, own } of notes) {
        const said = amounts.grandTotal.toFixed();
        expect([own.consumed.toFixed(), own.relieved.toFixed()]).toEqual([said, said]);
      }
      expect([item.open.toFixed(), item.openBase.toFixed()]).toEqual(['0', '0']);
    }),
    { numRuns: 500 },
  );
});

test('whatever was paid, no base amount falls below zero, and none is left where nothing is open', () => {
  const input = fc.tuple(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(60_000)), rate, decimals);
  fc.assert(
    fc.property(input, ([parts, payments, at, places]) => {
      const { item, notes } = creditAll(parts, payments, at, places);
      for (const each of [item, ...notes.map(({ left }) => left)]) {
        expect(each.open.gte(ZERO) && each.openBase.gte(ZERO)).toBe(true);
        if (each.open.isZero()) expect(each.openBase.toFixed()).toBe('0');
      }
    }),
    { numRuns: 500 },
  );
});

test('what payments left a unit off is realised by the credit note that settles the rest', () => {
  const at = new Decimal('0.5');
  const issued = { original: cents(4), originalBase: cents(2), open: cents(4), openBase: cents(2) };
  const paid = less(issued, cents(1), relievedBase(issued, cents(1), 2));
  expect(paid.openBase.toFixed()).toBe('0.01');
  const { grandTotal } = creditedBase([], { total: cents(3), taxTotal: ZERO }, at, 2);
  const { applied, consumed, relieved } = creditOwnInvoice(paid, { amount: cents(3), base: grandTotal });
  expect([applied, consumed, relieved].map(String)).toEqual(['0.03', '0.02', '0.01']);
});

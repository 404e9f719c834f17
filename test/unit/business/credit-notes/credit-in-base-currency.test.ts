import fc from 'fast-check';
import { computeCreditedBase, sumBaseTotals } from '../../../../domain/business/credit-notes/credited-base';
import { sumTaxedAmounts } from '../../../../domain/business/taxed-amount';
import type { TaxedAmount } from '../../../../domain/business/taxed-amount';
import { Decimal, sum, ZERO } from '../../../../domain/business/decimal';
import { convertTotals } from '../../../../domain/business/invoices/invoice-calculation';
import type { BaseTotals } from '../../../../domain/business/invoices/invoice-calculation';
import { applyCreditToDocument, computeRelievedBase } from '../../../../domain/business/payments/settlement';
import type { OpenAmounts } from '../../../../domain/business/payments/settlement';

interface Part {
  total: Decimal;
  taxTotal: Decimal;
}

const toAmount = (value: number): Decimal => new Decimal(value).div(100);
const computeAmount = ({ total, taxTotal }: Part): Decimal => total.plus(taxTotal);

const part = fc
  .record({ total: fc.integer({ min: 1, max: 90_000 }), taxTotal: fc.nat(20_000) })
  .map(({ total, taxTotal }): Part => ({ total: toAmount(total), taxTotal: toAmount(taxTotal) }));
/** At most ten significant digits, as exchange rates have. */
const rate = fc.integer({ min: 1, max: 3_000_000 }).map((millionths) => new Decimal(millionths).div(1_000_000));
const decimals = fc.constantFrom(0, 2, 3);

/** Builds the open amounts of an invoice that these parts credit in full. */
const buildInvoice = (parts: readonly Part[], at: Decimal, places: number) => {
  const totals = { total: sum(parts.map((each) => each.total)), taxTotal: sum(parts.map((each) => each.taxTotal)) };
  const [original, base] = [computeAmount(totals), convertTotals(totals, at, places)];
  const item = { original, originalBase: base.grandTotal, open: original, openBase: base.grandTotal };
  return { base, item };
};

/** Reduces the open amount of an item. */
const subtract = (item: OpenAmounts, amount: Decimal, base: Decimal): OpenAmounts => ({
  ...item,
  open: item.open.minus(amount),
  openBase: item.openBase.minus(base),
});

const toTaxed = ({ total, taxTotal }: Part): TaxedAmount => ({ net: total, tax: taxTotal });
const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };

/** The totals in base currency of the credit notes of an invoice with one tax rate. */
function computeBases(parts: readonly Part[], at: Decimal, places: number): BaseTotals[] {
  const notes = parts.map(toTaxed);
  const whole = { invoiced: sumTaxedAmounts(notes), invoicedBase: toTaxed(buildInvoice(parts, at, places).base) };
  const bases: BaseTotals[] = [];
  for (const [index, credited] of notes.entries()) {
    const before = {
      creditedBefore: sumTaxedAmounts(notes.slice(0, index)),
      postedBase: sumTaxedAmounts(bases.map(toTaxed)),
    };
    const rate = { ...whole, ...before, credited, discount: NOTHING, deducted: NOTHING, discountBase: NOTHING };
    bases.push(sumBaseTotals(computeCreditedBase([rate], at, places)));
  }
  return bases;
}

/** Issues these credit notes one after another, with a payment before some, and books each on the receivable. */
function creditAll(parts: readonly Part[], payments: readonly number[], at: Decimal, places: number) {
  const { base, item: issued } = buildInvoice(parts, at, places);
  const bases = computeBases(parts, at, places);
  let item = issued;
  const notes = parts.map((now, index) => {
    const paid = Decimal.min(toAmount(payments[index] ?? 0), item.open);
    if (paid.gt(0)) item = subtract(item, paid, computeRelievedBase(item, paid, places));
    const amounts = bases[index] ?? base;
    const credit = { amount: computeAmount(now), base: amounts.grandTotal };
    const own = applyCreditToDocument(item, credit);
    item = subtract(item, own.applied, own.relieved);
    return {
      amounts,
      own,
      left: subtract({ ...item, open: credit.amount, openBase: credit.base }, own.applied, own.consumed),
    };
  });
  return { base, item, notes };
}

const formatSum = (values: readonly Decimal[]): string => sum(values).toFixed();

test('partial credit notes add up to the invoice in base currency, whatever was paid in between', () => {
  const input = fc.tuple(fc.array(part, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(60_000)), rate, decimals);
  fc.assert(
    fc.property(input, ([parts, payments, at, places]) => {
      const { base, notes } = creditAll(parts, payments, at, places);
      for (const name of ['total', 'taxTotal', 'grandTotal'] as const) {
        expect(formatSum(notes.map(({ amounts }) => amounts[name]))).toBe(base[name].toFixed());
        for (const { amounts } of notes) expect(amounts[name].gte(0)).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('each credit note reduces an unpaid invoice by its own base amount, without a realised difference', () => {
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

test('no base amount falls below zero, and none remains without an open amount, whatever was paid', () => {
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

test('a rounding difference of one unit after payments is realised by the credit note that settles the rest', () => {
  const at = new Decimal('0.5');
  const issued = { original: toAmount(4), originalBase: toAmount(2), open: toAmount(4), openBase: toAmount(2) };
  const paid = subtract(issued, toAmount(1), computeRelievedBase(issued, toAmount(1), 2));
  expect(paid.openBase.toFixed()).toBe('0.01');
  const parts = [3, 1].map((cents): Part => ({ total: toAmount(cents), taxTotal: ZERO }));
  const grandTotal = computeBases(parts, at, 2)[0]?.grandTotal ?? ZERO;
  const { applied, consumed, relieved } = applyCreditToDocument(paid, { amount: toAmount(3), base: grandTotal });
  expect([applied, consumed, relieved].map(String)).toEqual(['0.03', '0.02', '0.01']);
});

test('what a vendor credits beyond its bill is converted at the exchange rate, and never less than the bill', () => {
  const amounts = (net: string, tax: string): TaxedAmount => ({ net: new Decimal(net), tax: new Decimal(tax) });
  const bases: TaxedAmount[] = [];
  const credited = [amounts('6.00', '1.14'), amounts('4.05', '0.77'), amounts('2.00', '0.38')];
  for (const [index, each] of credited.entries()) {
    const rate = {
      invoiced: amounts('10.05', '1.91'),
      // 11.055 rounded up, as the rate with the largest remainder.
      invoicedBase: amounts('11.06', '2.10'),
      creditedBefore: sumTaxedAmounts(credited.slice(0, index)),
      credited: each,
      postedBase: sumTaxedAmounts(bases),
      discount: NOTHING,
      deducted: NOTHING,
      discountBase: NOTHING,
    };
    bases.push(...computeCreditedBase([rate], new Decimal('1.1'), 2));
  }
  expect(bases.map(({ net, tax }) => [net.toFixed(2), tax.toFixed(2)])).toEqual([
    ['6.60', '1.25'],
    ['4.46', '0.85'],
    // 12.05 at 1.1 are 13.255, 2.29 are 2.519.
    ['2.20', '0.42'],
  ]);
  const other = { invoiced: NOTHING, invoicedBase: NOTHING, creditedBefore: NOTHING, postedBase: NOTHING };
  const nothing = { discount: NOTHING, deducted: NOTHING, discountBase: NOTHING };
  const [base] = computeCreditedBase(
    [{ ...other, ...nothing, credited: amounts('10.00', '1.00') }],
    new Decimal('1.1'),
    2,
  );
  expect([base?.net.toFixed(), base?.tax.toFixed()]).toEqual(['11', '1.1']);
});

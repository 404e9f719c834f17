import fc from 'fast-check';
import { computeCreditedDiscount } from '../../../../domain/business/credit-notes/credited-discount';
import { sumTaxedAmounts } from '../../../../domain/business/taxed-amount';
import type { TaxedAmount } from '../../../../domain/business/taxed-amount';
import { Decimal, round, ZERO } from '../../../../domain/business/decimal';
import { divideByRate } from '../../../../domain/business/payments/deductions';

const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };
const amount = (net: Decimal | number | string, tax: Decimal | number | string): TaxedAmount => ({
  net: new Decimal(net),
  tax: new Decimal(tax),
});
const negate = ({ net, tax }: TaxedAmount): TaxedAmount => ({ net: net.neg(), tax: tax.neg() });
const show = (amounts: readonly TaxedAmount[]) => amounts.map(({ net, tax }) => [net.toNumber(), tax.toNumber()]);

/** Credits parts of rows one after another; every row has a rate of its own. */
function creditAll(
  invoiced: readonly TaxedAmount[],
  notes: readonly (readonly TaxedAmount[])[],
  posted: readonly TaxedAmount[],
): TaxedAmount[][] {
  let before = invoiced.map(() => NOTHING);
  let remaining = [...posted];
  return notes.map((credited) => {
    const rows = invoiced.map((row, index) => ({
      rateKey: String(index),
      invoiced: row,
      creditedBefore: before[index] ?? NOTHING,
      credited: credited[index] ?? NOTHING,
    }));
    const deducted = computeCreditedDiscount(
      rows,
      new Map(remaining.map((each, index) => [String(index), each] as const)),
      2,
    );
    before = before.map((each, index) => sumTaxedAmounts([each, credited[index] ?? NOTHING]));
    remaining = remaining.map((each, index) => sumTaxedAmounts([each, negate(deducted[index] ?? NOTHING)]));
    return deducted;
  });
}

test('a credit note deducts the discount that was taken, in the proportion of what it credits at each rate', () => {
  const invoiced = [amount(100, 19), amount(100, 7)];
  const posted = [amount(2, '0.38'), amount(2, '0.14')];
  expect(creditAll(invoiced, [invoiced], posted).map(show)).toEqual([
    [
      [2, 0.38],
      [2, 0.14],
    ],
  ]);
  const half = [amount(50, '9.5'), NOTHING];
  expect(creditAll(invoiced, [half, [half[0] ?? NOTHING, amount(100, 7)]], posted).map(show)).toEqual([
    [
      [1, 0.19],
      [0, 0],
    ],
    [
      [1, 0.19],
      [2, 0.14],
    ],
  ]);
});

test('2.38 over three units is 0.79, 0.80 and 0.79', () => {
  const notes = ['6.33', '6.34', '6.33'].map((tax) => [amount('33.33', tax)]);
  expect(creditAll([amount('99.99', 19)], notes, [amount(2, '0.38')]).map(show)).toEqual([
    [[0.66, 0.13]],
    [[0.67, 0.13]],
    [[0.67, 0.12]],
  ]);
});

test('what was credited before the customer took the discount is not reduced', () => {
  const row = {
    rateKey: '19',
    invoiced: amount(100, 19),
    creditedBefore: amount(50, '9.5'),
    credited: amount(50, '9.5'),
  };
  // The discount was granted on the other half.
  expect(show(computeCreditedDiscount([row], new Map([['19', amount(1, '0.19')]]), 2))).toEqual([[1, 0.19]]);
});

test('a discount that was taken back is returned by the credit notes that follow', () => {
  const row = { rateKey: '19', invoiced: amount(100, 19), creditedBefore: amount(50, '9.5') };
  const left = new Map([['19', amount(-1, '-0.19')]]);
  const credit = (credited: TaxedAmount) => show(computeCreditedDiscount([{ ...row, credited }], left, 2));
  expect(credit(amount(50, '9.5'))).toEqual([[-1, -0.19]]);
  expect(credit(amount(25, '4.75'))).toEqual([[-0.5, -0.1]]);
});

test('rows of one rate share its discount', () => {
  const rows = [30, 70].map((net) => ({
    rateKey: '0',
    invoiced: amount(net, 0),
    creditedBefore: NOTHING,
    credited: amount(net, 0),
  }));
  expect(show(computeCreditedDiscount(rows, new Map([['0', amount(3, 0)]]), 2))).toEqual([
    [0.9, 0],
    [2.1, 0],
  ]);
});

/** Rows of an invoice, each cut into parts that credit notes credit; tax is rounded cumulatively. */
const invoice = fc.array(
  fc.record({
    parts: fc.array(fc.integer({ min: 1, max: 300_000 }), { minLength: 3, maxLength: 3 }),
    percent: fc.constantFrom(0, 5.5, 7, 19, 21),
  }),
  { minLength: 1, maxLength: 4 },
);

test('crediting everything, in any parts, deducts exactly the discount of every rate, and no amount falls below zero', () => {
  fc.assert(
    fc.property(invoice, fc.integer({ min: 1, max: 9_999 }), fc.boolean(), (created, basisPoints, atOnce) => {
      const nets = created.map(({ parts }) => parts.map((_, at) => sumCents(parts.slice(0, at + 1))));
      const cumulative = nets.map((each, index) =>
        each.map((net) => amount(net, round(net.times(created[index]?.percent ?? 0).div(100), 2))),
      );
      const invoiced = cumulative.map((each) => each.at(-1) ?? NOTHING);
      const notes = [0, 1, 2].map((at) =>
        cumulative.map((each) => sumTaxedAmounts([each[at] ?? NOTHING, negate(each[at - 1] ?? NOTHING)])),
      );
      const gross = sumTaxedAmounts(invoiced);
      const discount = round(gross.net.plus(gross.tax).times(basisPoints).div(10_000), 2);
      const shares = divideByRate(
        invoiced.map((row, index) => ({ ...row, category: 'S' as const, percent: String(index) })),
        discount,
        2,
      );
      const posted = invoiced.map((_, index) => shares.find(({ percent }) => percent === String(index)) ?? NOTHING);
      const credited = atOnce ? [invoiced] : notes;
      const deducted = creditAll(invoiced, credited, posted);
      invoiced.forEach((_, index) => {
        const all = sumTaxedAmounts(deducted.map((note) => note[index] ?? NOTHING));
        expect([all.net.toFixed(), all.tax.toFixed()]).toEqual([
          posted[index]?.net.toFixed(),
          posted[index]?.tax.toFixed(),
        ]);
      });
      deducted.forEach((note, at) =>
        note.forEach((taken, index) => {
          const left = sumTaxedAmounts([credited[at]?.[index] ?? NOTHING, negate(taken)]);
          expect([left.net.gte(0), left.tax.gte(0)]).toEqual([true, true]);
        }),
      );
    }),
    { numRuns: 1000 },
  );
});

const sumCents = (cents: readonly number[]): Decimal =>
  cents.reduce((total, each) => total.plus(each), new Decimal(0)).div(100);

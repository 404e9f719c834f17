import fc from 'fast-check';
import { Decimal, MAX_AMOUNT, round, sum } from '../../../../domain/business/decimal';
import {
  calculateInvoice,
  convertTotals,
  exceedsLimit,
} from '../../../../domain/business/invoices/invoice-calculation';
import type { CalculationLine, TaxRounding } from '../../../../domain/business/invoices/invoice-calculation';

interface LineInput {
  quantity: number | string;
  price: number | string;
  percent: number | string;
  discount?: number | string;
  inclusive?: boolean;
}

const buildLine = ({ quantity, price, percent, discount = 0, inclusive = false }: LineInput): CalculationLine => ({
  quantity: new Decimal(quantity),
  unitPrice: new Decimal(price),
  discountPercent: new Decimal(discount),
  priceIncludesTax: inclusive,
  taxKey: `S:${percent}`,
  taxPercent: new Decimal(percent),
});

const computeFigures = (lines: LineInput[], rounding: TaxRounding = 'per_rate', decimals = 2) => {
  const result = calculateInvoice(lines.map(buildLine), decimals, rounding);
  return [result.total, result.taxTotal, result.grandTotal].map((value) => value.toFixed());
};
const repeatThrice = (input: LineInput): LineInput[] => [input, input, input];

describe('tax on prices without tax', () => {
  test('3 × (5 × 6.36) at 21 % carries 20.03 per rate and 20.04 per line', () => {
    const lines = repeatThrice({ quantity: 5, price: 6.36, percent: 21 });
    expect(computeFigures(lines)).toEqual(['95.4', '20.03', '115.43']);
    expect(computeFigures(lines, 'per_line')).toEqual(['95.4', '20.04', '115.44']);
  });

  test('3 × 99.99 at 25 % carries 74.99 per rate and 75.00 per line', () => {
    const lines = repeatThrice({ quantity: 1, price: 99.99, percent: 25 });
    expect(computeFigures(lines)).toEqual(['299.97', '74.99', '374.96']);
    expect(computeFigures(lines, 'per_line')).toEqual(['299.97', '75', '374.97']);
  });

  test('a discount is rounded before it is subtracted from the rounded gross', () => {
    const result = calculateInvoice(
      [buildLine({ quantity: 3, price: 0.335, percent: 10, discount: 33 })],
      2,
      'per_rate',
    );
    const [only] = result.lines;
    expect([only?.gross, only?.discount, only?.net].map((value) => value?.toFixed())).toEqual(['1.01', '0.33', '0.68']);
    expect(result.taxTotal.toFixed()).toBe('0.07');
  });

  test('amounts are rounded to the decimals of the currency, also for none and three', () => {
    expect(computeFigures([{ quantity: 1, price: 1005.5, percent: 10 }], 'per_rate', 0)).toEqual([
      '1006',
      '101',
      '1107',
    ]);
    expect(computeFigures([{ quantity: 1, price: 1.2345, percent: 5 }], 'per_rate', 3)).toEqual([
      '1.235',
      '0.062',
      '1.297',
    ]);
  });
});

describe('tax inside prices', () => {
  test('10.05 including 20 % is 8.38 + 1.67', () => {
    expect(computeFigures([{ quantity: 1, price: 10.05, percent: 20, inclusive: true }])).toEqual([
      '8.38',
      '1.67',
      '10.05',
    ]);
  });

  test('the customer pays exactly the sum of the marked prices, and line nets add up to the total', () => {
    const lines = repeatThrice({ quantity: 1, price: 9.99, percent: 19, inclusive: true });
    const result = calculateInvoice(lines.map(buildLine), 2, 'per_rate');
    expect(result.grandTotal.toFixed()).toBe('29.97');
    expect(sum(result.lines.map((row) => row.net)).eq(result.total)).toBe(true);
  });

  test('inclusive and exclusive lines of one rate are computed separately and added into one row', () => {
    const result = calculateInvoice(
      [
        buildLine({ quantity: 1, price: 10.05, percent: 20, inclusive: true }),
        buildLine({ quantity: 1, price: 10.05, percent: 20 }),
      ],
      2,
      'per_rate',
    );
    expect(result.taxes).toHaveLength(1);
    expect(result.taxes[0]?.net.toFixed()).toBe('18.43');
    expect(result.taxes[0]?.tax.toFixed()).toBe('3.68');
  });
});

describe('properties of every invoice', () => {
  const lineInput = fc.record({
    quantity: fc.integer({ min: 1, max: 5_000_000 }).map((value) => value / 1000),
    price: fc.integer({ min: 0, max: 99_999_999 }).map((value) => value / 10_000),
    percent: fc.constantFrom(0, 5.5, 7, 10, 19, 20, 21, 25),
    discount: fc.constantFrom(0, 2.5, 10, 33.3333, 100),
    inclusive: fc.boolean(),
  });
  const document = fc.tuple(
    fc.array(lineInput, { minLength: 1, maxLength: 20 }),
    fc.constantFrom<TaxRounding>('per_rate', 'per_line'),
    fc.constantFrom(0, 2, 3),
  );

  test('total + tax = grand total; lines, tax table and totals agree; nothing has more decimals than the currency', () => {
    fc.assert(
      fc.property(document, ([inputs, rounding, decimals]) => {
        const result = calculateInvoice(inputs.map(buildLine), decimals, rounding);
        expect(result.total.plus(result.taxTotal).eq(result.grandTotal)).toBe(true);
        expect(sum(result.lines.map((row) => row.net)).eq(result.total)).toBe(true);
        expect(sum(result.lines.map((row) => row.tax)).eq(result.taxTotal)).toBe(true);
        expect(sum(result.taxes.map((row) => row.net)).eq(result.total)).toBe(true);
        for (const row of result.lines)
          for (const value of [row.gross, row.discount, row.net, row.tax]) {
            expect(value.decimalPlaces()).toBeLessThanOrEqual(decimals);
            expect(value.gte(0)).toBe(true);
          }
      }),
    );
  });

  test('tax never changes inclusive prices: lines cost the marked price less discount', () => {
    fc.assert(
      fc.property(document, ([inputs, rounding, decimals]) => {
        const inclusive = inputs.map((input) => buildLine({ ...input, inclusive: true }));
        const result = calculateInvoice(inclusive, decimals, rounding);
        const marked = sum(result.lines.map((row) => row.gross.minus(row.discount)));
        expect(result.grandTotal.eq(marked)).toBe(true);
      }),
    );
  });

  test('tax per rate differs from the exact tax by at most half a unit for each kind of price', () => {
    fc.assert(
      fc.property(fc.array(lineInput, { minLength: 1, maxLength: 20 }), (inputs) => {
        const exclusive = inputs.map((input) => buildLine({ ...input, inclusive: false }));
        const result = calculateInvoice(exclusive, 2, 'per_rate');
        for (const row of result.taxes) expect(row.tax.eq(round(row.net.times(row.percent).div(100), 2))).toBe(true);
      }),
    );
  });

  test('the order of the lines does not change the totals', () => {
    fc.assert(
      fc.property(document, ([inputs, rounding, decimals]) => {
        const forward = calculateInvoice(inputs.map(buildLine), decimals, rounding);
        const backward = calculateInvoice([...inputs].reverse().map(buildLine), decimals, rounding);
        expect(backward.grandTotal.eq(forward.grandTotal)).toBe(true);
        expect(backward.taxTotal.eq(forward.taxTotal)).toBe(true);
      }),
    );
  });
});

test('an invoice above the largest amount is recognised', () => {
  const fits = calculateInvoice([buildLine({ quantity: 1, price: MAX_AMOUNT.toString(), percent: 0 })], 2, 'per_rate');
  const taxed = calculateInvoice([buildLine({ quantity: 1, price: MAX_AMOUNT.toString(), percent: 1 })], 2, 'per_rate');
  expect(exceedsLimit(fits)).toBe(false);
  expect(exceedsLimit(taxed)).toBe(true);
});

test('total and tax are converted and rounded separately, and the grand total is their sum', () => {
  const base = convertTotals({ total: new Decimal('10.05'), taxTotal: new Decimal('2.05') }, new Decimal('0.9'), 2);
  expect([base.total, base.taxTotal, base.grandTotal].map((value) => value.toFixed())).toEqual([
    '9.05',
    '1.85',
    '10.9',
  ]);
});

import fc from 'fast-check';
import { calculateCreditNote, computePayable } from '../../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditableLine, CreditedPart } from '../../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditableAdjustment } from '../../../../domain/business/credit-notes/credited-adjustments';
import { Decimal, round, sum, ZERO } from '../../../../domain/business/decimal';
import { signAdjustment } from '../../../../domain/business/invoices/adjustments';
import type { AdjustmentTerms, DocumentAdjustment } from '../../../../domain/business/invoices/adjustments';
import { calculateInvoice } from '../../../../domain/business/invoices/invoice-calculation';
import type {
  CalculationLine,
  InvoiceCalculation,
  TaxRounding,
} from '../../../../domain/business/invoices/invoice-calculation';

const buildLine = (
  unitPrice: number | string,
  taxPercent: number,
  more: Partial<CalculationLine> = {},
): CalculationLine => ({
  quantity: new Decimal(1),
  unitPrice: new Decimal(unitPrice),
  discountPercent: ZERO,
  priceIncludesTax: false,
  taxKey: String(taxPercent),
  taxPercent: new Decimal(taxPercent),
  ...more,
});
const percentOff = (percent: number): DocumentAdjustment => ({
  terms: { type: 'discount', percent: new Decimal(percent) },
  tax: null,
});
const amountOf = (type: 'discount' | 'charge', amount: number | string, taxPercent?: number): DocumentAdjustment => ({
  terms: { type, amount: new Decimal(amount) },
  tax: taxPercent === undefined ? null : { taxKey: String(taxPercent), taxPercent: new Decimal(taxPercent) },
});
const show = ({ total, taxTotal, grandTotal }: Pick<InvoiceCalculation, 'total' | 'taxTotal' | 'grandTotal'>) =>
  [total, taxTotal, grandTotal].map((value) => value.toFixed());
const calculate = (lines: CalculationLine[], adjustments: DocumentAdjustment[], rounding: TaxRounding = 'per_rate') =>
  calculateInvoice(lines, 2, rounding, adjustments);

describe('discounts and charges of a document', () => {
  test('a percentage reduces every rate, and tax is computed on what is left', () => {
    const result = calculate([buildLine(100, 19), buildLine(50, 7)], [percentOff(10)]);
    expect(
      result.adjustments.map(({ taxKey, amount, net, tax }) => [taxKey, ...[amount, net, tax].map(String)]),
    ).toEqual([
      ['19', '10', '10', '1.9'],
      ['7', '5', '5', '0.35'],
    ]);
    expect(result.taxes.map(({ net, tax }) => [net.toFixed(), tax.toFixed()])).toEqual([
      ['90', '17.1'],
      ['45', '3.15'],
    ]);
    expect(show(result)).toEqual(['135', '20.25', '155.25']);
  });

  test('an amount is spread over the rates without losing a cent', () => {
    const result = calculate([buildLine(10, 19), buildLine(10, 7), buildLine(10, 0)], [amountOf('discount', 10)]);
    expect(result.adjustments.map(({ amount }) => amount.toFixed())).toEqual(['3.34', '3.33', '3.33']);
    expect(result.total.toFixed()).toBe('20');
  });

  test('a charge at a rate of its own adds a row of the tax table', () => {
    const result = calculate([buildLine(100, 7)], [amountOf('charge', '4.90', 19)]);
    expect(result.taxes.map(({ percent, net, tax }) => [percent, net, tax].map((value) => value.toFixed()))).toEqual([
      ['7', '100', '7'],
      ['19', '4.9', '0.93'],
    ]);
  });

  test('an amount includes tax if the prices of all lines do: 119.00 less 11.90 is 107.10', () => {
    const result = calculate([buildLine(119, 19, { priceIncludesTax: true })], [amountOf('discount', '11.90')]);
    expect(show(result)).toEqual(['90', '17.1', '107.1']);
    expect(result.adjustments[0]).toMatchObject({ includesTax: true });
  });

  test('of a line apply to quantity × unit price, before tax is computed', () => {
    const adjustments: AdjustmentTerms[] = [
      { type: 'discount', percent: new Decimal(5) },
      { type: 'charge', amount: new Decimal('2.50') },
    ];
    const result = calculate(
      [buildLine('33.335', 20, { quantity: new Decimal(3), discountPercent: new Decimal(10), adjustments })],
      [],
    );
    // 100.01 − 10.00 − 5.00 + 2.50
    expect(result.lines[0]?.adjustments.map((value) => value.toFixed())).toEqual(['5', '2.5']);
    expect(show(result)).toEqual(['87.51', '17.5', '105.01']);
  });

  test('discounts above the amount of a line are reported', () => {
    const adjustments: AdjustmentTerms[] = [{ type: 'discount', amount: new Decimal('10.01') }];
    expect(calculate([buildLine(10, 0, { adjustments })], []).lines[0]?.isOverdiscounted).toBe(true);
    expect(calculate([buildLine('10.01', 0, { adjustments })], []).lines[0]?.isOverdiscounted).toBe(false);
  });
});

const termsOf = (type: 'discount' | 'charge') =>
  fc.oneof(
    fc.integer({ min: 1, max: 3000 }).map((each): AdjustmentTerms => ({ type, percent: new Decimal(each).div(100) })),
    fc.integer({ min: 1, max: 500 }).map((each): AdjustmentTerms => ({ type, amount: new Decimal(each).div(100) })),
  );
const anyTerms = fc.constantFrom('discount' as const, 'charge' as const).chain(termsOf);
const taxPercents = fc.constantFrom(0, 5.5, 7, 19, 21);
const anyLine = fc
  .record({
    quantity: fc.integer({ min: 1, max: 9 }),
    cents: fc.integer({ min: 1000, max: 99_999 }),
    percent: taxPercents,
    inclusive: fc.boolean(),
    adjustments: fc.array(anyTerms, { maxLength: 2 }),
  })
  .map(({ quantity, cents, percent, inclusive, adjustments }) =>
    buildLine(new Decimal(cents).div(100).toFixed(), percent, {
      quantity: new Decimal(quantity),
      priceIncludesTax: inclusive,
      adjustments,
    }),
  );
const anyAdjustment = fc
  .record({ terms: anyTerms, own: fc.option(taxPercents) })
  .map(({ terms, own }): DocumentAdjustment => ({
    terms,
    tax: own === null ? null : { taxKey: String(own), taxPercent: new Decimal(own) },
  }));
const anyInvoice = fc.record({
  lines: fc.array(anyLine, { minLength: 1, maxLength: 6 }),
  adjustments: fc.array(anyAdjustment, { maxLength: 3 }),
  rounding: fc.constantFrom<TaxRounding>('per_rate', 'per_line'),
});

/** The invoice as credit notes see it. */
function toCreditable(lines: readonly CalculationLine[], invoice: InvoiceCalculation) {
  const creditable = lines.map((line, index): CreditableLine => {
    const figures = invoice.lines[index];
    const changes = (line.adjustments ?? []).map(({ type }, position) =>
      signAdjustment(type, figures?.adjustments[position] ?? ZERO),
    );
    return {
      lineId: index + 1,
      quantity: line.quantity,
      payable: Decimal.max((figures?.gross ?? ZERO).minus(figures?.discount ?? ZERO).plus(sum(changes)), ZERO),
      priceIncludesTax: line.priceIncludesTax,
      taxKey: line.taxKey,
      taxPercent: line.taxPercent,
      creditedQuantity: ZERO,
      creditedPayable: ZERO,
    };
  });
  const adjustments = invoice.adjustments.map(
    ({ type, amount, includesTax, taxKey, taxPercent }, index): CreditableAdjustment => ({
      adjustmentId: index + 1,
      type,
      amount,
      includesTax,
      taxKey,
      taxPercent,
      credited: ZERO,
    }),
  );
  return { creditable, adjustments };
}

describe('the totals of any document with discounts and charges', () => {
  test('are the sums of lines, discounts and charges, also per rate, and no amount has more decimals', () => {
    fc.assert(
      fc.property(anyInvoice, ({ lines, adjustments, rounding }) => {
        const result = calculate(lines, adjustments, rounding);
        const signed = (pick: 'net' | 'tax', taxKey?: string) =>
          sum([
            ...result.lines
              .filter((_, index) => taxKey === undefined || lines[index]?.taxKey === taxKey)
              .map((each) => each[pick]),
            ...result.adjustments
              .filter((each) => taxKey === undefined || each.taxKey === taxKey)
              .map((each) => signAdjustment(each.type, each[pick])),
          ]);
        expect(signed('net').eq(result.total) && signed('tax').eq(result.taxTotal)).toBe(true);
        for (const row of result.taxes) {
          expect(signed('net', row.taxKey).eq(row.net) && signed('tax', row.taxKey).eq(row.tax)).toBe(true);
          // Prices with and without tax are rounded apart, and per_line rounds every amount.
          const parts = rounding === 'per_rate' ? 1 : lines.length + result.adjustments.length;
          expect(row.tax.minus(row.net.times(row.percent).div(100)).abs().lte(parts)).toBe(true);
        }
        expect(result.grandTotal.eq(result.total.plus(result.taxTotal))).toBe(true);
        for (const [index, { terms }] of adjustments.entries()) {
          const shares = result.adjustments.filter((share) => share.index === index);
          if ('amount' in terms) expect(sum(shares.map(({ amount }) => amount)).toFixed()).toBe(terms.amount.toFixed());
          else {
            const exact = sum(shares.map(({ base }) => base ?? ZERO))
              .times(terms.percent)
              .div(100);
            expect(
              sum(shares.map(({ amount }) => amount))
                .minus(round(exact, 2))
                .abs()
                .lte('0.01'),
            ).toBe(true);
          }
        }
        for (const value of [...result.adjustments.flatMap(({ amount, net, tax }) => [amount, net, tax]), result.total])
          expect(value.decimalPlaces()).toBeLessThanOrEqual(2);
      }),
      { numRuns: 300 },
    );
  });

  test('are credited exactly by crediting all lines, in any parts', () => {
    fc.assert(
      fc.property(anyInvoice, ({ lines, adjustments: requested, rounding }) => {
        const invoice = calculate(lines, requested, rounding);
        let { creditable, adjustments } = toCreditable(lines, invoice);
        const notes: CreditedPart[][] = [
          [{ lineId: 1, quantity: new Decimal(1) }],
          creditable.flatMap(({ lineId, quantity }) => {
            const left = lineId === 1 ? quantity.minus(1) : quantity;
            return left.gt(0) ? [{ lineId, quantity: left }] : [];
          }),
        ];
        const credited = notes
          .filter((parts) => parts.length > 0)
          .map((parts) => {
            const note = calculateCreditNote(creditable, parts, 2, rounding, adjustments);
            creditable = creditable.map((line) => {
              const part = parts.find(({ lineId }) => lineId === line.lineId);
              if (part === undefined || !('quantity' in part)) return line;
              return {
                ...line,
                creditedQuantity: line.creditedQuantity.plus(part.quantity),
                creditedPayable: line.creditedPayable.plus(computePayable(line, part, 2)),
              };
            });
            adjustments = adjustments.map((each) => {
              const now = note.adjustments.find(({ adjustmentId }) => adjustmentId === each.adjustmentId);
              return { ...each, credited: each.credited.plus(now?.amount ?? ZERO) };
            });
            expect(note.grandTotal.eq(note.total.plus(note.taxTotal))).toBe(true);
            return note;
          });
        const totals = {
          total: sum(credited.map(({ total }) => total)),
          taxTotal: sum(credited.map(({ taxTotal }) => taxTotal)),
          grandTotal: sum(credited.map(({ grandTotal }) => grandTotal)),
        };
        expect(show(totals)).toEqual(show(invoice));
      }),
      { numRuns: 300 },
    );
  });
});

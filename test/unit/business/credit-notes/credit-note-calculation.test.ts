import fc from 'fast-check';
import { calculateCreditNote, computePayable } from '../../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditableLine, CreditedPart } from '../../../../domain/business/credit-notes/credit-note-calculation';
import { Decimal, sum, ZERO } from '../../../../domain/business/decimal';
import { calculateInvoice } from '../../../../domain/business/invoices/invoice-calculation';
import type { CalculationLine, TaxRounding } from '../../../../domain/business/invoices/invoice-calculation';

/** The lines of an issued invoice, nothing credited yet. */
function issueInvoice(lines: readonly CalculationLine[], rounding: TaxRounding = 'per_rate') {
  const invoice = calculateInvoice(lines, 2, rounding);
  const creditable = lines.map((line, index): CreditableLine => {
    const figures = invoice.lines[index];
    return {
      lineId: index + 1,
      quantity: line.quantity,
      payable: (figures?.gross ?? ZERO).minus(figures?.discount ?? ZERO),
      priceIncludesTax: line.priceIncludesTax,
      taxKey: line.taxKey,
      taxPercent: line.taxPercent,
      creditedQuantity: ZERO,
      creditedPayable: ZERO,
    };
  });
  return { invoice, creditable };
}

/** Credits parts one after another. */
function creditAll(
  creditable: readonly CreditableLine[],
  notes: readonly CreditedPart[][],
  rounding: TaxRounding = 'per_rate',
) {
  let lines = [...creditable];
  return notes.map((parts) => {
    const note = calculateCreditNote(lines, parts, 2, rounding);
    lines = lines.map((line) => {
      const part = parts.find(({ lineId }) => lineId === line.lineId);
      if (part === undefined) return line;
      return {
        ...line,
        creditedQuantity: line.creditedQuantity.plus('quantity' in part ? part.quantity : ZERO),
        creditedPayable: line.creditedPayable.plus(computePayable(line, part, 2)),
      };
    });
    return note;
  });
}

const buildLine = (
  quantity: number,
  unitPrice: number,
  taxPercent: number,
  more: Partial<CalculationLine> = {},
): CalculationLine => ({
  quantity: new Decimal(quantity),
  unitPrice: new Decimal(unitPrice),
  discountPercent: ZERO,
  priceIncludesTax: false,
  taxKey: String(taxPercent),
  taxPercent: new Decimal(taxPercent),
  ...more,
});

const buildPart = (lineId: number, quantity: number): CreditedPart => ({ lineId, quantity: new Decimal(quantity) });

test('tax of 20.03 credited line by line is 6.68, 6.68 and 6.67', () => {
  const { creditable } = issueInvoice([buildLine(5, 6.36, 21), buildLine(5, 6.36, 21), buildLine(5, 6.36, 21)]);
  const notes = creditAll(creditable, [[buildPart(1, 5)], [buildPart(2, 5)], [buildPart(3, 5)]]);
  expect(notes.map(({ taxTotal }) => taxTotal.toFixed(2))).toEqual(['6.68', '6.68', '6.67']);
});

test('units with an amount are credited at it, and name what was credited of their price before', () => {
  const { creditable } = issueInvoice([buildLine(10, 10, 19)]);
  const amount = (value: number) => ({ lineId: 1, amount: new Decimal(value) });
  const [reduced, , rest] = creditAll(creditable, [
    [amount(5)],
    [buildPart(1, 4)],
    [{ ...buildPart(1, 6), ...amount(55) }],
  ]);
  expect(reduced?.lines).toMatchObject([{ quantity: null, payable: new Decimal(5) }]);
  expect(rest?.lines).toMatchObject([
    { quantity: new Decimal(6), payable: new Decimal(55), reduction: new Decimal(5), tax: new Decimal('10.45') },
  ]);
});

test('10.00 over three units is 3.33, 3.34 and 3.33', () => {
  const { creditable } = issueInvoice([buildLine(3, 3.333333, 0)]);
  const notes = creditAll(creditable, [[buildPart(1, 1)], [buildPart(1, 1)], [buildPart(1, 1)]]);
  expect(notes.map(({ total }) => total.toFixed(2))).toEqual(['3.33', '3.34', '3.33']);
});

test('crediting an inclusive price in full credits 8.38 and 1.67', () => {
  const { creditable } = issueInvoice([buildLine(1, 10.05, 20, { priceIncludesTax: true })]);
  const [note] = creditAll(creditable, [[buildPart(1, 1)]]);
  expect([note?.total.toFixed(2), note?.taxTotal.toFixed(2)]).toEqual(['8.38', '1.67']);
});

test('crediting everything in any parts credits exactly the invoice; lines add up to their credit note', () => {
  const lines = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 7 }),
      price: fc.integer({ min: 1, max: 99_999 }),
      percent: fc.constantFrom(0, 5.5, 7, 19, 21),
      inclusive: fc.boolean(),
      discount: fc.constantFrom(0, 10, 33.33),
    }),
    { minLength: 1, maxLength: 6 },
  );
  const rounding = fc.constantFrom<TaxRounding>('per_rate', 'per_line');
  fc.assert(
    fc.property(lines, rounding, fc.integer(), (created, how, seed) => {
      const invoiced = created.map((each) =>
        buildLine(each.quantity, each.price / 100, each.percent, {
          priceIncludesTax: each.inclusive,
          discountPercent: new Decimal(each.discount),
        }),
      );
      const { invoice, creditable } = issueInvoice(invoiced, how);
      const single = creditable.flatMap(({ lineId, quantity }) =>
        Array.from({ length: quantity.toNumber() }, () => [buildPart(lineId, 1)]),
      );
      // A fixed shuffle, since clients choose the order of credits.
      const order = single.map((parts, index) => ({ parts, at: Math.sin(seed + index * 7919) }));
      const notes = creditAll(
        creditable,
        order.sort((a, b) => a.at - b.at).map(({ parts }) => parts),
        how,
      );
      expect(sum(notes.map(({ total }) => total)).toString()).toBe(invoice.total.toString());
      expect(sum(notes.map(({ taxTotal }) => taxTotal)).toString()).toBe(invoice.taxTotal.toString());
      for (const note of notes) {
        expect(sum(note.lines.map(({ net, tax }) => net.plus(tax))).toString()).toBe(note.grandTotal.toString());
        expect(note.total.gte(0) && note.taxTotal.gte(0)).toBe(true);
      }
    }),
  );
});

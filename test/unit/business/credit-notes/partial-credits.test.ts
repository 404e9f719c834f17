import fc from 'fast-check';
import { divideTotals } from '../../../../domain/business/accounting/tax-postings';
import { calculateCreditNote, computePayable } from '../../../../domain/business/credit-notes/credit-note-calculation';
import type {
  CreditableLine,
  CreditedPart,
  CreditNoteCalculation,
} from '../../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditableAdjustment } from '../../../../domain/business/credit-notes/credited-adjustments';
import { computeCreditedBase } from '../../../../domain/business/credit-notes/credited-base';
import type { CreditedRate } from '../../../../domain/business/credit-notes/credited-base';
import { computeCreditedDiscount } from '../../../../domain/business/credit-notes/credited-discount';
import { sumTaxedAmounts } from '../../../../domain/business/taxed-amount';
import type { TaxedAmount } from '../../../../domain/business/taxed-amount';
import { Decimal, round, sum, ZERO } from '../../../../domain/business/decimal';
import { calculateInvoice, convertTotals } from '../../../../domain/business/invoices/invoice-calculation';
import type {
  CalculationLine,
  InvoiceCalculation,
  TaxRounding,
} from '../../../../domain/business/invoices/invoice-calculation';
import { divideByRate } from '../../../../domain/business/payments/deductions';

/** Invoices with several lines, rates and discounts, credited in random parts until nothing is left. */

const NOTHING: TaxedAmount = { net: ZERO, tax: ZERO };
const negate = ({ net, tax }: TaxedAmount): TaxedAmount => ({ net: net.neg(), tax: tax.neg() });
const show = ({ net, tax }: TaxedAmount): string[] => [net.toFixed(), tax.toFixed()];
const ZEROS = ['0', '0'];

interface Sample {
  lines: { quantity: number; price: number; percent: number; inclusive: boolean; discount: number }[];
  documentDiscount: number;
  rounding: TaxRounding;
  decimals: number;
  baseDecimals: number;
  exchangeRate: Decimal;
  /** What each credit note takes: a line, and how much of what is left of it, in percent. */
  cuts: { line: number; share: number; byAmount: boolean; withNext: boolean }[];
  /** The discount for early payment in basis points, and the number of the credit note before which it is taken. */
  earlyDiscount: number;
}

const sample: fc.Arbitrary<Sample> = fc.record({
  lines: fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: 1, max: 99_999 }),
      percent: fc.constantFrom(0, 5.5, 7, 19, 21),
      inclusive: fc.boolean(),
      discount: fc.constantFrom(0, 0, 10, 33.33),
    }),
    { minLength: 1, maxLength: 5 },
  ),
  documentDiscount: fc.constantFrom(0, 0, 5, 12.5),
  rounding: fc.constantFrom<TaxRounding>('per_rate', 'per_line'),
  decimals: fc.constantFrom(0, 2, 3),
  baseDecimals: fc.constantFrom(0, 2, 3),
  exchangeRate: fc.integer({ min: 1, max: 30_000_000 }).map((millionths) => new Decimal(millionths).div(1_000_000)),
  cuts: fc.array(
    fc.record({
      line: fc.nat(4),
      share: fc.integer({ min: 1, max: 100 }),
      byAmount: fc.boolean(),
      withNext: fc.boolean(),
    }),
    { maxLength: 8 },
  ),
  earlyDiscount: fc.constantFrom(0, 0, 200, 333),
});

/** The invoice, and its lines and adjustments of which nothing is credited. */
function issue({ lines, documentDiscount, rounding, decimals }: Sample) {
  const input = lines.map(({ quantity, price, percent, inclusive, discount }): CalculationLine => ({
    quantity: new Decimal(quantity),
    unitPrice: new Decimal(price).div(new Decimal(10).pow(decimals)),
    discountPercent: new Decimal(discount),
    priceIncludesTax: inclusive,
    taxKey: String(percent),
    taxPercent: new Decimal(percent),
  }));
  const terms = { type: 'discount', percent: new Decimal(documentDiscount) } as const;
  const invoice = calculateInvoice(input, decimals, rounding, documentDiscount === 0 ? [] : [{ terms, tax: null }]);
  const creditable = input.map((line, index): CreditableLine => {
    const { taxKey, taxPercent, priceIncludesTax, quantity } = line;
    const figures = invoice.lines[index];
    return {
      lineId: index + 1,
      quantity,
      payable: (figures?.gross ?? ZERO).minus(figures?.discount ?? ZERO),
      priceIncludesTax,
      taxKey,
      taxPercent,
      creditedQuantity: ZERO,
      creditedPayable: ZERO,
    };
  });
  const adjustments = invoice.adjustments.map((each, index): CreditableAdjustment => {
    const { type, amount, includesTax, taxKey, taxPercent } = each;
    return { adjustmentId: index + 1, type, amount, includesTax, taxKey, taxPercent, credited: ZERO };
  });
  return { invoice, creditable, adjustments };
}

/** In the sum of rounded rows, the tax of the last credit note is −1: earlier ones credited more tax than the invoice charges. */
const creditsMoreTaxFirst: Sample = {
  lines: [{ quantity: 2, price: 10, percent: 21, inclusive: true, discount: 0 }],
  documentDiscount: 12.5,
  rounding: 'per_line',
  decimals: 0,
  baseDecimals: 0,
  exchangeRate: new Decimal('0.5'),
  cuts: [
    { line: 0, share: 23, byAmount: false, withNext: false },
    { line: 0, share: 25, byAmount: false, withNext: false },
  ],
  earlyDiscount: 0,
};

/** The part of a line that a cut takes, or all that is left of it; none if nothing is left. */
function takePart(line: CreditableLine, share: number, byAmount: boolean, decimals: number): CreditedPart[] {
  const { lineId } = line;
  const left = line.payable.minus(line.creditedPayable);
  const units = line.quantity.minus(line.creditedQuantity);
  const quantity = share === 100 ? units : round(units.times(share).div(100), 0);
  const byUnits = { lineId, quantity };
  if (!byAmount && quantity.gt(0) && computePayable(line, byUnits, decimals).lte(left)) {
    const isRest = share !== 100 || computePayable(line, byUnits, decimals).eq(left);
    if (isRest) return [byUnits];
  }
  const amount = share === 100 ? left : round(left.times(share).div(100), decimals);
  return amount.gt(0) && amount.lte(left) ? [{ lineId, amount }] : [];
}

/** Credits the cuts, and then everything that is left. */
function creditAll({ cuts, decimals, rounding }: Sample, issued: ReturnType<typeof issue>): CreditNoteCalculation[] {
  let lines = issued.creditable;
  let { adjustments } = issued;
  const notes: CreditNoteCalculation[] = [];
  const credit = (choose: (line: CreditableLine, index: number) => CreditedPart[]): void => {
    const parts = lines.flatMap(choose);
    if (parts.length === 0) return;
    const note = calculateCreditNote(lines, parts, decimals, rounding, adjustments);
    lines = lines.map((line) => {
      const own = note.lines.find(({ lineId }) => lineId === line.lineId);
      if (own === undefined) return line;
      const creditedQuantity = line.creditedQuantity.plus(own.quantity ?? ZERO);
      return { ...line, creditedQuantity, creditedPayable: line.creditedPayable.plus(own.payable) };
    });
    adjustments = adjustments.map((each) => {
      const own = note.adjustments.find(({ adjustmentId }) => adjustmentId === each.adjustmentId);
      return own === undefined ? each : { ...each, credited: each.credited.plus(own.amount) };
    });
    notes.push(note);
  };
  for (const { line, share, byAmount, withNext } of cuts)
    credit((each, index) =>
      index === line % lines.length || (withNext && index === (line + 1) % lines.length)
        ? takePart(each, share, byAmount, decimals)
        : [],
    );
  credit((line) => takePart(line, 100, false, decimals));
  return notes;
}

const findRow = ({ taxes }: CreditNoteCalculation, key: string): TaxedAmount =>
  taxes.find(({ taxKey }) => taxKey === key) ?? NOTHING;

/** The rows of the invoice in base currency, as the journal posts them. */
function postInvoice({ taxes, ...totals }: InvoiceCalculation, { exchangeRate, decimals, baseDecimals }: Sample) {
  const base = convertTotals(totals, exchangeRate, baseDecimals);
  const { total, taxTotal } = totals;
  const rows = taxes.map(({ taxKey, net, tax }) => ({ category: 'S' as const, percent: taxKey, net, tax }));
  const settings = { exchangeRate, decimals, baseDecimals };
  return divideTotals({ rows, total, taxTotal, baseTotal: base.total, baseTaxTotal: base.taxTotal, ...settings });
}

/** The discount for early payment by rate, as it is granted on the whole invoice, and in base currency. */
function grantDiscount({ taxes, grandTotal }: InvoiceCalculation, of: Sample): [TaxedAmount, TaxedAmount][] {
  const { earlyDiscount, decimals, baseDecimals, exchangeRate } = of;
  const amount = round(grandTotal.times(earlyDiscount).div(10_000), decimals);
  const rows = taxes.map(({ taxKey, net, tax }) => ({ category: 'S' as const, percent: taxKey, net, tax }));
  const shares = amount.isZero() ? [] : divideByRate(rows, amount, decimals);
  return taxes.map(({ taxKey }) => {
    const share = shares.find(({ percent }) => percent === taxKey) ?? NOTHING;
    const convert = (value: Decimal): Decimal => round(value.times(exchangeRate), baseDecimals);
    return [share, { net: convert(share.net), tax: convert(share.tax) }];
  });
}

/** Converts the credit notes to base currency, one after another. @returns by note, by rate of the invoice */
function convertAll(of: Sample, invoice: InvoiceCalculation, notes: readonly CreditNoteCalculation[]) {
  const posted = postInvoice(invoice, of);
  const granted = grantDiscount(invoice, of);
  let rates = invoice.taxes.map(({ net, tax }, index): CreditedRate => ({
    invoiced: { net, tax },
    invoicedBase: { net: posted[index]?.baseNet ?? ZERO, tax: posted[index]?.baseTax ?? ZERO },
    creditedBefore: NOTHING,
    credited: NOTHING,
    postedBase: NOTHING,
    discount: granted[index]?.[0] ?? NOTHING,
    deducted: NOTHING,
    discountBase: granted[index]?.[1] ?? NOTHING,
  }));
  const converted = notes.map((note) => {
    const now = rates.map((rate, index) => ({
      ...rate,
      credited: findRow(note, invoice.taxes[index]?.taxKey ?? ''),
      rateKey: String(index),
    }));
    const remaining = new Map(rates.map(({ discount }, index) => [String(index), discount] as const));
    const deducted = computeCreditedDiscount(now, remaining, of.decimals);
    const noted = now.map((rate, index) => ({ ...rate, deducted: deducted[index] ?? NOTHING }));
    const base = computeCreditedBase(noted, of.exchangeRate, of.baseDecimals);
    rates = noted.map((rate, index) => ({
      ...rate,
      creditedBefore: sumTaxedAmounts([rate.creditedBefore, rate.credited]),
      postedBase: sumTaxedAmounts([rate.postedBase, base[index] ?? NOTHING]),
      discount: sumTaxedAmounts([rate.discount, negate(rate.deducted)]),
    }));
    return base;
  });
  return { rates, converted, posted };
}

test('partial credit notes of any lines bring net amount and tax of every rate exactly to those of the invoice', () => {
  fc.assert(
    fc.property(sample, (of) => {
      const issued = issue(of);
      const notes = creditAll(of, issued);
      for (const { taxKey, net, tax } of issued.invoice.taxes) {
        const credited = sumTaxedAmounts(notes.map((note) => findRow(note, taxKey)));
        expect(show(credited)).toEqual(show({ net, tax }));
      }
      for (const note of notes) {
        const lines = sumTaxedAmounts(note.lines);
        const less = sumTaxedAmounts(note.adjustments);
        expect(show(sumTaxedAmounts([lines, negate(less)]))).toEqual(show({ net: note.total, tax: note.taxTotal }));
      }
    }),
    { numRuns: 400 },
  );
});

test('in base currency, too, nothing is left at any rate, with and without a discount for early payment', () => {
  fc.assert(
    fc.property(sample, (of) => {
      const { invoice, ...issued } = issue(of);
      const { rates } = convertAll(of, invoice, creditAll(of, { invoice, ...issued }));
      for (const { invoicedBase, discountBase, postedBase, discount } of rates) {
        expect(show(discount)).toEqual(ZEROS);
        expect(show(sumTaxedAmounts([invoicedBase, negate(discountBase), negate(postedBase)]))).toEqual(ZEROS);
      }
    }),
    { numRuns: 400 },
  );
});

/** Whether an amount in base currency is zero or has the sign of the amount that it is converted from. */
const hasSameSide = (base: Decimal, amount: Decimal): boolean => base.isZero() || base.times(amount).gt(0);

test('no credit note posts an amount in base currency to a rate that it does not credit, or on the other side', () => {
  fc.assert(
    fc.property(sample, (drawn) => {
      const of = { ...drawn, earlyDiscount: 0 };
      const { invoice, ...issued } = issue(of);
      const notes = creditAll(of, { invoice, ...issued });
      const { converted } = convertAll(of, invoice, notes);
      converted.forEach((base, at) =>
        base.forEach((amounts, index) => {
          const row = invoice.taxes[index];
          const note = notes[at];
          if (row === undefined || note === undefined) return;
          const { net, tax } = findRow(note, row.taxKey);
          expect([hasSameSide(amounts.net, net), hasSameSide(amounts.tax, tax)]).toEqual([true, true]);
        }),
      );
    }),
    { numRuns: 300, examples: [[creditsMoreTaxFirst]] },
  );
});

test('a cent that credit notes of earlier versions left at another rate is posted by the one that completes the invoice', () => {
  const amounts = (net: string): TaxedAmount => ({ net: new Decimal(net), tax: ZERO });
  const rate = { discount: NOTHING, deducted: NOTHING, discountBase: NOTHING, invoiced: amounts('10.05') };
  const base = computeCreditedBase(
    [
      {
        ...rate,
        invoicedBase: amounts('11.06'),
        creditedBefore: NOTHING,
        credited: amounts('10.05'),
        postedBase: NOTHING,
      },
      {
        ...rate,
        invoicedBase: amounts('11.05'),
        creditedBefore: amounts('10.05'),
        credited: NOTHING,
        postedBase: amounts('11.06'),
      },
    ],
    new Decimal('1.1'),
    2,
  );
  expect(base.map(show)).toEqual([['11.05', '0'], ZEROS]);
  expect(sum(base.map(({ net }) => net)).toFixed()).toBe('11.05');
});

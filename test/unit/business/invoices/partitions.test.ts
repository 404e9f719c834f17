import fc from 'fast-check';
import { calculateCreditNote, computePayable } from '../../../../domain/business/credit-notes/credit-note-calculation';
import type { CreditableLine, CreditedPart } from '../../../../domain/business/credit-notes/credit-note-calculation';
import { CURRENCY_CODES, getCurrencyDecimals } from '../../../../domain/business/currencies';
import { Decimal, sum, ZERO } from '../../../../domain/business/decimal';
import { calculateInvoice } from '../../../../domain/business/invoices/invoice-calculation';
import type { CalculationLine, TaxRounding } from '../../../../domain/business/invoices/invoice-calculation';
import { computeRelievedBase } from '../../../../domain/business/payments/settlement';
import { divideRounded } from '../../../support/business/year/money';

/** All values are integers: thousandths of a unit, ten-thousandths of money, tenths and hundredths of a percent. */
interface WholeLine {
  quantity: number;
  price: number;
  rate: number;
  discount: number;
  inclusive: boolean;
}

const toCalculationLine = ({ quantity, price, rate, discount, inclusive }: WholeLine): CalculationLine => ({
  quantity: new Decimal(quantity).div(1000),
  unitPrice: new Decimal(price).div(10_000),
  discountPercent: new Decimal(discount).div(100),
  priceIncludesTax: inclusive,
  taxKey: String(rate),
  taxPercent: new Decimal(rate).div(10),
});

/** Computes net and tax of an amount with one rate, in the currency's smallest unit. */
function computeFigures(payable: bigint, rate: number, inclusive: boolean): { net: bigint; tax: bigint } {
  if (!inclusive) return { net: payable, tax: divideRounded(payable * BigInt(rate), 1000n) };
  const net = divideRounded(payable * 1000n, 1000n + BigInt(rate));
  return { net, tax: payable - net };
}

/** Reference implementation with integers only, independent of the service's code. */
function computeByHand(
  lines: readonly WholeLine[],
  decimals: number,
  rounding: TaxRounding,
): { total: bigint; tax: bigint } {
  const unit = 10n ** BigInt(decimals);
  const groups = new Map<string, { payable: bigint; rate: number; inclusive: boolean }>();
  for (const [index, { quantity, price, rate, discount, inclusive }] of lines.entries()) {
    const exact = BigInt(quantity) * BigInt(price) * unit;
    const gross = divideRounded(exact, 10_000_000n);
    const less = divideRounded(exact * BigInt(discount), 10_000_000n * 10_000n);
    const payable = gross > less ? gross - less : 0n;
    const key = [rate, inclusive, rounding === 'per_line' ? index : ''].join('/');
    const group = groups.get(key) ?? { payable: 0n, rate, inclusive };
    groups.set(key, { ...group, payable: group.payable + payable });
  }
  const parts = [...groups.values()].map(({ payable, rate, inclusive }) => computeFigures(payable, rate, inclusive));
  return {
    total: parts.reduce((all, { net }) => all + net, 0n),
    tax: parts.reduce((all, { tax }) => all + tax, 0n),
  };
}

const wholeLine = fc.record({
  quantity: fc.integer({ min: 1, max: 900_000 }),
  price: fc.integer({ min: 0, max: 90_000_000 }),
  rate: fc.constantFrom(0, 55, 70, 100, 190, 200, 210, 215, 250),
  discount: fc.constantFrom(0, 0, 250, 1000, 3333, 10_000),
  inclusive: fc.boolean(),
});
const rounding = fc.constantFrom<TaxRounding>('per_rate', 'per_line');
const decimals = fc.constantFrom(0, 2, 3);

test('every invoice equals the integer reference calculation, per rate and per line, with and without tax in the prices', () => {
  fc.assert(
    fc.property(fc.array(wholeLine, { minLength: 1, maxLength: 12 }), decimals, rounding, (lines, places, how) => {
      const { total, taxTotal } = calculateInvoice(lines.map(toCalculationLine), places, how);
      const expected = computeByHand(lines, places, how);
      const formatAmount = (value: bigint) => new Decimal(value.toString()).div(new Decimal(10).pow(places)).toFixed();
      expect([total.toFixed(), taxTotal.toFixed()]).toEqual([formatAmount(expected.total), formatAmount(expected.tax)]);
    }),
    { numRuns: 400 },
  );
});

test.each([0, 2, 3])('no amount of a currency with %i decimals has more decimals', (places) => {
  const codes = CURRENCY_CODES.filter((code) => getCurrencyDecimals(code) === places);
  expect(codes.length).toBeGreaterThan(5);
  const line = toCalculationLine({ quantity: 333, price: 12_345_678, rate: 215, discount: 3333, inclusive: true });
  const { lines, total, taxTotal, grandTotal } = calculateInvoice([line, line], places, 'per_rate');
  const amounts = [total, taxTotal, grandTotal, ...lines.flatMap(({ gross, net, tax }) => [gross, net, tax])];
  for (const amount of amounts) expect(amount.decimalPlaces()).toBeLessThanOrEqual(places);
});

/** Credits `share` of the rest of a line, by units or by amount; null if nothing is left. */
function buildPart(line: CreditableLine, share: number, byUnits: boolean, places: number): CreditedPart | null {
  const units = line.quantity.minus(line.creditedQuantity);
  const left = line.payable.minus(line.creditedPayable);
  if (byUnits && units.gt(0)) {
    const quantity = share === 10 ? units : units.times(share).div(10).toDecimalPlaces(3, Decimal.ROUND_UP);
    const part = { lineId: line.lineId, quantity: Decimal.min(quantity, units) };
    if (computePayable(line, part, places).lte(left)) return part;
  }
  const amount = share === 10 ? left : left.times(share).div(10).toDecimalPlaces(places, Decimal.ROUND_UP);
  return amount.gt(0) ? { lineId: line.lineId, amount: Decimal.min(amount, left) } : null;
}

function creditLine(line: CreditableLine, part: CreditedPart, places: number): CreditableLine {
  return {
    ...line,
    creditedQuantity: line.creditedQuantity.plus('quantity' in part ? part.quantity : ZERO),
    creditedPayable: line.creditedPayable.plus(computePayable(line, part, places)),
  };
}

test('credits by units and amounts, in any order and currency, add up to exactly the invoice and never exceed it', () => {
  const step = fc.record({ at: fc.nat(5), share: fc.integer({ min: 1, max: 10 }), byUnits: fc.boolean() });
  const input = fc.tuple(
    fc.array(wholeLine, { minLength: 1, maxLength: 5 }),
    decimals,
    rounding,
    fc.array(step, { maxLength: 12 }),
  );
  fc.assert(
    fc.property(input, ([wholes, places, how, steps]) => {
      const invoice = calculateInvoice(wholes.map(toCalculationLine), places, how);
      let lines = wholes.map(toCalculationLine).map((line, index): CreditableLine => {
        const payable = Decimal.max(
          (invoice.lines[index]?.gross ?? ZERO).minus(invoice.lines[index]?.discount ?? ZERO),
          ZERO,
        );
        const start = { creditedQuantity: ZERO, creditedPayable: ZERO };
        const { quantity, priceIncludesTax, taxKey, taxPercent } = line;
        return { lineId: index + 1, quantity, payable, priceIncludesTax, taxKey, taxPercent, ...start };
      });
      const totals: Decimal[] = [];
      const taxes: Decimal[] = [];
      const credit = (part: CreditedPart | null): void => {
        if (part === null) return;
        const note = calculateCreditNote(lines, [part], places, how);
        lines = lines.map((line) => (line.lineId === part.lineId ? creditLine(line, part, places) : line));
        totals.push(note.total);
        taxes.push(note.taxTotal);
        expect(sum(totals).lte(invoice.total) && sum(taxes).lte(invoice.taxTotal)).toBe(true);
        expect(note.total.gte(0) && note.taxTotal.gte(0)).toBe(true);
      };
      const nth = (at: number) => lines[at % lines.length];
      for (const { at, share, byUnits } of steps) {
        const line = nth(at);
        if (line !== undefined) credit(buildPart(line, share, byUnits, places));
      }
      for (const [at] of wholes.entries()) {
        const line = nth(at);
        if (line !== undefined) credit(buildPart(line, 10, false, places));
      }
      expect([sum(totals).toFixed(), sum(taxes).toFixed()]).toEqual([
        invoice.total.toFixed(),
        invoice.taxTotal.toFixed(),
      ]);
    }),
    { numRuns: 300 },
  );
});

test('settlements and reversals in any order reduce the base amount exactly once and never below zero', () => {
  const move = fc.record({ back: fc.boolean(), at: fc.nat(20), cents: fc.integer({ min: 1, max: 400_000 }) });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.integer({ min: 0, max: 3_000_000 }),
      fc.array(move, { maxLength: 30 }),
      decimals,
      (original, base, moves, places) => {
        const start = {
          original: new Decimal(original).div(100),
          originalBase: new Decimal(base).div(new Decimal(10).pow(places)),
        };
        let item = { ...start, open: start.original, openBase: start.originalBase };
        const settlements: { taken: Decimal; base: Decimal }[] = [];
        const take = (taken: Decimal): void => {
          const relieved = computeRelievedBase(item, taken, places);
          settlements.push({ taken, base: relieved });
          item = { ...item, open: item.open.minus(taken), openBase: item.openBase.minus(relieved) };
          expect(item.openBase.gte(0) && relieved.gte(0)).toBe(true);
        };
        for (const { back, at, cents } of moves) {
          const [restored] = back && settlements.length > 0 ? settlements.splice(at % settlements.length, 1) : [];
          if (restored !== undefined)
            item = { ...item, open: item.open.plus(restored.taken), openBase: item.openBase.plus(restored.base) };
          else if (item.open.gt(0)) take(Decimal.min(new Decimal(cents).div(100), item.open));
        }
        if (item.open.gt(0)) take(item.open);
        expect(item.openBase.toFixed()).toBe('0');
        expect(sum(settlements.map((each) => each.base)).toFixed()).toBe(start.originalBase.toFixed());
      },
    ),
    { numRuns: 500 },
  );
});

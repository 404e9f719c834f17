import fc from 'fast-check';
import { Decimal, sum } from '../../../../domain/business/decimal';
import {
  computeCharged,
  computeRest,
  divideByRate,
  divideCharged,
  subtractShares,
} from '../../../../domain/business/payments/deductions';
import type { TaxShare } from '../../../../domain/business/payments/deductions';
import { planSettlement } from '../../../../domain/business/payments/settlement';

const row = (percent: string, net: number | string | Decimal, tax: number | string | Decimal) => ({
  category: 'S' as const,
  percent,
  net: new Decimal(net),
  tax: new Decimal(tax),
});
const show = (rows: { percent: string; net: Decimal; tax: Decimal }[]) =>
  rows.map(({ percent, net, tax }) => [percent, net.toFixed(2), tax.toFixed(2)]);

test('an amount is divided over the rates of a document in proportion to their gross amounts', () => {
  expect(show(divideByRate([row('19', 100, 19)], new Decimal('2.38'), 2))).toEqual([['19', '2.00', '0.38']]);
  expect(show(divideByRate([row('19', 100, 19), row('7', 50, '3.5')], new Decimal('3.45'), 2))).toEqual([
    ['19', '2.00', '0.38'],
    ['7', '1.00', '0.07'],
  ]);
});

test('the shares of any amount add up to it, and no tax is more than its share', () => {
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  const rows = fc.array(fc.tuple(cents, fc.integer({ min: 0, max: 30 })), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 100_000 }), (each, amountCents) => {
      const shares = each.map(([net, percent]) =>
        row(String(percent), new Decimal(net).div(100), new Decimal(net).times(percent).div(10_000).toDecimalPlaces(2)),
      );
      const amount = new Decimal(amountCents).div(100);
      const divided = divideByRate(shares, amount, 2);
      expect(sum(divided.map(({ net, tax }) => net.plus(tax))).eq(amount)).toBe(true);
      for (const { net, tax } of divided) expect(net.gte(0) && tax.gte(0)).toBe(true);
    }),
  );
});

test('what credit notes took back is subtracted from the rows of its rate', () => {
  const left = subtractShares([row('19', 100, 19), row('7', 50, '3.5')], [row('19', 100, 19), row('7', 20, '1.4')]);
  expect(show(left)).toEqual([['7', '30.00', '2.10']]);
});

test('rows of one rate, such as two reasons of exemption, are reduced once', () => {
  expect(show(subtractShares([row('0', 100, 0), row('0', 40, 0)], [row('0', 30, 0)]))).toEqual([
    ['0', '110.00', '0.00'],
  ]);
});

test('a payment takes discounts only if it is exactly the discounted amount of one or of all documents', () => {
  const document = (id: number, open: number, discount: number) => ({
    id,
    dueDate: `2026-01-0${id}`,
    open: new Decimal(open),
    discount: new Decimal(discount),
  });
  const documents = [document(1, 119, 2.38), document(2, 50, 0), document(3, 100, 2)];
  const plan = (amount: number) =>
    planSettlement(new Decimal(amount), documents).map((share) => [
      share.id,
      share.amount.toNumber(),
      share.discount.toNumber(),
    ]);
  expect(plan(98)).toEqual([[3, 98, 2]]);
  expect(plan(264.62)).toEqual([
    [1, 116.62, 2.38],
    [2, 50, 0],
    [3, 98, 2],
  ]);
  expect(plan(119)).toEqual([[1, 119, 0]]);
  expect(plan(100)).toEqual([[1, 100, 0]]);
});

test('deductions of any amounts never correct more than a document charges, whatever credit notes took back', () => {
  const cents = fc.integer({ min: 1, max: 100_000 });
  const toMoney = (amountCents: number) => new Decimal(amountCents).div(100);
  const charge = (net: number, percent: number) =>
    row(String(percent), toMoney(net), toMoney(net).times(percent).div(100).toDecimalPlaces(2));
  const rows = fc.uniqueArray(fc.record({ net: cents, percent: fc.integer({ min: 0, max: 30 }) }), {
    minLength: 1,
    maxLength: 4,
    selector: ({ percent }) => percent,
  });
  fc.assert(
    fc.property(rows, fc.double({ min: 0, max: 1.2, noNaN: true }), fc.array(cents, { maxLength: 6 }), (...each) => {
      const [lines, creditedShare, amounts] = each;
      const whole = lines.map(({ net, percent }) => charge(net, percent));
      const credited = lines.map(({ net, percent }) => charge(Math.round(net * creditedShare), percent));
      const document = computeCharged(whole, credited);
      const corrected: TaxShare[] = [];
      for (const amount of amounts.map(toMoney)) {
        const shares = divideCharged(document, corrected, amount, 2);
        const gross = sum(shares.map(({ net, tax }) => net.plus(tax)));
        const before = sum(corrected.map(({ net, tax }) => net.plus(tax)));
        const left = Decimal.max(document.charged.minus(before), 0);
        expect([amount.toFixed(), gross.toFixed()]).toEqual([amount.toFixed(), Decimal.min(amount, left).toFixed()]);
        corrected.push(...shares);
      }
      for (const { percent, net, tax } of computeRest(document.taxes, corrected))
        expect([percent, net.isNegative(), tax.isNegative()]).toEqual([percent, false, false]);
    }),
  );
});

test('what exceeds the charged amount of a document has no tax', () => {
  const half = computeCharged([row('19', 20, '3.8')], [row('19', 10, '1.9')]);
  expect(show(divideCharged(half, [], new Decimal('23.8'), 2))).toEqual([['19', '10.00', '1.90']]);
  expect(show(divideCharged(half, [row('19', 10, '1.9')], new Decimal(1), 2))).toEqual([]);
  // A rate of which more was taken back than charged reduces what is left of the others.
  const exceeded = computeCharged([row('19', 10, '1.9'), row('7', 100, 7)], [row('19', 20, '3.8')]);
  expect(show(divideCharged(exceeded, [], new Decimal(107), 2))).toEqual([['7', '88.88', '6.22']]);
  const nothing = computeCharged([row('19', 10, '1.9')], [row('19', 20, '3.8')]);
  expect(divideCharged(nothing, [], new Decimal(1), 2)).toEqual([]);
});

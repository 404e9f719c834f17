import fc from 'fast-check';
import { Decimal, sum } from '../../../../domain/business/decimal';
import { averageCost, issue, NO_STOCK, receive, receiveValue } from '../../../../domain/business/stock/stock-valuation';
import type { StockValue } from '../../../../domain/business/stock/stock-valuation';

const d = (value: number | string) => new Decimal(value);
const shown = (stock: StockValue) => [stock.quantity.toFixed(), stock.value.toFixed()];

test('8 at 10 and 4 at 16, issue 10 leaves 24; receive 2 at 20 makes 4 worth 64; restock 1 at 12 averages 15.20', () => {
  let stock = receive(receive(NO_STOCK, d(8), d(10), 2).after, d(4), d(16), 2).after;
  stock = issue(stock, d(10), 2).after;
  expect(shown(stock)).toEqual(['2', '24']);
  stock = receive(stock, d(2), d(20), 2).after;
  expect(shown(stock)).toEqual(['4', '64']);
  stock = receiveValue(stock, d(1), d(12)).after;
  expect(shown(stock)).toEqual(['5', '76']);
  expect(averageCost(stock).toFixed(2)).toBe('15.20');
});

test('3 units bought for 10.00 leave as 3.33, 3.34, 3.33 and nothing is left', () => {
  let stock = receiveValue(NO_STOCK, d(3), d(10)).after;
  const values: string[] = [];
  for (let unit = 0; unit < 3; unit += 1) {
    const movement = issue(stock, d(1), 2);
    values.push(movement.value.toFixed(2));
    stock = movement.after;
  }
  expect(values).toEqual(['-3.33', '-3.34', '-3.33']);
  expect(shown(stock)).toEqual(['0', '0']);
});

test('more than is on hand, and nothing at all, are refused', () => {
  const stock = receive(NO_STOCK, d(1), d(5), 2).after;
  expect(() => issue(stock, d(2), 2)).toThrow(RangeError);
  expect(() => issue(stock, d(0), 2)).toThrow(RangeError);
  expect(() => receive(stock, d(0), d(5), 2)).toThrow(RangeError);
});

test('the balance is the sum of its ledger, never negative, and empty stock is worth nothing', () => {
  const step = fc.record({
    incoming: fc.boolean(),
    thousandths: fc.integer({ min: 1, max: 50_000 }),
    cents: fc.integer({ min: 0, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let stock = NO_STOCK;
      const ledger: StockValue[] = [];
      for (const { incoming, thousandths, cents } of steps) {
        const quantity = Decimal.min(d(thousandths).div(1000), incoming ? Infinity : stock.quantity);
        if (quantity.isZero()) continue;
        const movement = incoming ? receive(stock, quantity, d(cents).div(100), 2) : issue(stock, quantity, 2);
        ledger.push(movement);
        stock = movement.after;
        expect(stock.value.gte(0)).toBe(true);
        if (stock.quantity.isZero()) expect(stock.value.isZero()).toBe(true);
      }
      expect(sum(ledger.map((row) => row.quantity)).eq(stock.quantity)).toBe(true);
      expect(sum(ledger.map((row) => row.value)).eq(stock.value)).toBe(true);
    }),
  );
});

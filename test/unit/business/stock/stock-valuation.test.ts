import fc from 'fast-check';
import { Decimal, sum } from '../../../../domain/business/decimal';
import {
  computeAverageCost,
  computeStockIssue,
  ZERO_STOCK,
  computeStockReceipt,
  computeStockReceiptAtValue,
  divideStockValue,
} from '../../../../domain/business/stock/stock-valuation';
import type { StockValue } from '../../../../domain/business/stock/stock-valuation';

const decimal = (value: number | string) => new Decimal(value);
const formatStock = (stock: StockValue) => [stock.quantity.toFixed(), stock.value.toFixed()];

test('8 at 10 and 4 at 16, issue 10 leaves 24; receive 2 at 20 makes 4 worth 64; restock 1 at 12 averages 15.20', () => {
  let stock = computeStockReceipt(
    computeStockReceipt(ZERO_STOCK, decimal(8), decimal(10), 2).after,
    decimal(4),
    decimal(16),
    2,
  ).after;
  stock = computeStockIssue(stock, decimal(10), 2).after;
  expect(formatStock(stock)).toEqual(['2', '24']);
  stock = computeStockReceipt(stock, decimal(2), decimal(20), 2).after;
  expect(formatStock(stock)).toEqual(['4', '64']);
  stock = computeStockReceiptAtValue(stock, decimal(1), decimal(12)).after;
  expect(formatStock(stock)).toEqual(['5', '76']);
  expect(computeAverageCost(stock).toFixed(2)).toBe('15.20');
});

test('3 units bought for 10.00 leave as 3.33, 3.34, 3.33 and nothing is left', () => {
  let stock = computeStockReceiptAtValue(ZERO_STOCK, decimal(3), decimal(10)).after;
  const values: string[] = [];
  for (let unit = 0; unit < 3; unit += 1) {
    const movement = computeStockIssue(stock, decimal(1), 2);
    values.push(movement.value.toFixed(2));
    stock = movement.after;
  }
  expect(values).toEqual(['-3.33', '-3.34', '-3.33']);
  expect(formatStock(stock)).toEqual(['0', '0']);
});

test('quantities above the quantity on hand and zero are rejected', () => {
  const stock = computeStockReceipt(ZERO_STOCK, decimal(1), decimal(5), 2).after;
  expect(() => computeStockIssue(stock, decimal(2), 2)).toThrow(RangeError);
  expect(() => computeStockIssue(stock, decimal(0), 2)).toThrow(RangeError);
  expect(() => computeStockReceipt(stock, decimal(0), decimal(5), 2)).toThrow(RangeError);
});

test('the balance is the sum of its ledger, never negative, and empty stock is worth nothing', () => {
  const step = fc.record({
    incoming: fc.boolean(),
    thousandths: fc.integer({ min: 1, max: 50_000 }),
    cents: fc.integer({ min: 0, max: 100_000 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let stock = ZERO_STOCK;
      const ledger: StockValue[] = [];
      for (const { incoming, thousandths, cents } of steps) {
        const quantity = Decimal.min(decimal(thousandths).div(1000), incoming ? Infinity : stock.quantity);
        if (quantity.isZero()) continue;
        const movement = incoming
          ? computeStockReceipt(stock, quantity, decimal(cents).div(100), 2)
          : computeStockIssue(stock, quantity, 2);
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

test('the values of warehouses add up to the value of the product, and each is at most a cent from its share', () => {
  const quantities = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(quantities, fc.integer({ min: 0, max: 1_000_000_000 }), (units, cents) => {
      const value = decimal(cents).div(100);
      const quantity = sum(units.map(decimal));
      const held = new Map(units.map((each, index) => [index + 1, decimal(each)]));
      const shares = divideStockValue({ quantity, value }, held, 2);
      expect(sum([...shares.values()]).toFixed()).toBe(value.toFixed());
      for (const [id, share] of shares) {
        const exact = value.times(held.get(id) ?? 0).div(quantity);
        expect(share.minus(exact).abs().lte('0.01')).toBe(true);
      }
    }),
  );
});

import { Decimal } from '../../../../domain/business/decimal';
import { decodeCursor, encodeCursor, MAX_CURSOR_LENGTH } from '../../../../services/business/stock/stock-ledger-cursor';

const MAX_ID = 10 ** 15 - 1;
const MAX_QUANTITY = new Decimal('-99999999999999999999.9999999999');

const encode = (warehouses: number): string =>
  encodeCursor({
    sequence: MAX_ID,
    quantities: new Map(Array.from({ length: warehouses }, (_, index) => [MAX_ID - index, MAX_QUANTITY])),
    opening: { quantity: MAX_QUANTITY, value: MAX_QUANTITY },
  });

test.each([1, 100, 101, 1000])('a cursor of %i warehouses with the longest quantities is accepted', (warehouses) => {
  const cursor = encode(warehouses);
  expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR_LENGTH);
  const { sequence, quantities } = decodeCursor(cursor);
  expect([sequence, quantities?.size]).toEqual([MAX_ID, warehouses > 100 ? undefined : warehouses]);
});

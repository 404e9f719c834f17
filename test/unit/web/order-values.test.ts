import {
  changeOrderCustomer,
  createOrderLine,
  readOrderValues,
  toOrderBody,
  toOrderChanges,
} from '../../../web/console/business/orders/order-values';
import * as purchases from '../../../web/console/business/purchasing/order-values';

test('another customer of an order brings its currency and tax rates; prices and quantities stay', () => {
  const line = { ...createOrderLine(), productId: '3', quantity: 2, unitPrice: 9.5, taxRateId: '1' };
  const values = { ...readOrderValues(null), customerId: '1', currencyCode: 'EUR', reference: 'PO 1', lines: [line] };
  expect(changeOrderCustomer(values, '2')).toEqual({
    ...values,
    customerId: '2',
    currencyCode: null,
    lines: [{ ...line, taxRateId: null }],
  });
});

test('a cleared currency and day of a draft restore their defaults; a new order leaves them out', () => {
  const line = { ...createOrderLine(), productId: '3' };
  const stored = {
    ...readOrderValues(null),
    customerId: '1',
    currencyCode: 'USD',
    orderDate: '2026-11-21',
    lines: [line],
  };
  expect(toOrderChanges(stored)).toMatchObject({ customerId: 1, currencyCode: 'USD', orderDate: '2026-11-21' });
  const cleared = { ...stored, currencyCode: null, orderDate: '' };
  expect(toOrderChanges(cleared)).toMatchObject({ currencyCode: null, orderDate: null });
  expect(toOrderChanges(changeOrderCustomer(stored, '2'))).toMatchObject({ customerId: 2, currencyCode: null });
  expect(Object.keys(toOrderBody(cleared))).not.toContain('currencyCode');
  expect(Object.keys(toOrderBody(cleared))).not.toContain('orderDate');
});

test('another vendor of a purchase order brings its currency and tax rates, also in a stored draft', () => {
  const [line] = purchases.readValues(null).lines;
  if (line === undefined) throw new Error('A new order has no line.');
  const values = {
    ...purchases.readValues(null),
    vendorId: '1',
    currencyCode: 'USD',
    orderDate: '2026-11-21',
    lines: [{ ...line, productId: '3', unitCost: 4, taxRateId: '1' }],
  };
  const changed = purchases.changeVendor(values, '2');
  expect(changed).toEqual({
    ...values,
    vendorId: '2',
    currencyCode: null,
    lines: [{ ...line, productId: '3', unitCost: 4, taxRateId: null }],
  });
  expect(purchases.toOrderChanges(changed)).toMatchObject({ vendorId: 2, currencyCode: null, orderDate: '2026-11-21' });
  expect(purchases.toOrderChanges({ ...changed, orderDate: '' })).toMatchObject({ orderDate: null });
  const created = Object.keys(purchases.toNewOrder({ ...changed, orderDate: '' }));
  expect(created).not.toContain('currencyCode');
  expect(created).not.toContain('orderDate');
});

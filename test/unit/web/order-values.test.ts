import {
  changeOrderCustomer,
  createOrderLine,
  readOrderValues,
} from '../../../web/console/business/orders/order-values';

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

import {
  changeCustomer,
  createLine,
  createValues,
  toDraftBody,
} from '../../../web/console/business/invoices/invoice-values';

test('another customer of an invoice brings its tax rates, in the summary as in the draft that is saved', () => {
  const line = { ...createLine(), lineId: 1, productId: '3', unitPrice: 9.5, taxRateId: '1' };
  const changed = changeCustomer({ ...createValues('1'), currencyCode: 'EUR', lines: [line] }, '2');
  expect(changed.lines).toEqual([{ ...line, taxRateId: null }]);
  expect(toDraftBody(changed)).toEqual({
    customerId: 2,
    draft: true,
    adjustments: [],
    lines: [{ productId: 3, quantity: 1, unitPrice: 9.5, adjustments: [] }],
  });
});

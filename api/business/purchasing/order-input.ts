import { line, quantity, recordId, unitPrice } from '../fields';

/** As many as a bill or an invoice; what arrives of them is received in parts. */
export const MAX_PURCHASE_ORDER_LINES = 1000;

/** The fields of a line in a request. */
export const orderLineFields = {
  productId: recordId,
  quantity,
  unitCost: unitPrice.meta({ description: 'Cost per unit before tax, in the currency of the order.' }),
  description: line(500).optional(),
  taxRateId: recordId.optional(),
  warehouseId: recordId.optional(),
};

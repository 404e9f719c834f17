import { dayInput, flag, line, paragraph, percent, quantity, recordId, unitPrice } from '../fields';

/** As many as an adjustment of stock: confirming an order reserves the goods of all its lines in one transaction. */
export const MAX_SALES_ORDER_LINES = 500;

/** The fields of a line in a request. */
export const orderLineFields = {
  productId: recordId,
  quantity,
  unitPrice: unitPrice.optional().meta({ type: 'number', description: 'Default: the price of the product.' }),
  description: line(500).optional().meta({ description: 'Default: the name of the product.' }),
  discountPercent: percent.optional().meta({ description: 'Discount in percent. Default: 0.' }),
  taxRateId: recordId.optional(),
  priceIncludesTax: flag.optional(),
  warehouseId: recordId.optional().meta({ description: 'Default: the warehouse of the company.' }),
};

export const orderDate = dayInput.optional().meta({ description: 'Not later than today. Default: today.' });

export const orderTexts = {
  reference: line(100).nullable().optional(),
  notes: paragraph(2000).nullable().optional(),
};

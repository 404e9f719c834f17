import { z } from 'zod';
import { line, quantity, recordId, unitPrice } from '../fields';

const MAX_LINES = 1000;

/** The fields of a line in a request. */
export const orderLineFields = {
  productId: recordId,
  quantity,
  unitCost: unitPrice.meta({ description: 'Cost per unit before tax, in the currency of the order.' }),
  description: line(500).optional(),
  taxRateId: recordId.optional(),
  warehouseId: recordId.optional(),
};

/** The lines of an order, or of its receipts and bills. */
export const buildOrderLinesSchema = <T extends z.ZodType>(lineSchema: T) =>
  z
    .array(lineSchema, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(MAX_LINES, `must have at most ${MAX_LINES} lines`);

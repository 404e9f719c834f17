import { z } from 'zod';
import { line, quantity, recordId, unitPrice } from '../fields';

const MAX_LINES = 1000;

/** What is asked of a line. */
export const orderLineFields = {
  productId: recordId,
  quantity,
  unitCost: unitPrice.meta({ description: 'Before tax, in the order’s currency.' }),
  description: line(500).optional(),
  taxRateId: recordId.optional(),
  warehouseId: recordId.optional(),
};

/** The lines of an order or of what came of it. */
export const buildOrderLinesSchema = <T extends z.ZodType>(lineSchema: T) =>
  z
    .array(lineSchema, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(MAX_LINES, `must have at most ${MAX_LINES} lines`);

import { z } from 'zod';
import { line, quantity, recordId, unitPrice } from '../fields';

const MOST_LINES = 1000;

/** What is asked of a line. */
export const orderLine = {
  productId: recordId,
  quantity,
  unitCost: unitPrice.meta({ description: 'Before tax, in the order’s currency.' }),
  description: line(500).optional(),
  taxRateId: recordId.optional(),
  warehouseId: recordId.optional(),
};

/** The lines of an order or of what came of it. */
export const orderLines = <T extends z.ZodType>(each: T) =>
  z
    .array(each, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(MOST_LINES, `must have at most ${MOST_LINES} lines`);

import { z } from 'zod';

/** The lines of an order, a receipt or a bill. */
export const buildOrderLinesSchema = <T extends z.ZodType>(lineSchema: T, maxLines: number) =>
  z
    .array(lineSchema, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(maxLines, `must have at most ${maxLines} lines`);

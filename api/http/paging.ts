import { z } from 'zod';
import { buildIdPattern, isId } from '../../lib/ids';
import type { IdPrefix } from '../../lib/ids';

const CURSOR_PROBLEM = 'accepts the nextCursor of the previous page';

/**
 * A parameter that is a whole number in decimal digits, without sign, spaces, or other notations of numbers.
 * @param accepts the text of the error
 */
export const wholeNumberParameter = (accepts: string, min: number, max: number) =>
  z
    .string({ error: accepts })
    .regex(/^\d{1,12}$/, accepts)
    .transform(Number)
    .refine((value) => value >= min && value <= max, accepts)
    .meta({ type: 'integer', minimum: min, maximum: max });

/** `limit` and `cursor` of the identity API's lists. */
export const cursorQuery = z.strictObject({
  limit: wholeNumberParameter('accepts a whole number 1–100', 1, 100).default(20).meta({ default: 20 }),
  cursor: z.string().max(64).optional(),
});

/** {@link cursorQuery} of a list whose cursor must be the id of a record. */
export const buildCursorQuery = (prefix: IdPrefix) =>
  cursorQuery.extend({
    cursor: z
      .string()
      .refine((value) => isId(prefix, value), { error: CURSOR_PROBLEM })
      .optional()
      .meta({ pattern: buildIdPattern(prefix) }),
  });

/** `total` and `nextCursor` of a page's response schema. */
export const cursorPageFields = { total: z.number().int(), nextCursor: z.string().nullable() };

/** An id in the path; a malformed id results in 404 like an unknown one. */
export const idParam = (prefix: IdPrefix) =>
  z
    .string()
    .refine((value) => isId(prefix, value), `is not an id of the form ${prefix}_…`)
    .meta({ pattern: buildIdPattern(prefix) });

import { z } from 'zod';
import { buildIdPattern, isId } from '../../lib/ids';
import type { IdPrefix } from '../../lib/ids';

const CURSOR_PROBLEM = 'accepts the nextCursor of the previous page';

/** `limit` and `cursor` of the identity API's lists. */
export const cursorQuery = z.strictObject({
  limit: z.coerce.number({ error: 'accepts a whole number 1–100' }).int().min(1).max(100).default(20),
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

import { z } from 'zod';
import { isId } from '../../lib/ids';
import type { IdPrefix } from '../../lib/ids';

/** `limit` and `cursor` of the identity API's lists; a cursor is the id of the last record shown, newest first. */
export const cursorQuery = z.strictObject({
  limit: z.coerce.number({ error: 'accepts a whole number 1–100' }).int().min(1).max(100).default(20),
  cursor: z.string().max(64).optional(),
});

/** The cursor of the next page: null when this one was not full. */
export const getNextCursor = (records: readonly { _id: string }[], limit: number): string | null =>
  records.length < limit ? null : (records.at(-1)?._id ?? null);

/** An id in the path; a malformed one is as unknown as any other. */
export const idParam = (prefix: IdPrefix) =>
  z.string().refine((value) => isId(prefix, value), `is not an id of the form ${prefix}_…`);

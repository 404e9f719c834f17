import { z } from 'zod';

const optionalText = z.coerce.string().optional().catch(undefined);

/** Position in a list of `/v1`, which is read by cursor. */
export const cursorSearch = z.object({
  cursor: optionalText,
  /** Number of records before this page. */
  skip: z.coerce.number().int().min(0).optional().catch(undefined),
});

/** Position, search and sorting of a list of `/api`, which has numbered pages. */
export const pageSearch = z.object({
  page: z.coerce.number().int().min(1).catch(1),
  search: optionalText,
  sortBy: optionalText,
  sortDir: z.enum(['asc', 'desc']).optional().catch(undefined),
});

/** A filter that is absent unless it is set. */
export const textFilter = optionalText;

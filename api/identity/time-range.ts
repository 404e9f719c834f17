import { z } from 'zod';
import { DAY_MS } from '../../domain/durations';

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'accepts a date YYYY-MM-DD or a time such as 2026-11-21T10:00:00Z',
});

/** `from` and `to` query parameters, which limit the time of creation. */
export const createdRangeFields = {
  from: instant.optional().meta({ description: 'Created at or after this date or time.' }),
  to: instant.optional().meta({ description: 'Created before this time, or on or before this date.' }),
};

/** A date as an upper bound includes the whole day (UTC). */
const parseUpperBound = (value: string): Date =>
  new Date(value.includes('T') ? Date.parse(value) : Date.parse(value) + DAY_MS);

/** Parses {@link createdRangeFields}: `from` is inclusive, `to` exclusive. */
export const parseTimeRange = (query: {
  from?: string | undefined;
  to?: string | undefined;
}): { from: Date | undefined; to: Date | undefined } => ({
  from: query.from === undefined ? undefined : new Date(query.from),
  to: query.to === undefined ? undefined : parseUpperBound(query.to),
});

import { z } from 'zod';
import { requireRangeOrder } from '../../domain/date-range';
import { DAY_MS } from '../../domain/durations';

const instant = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: 'accepts a date YYYY-MM-DD or a time such as 2026-11-21T10:00:00Z',
});

/** `from` and `to` query parameters, which limit the time of creation. */
export const createdRangeFields = {
  from: instant
    .optional()
    .meta({ description: 'Created at or after this date or time, which must not be after `to`.' }),
  to: instant.optional().meta({ description: 'Created before this time, or on or before this date.' }),
};

/** A date as an upper bound includes the whole day (UTC). */
const parseUpperBound = (value: string): Date =>
  new Date(value.includes('T') ? Date.parse(value) : Date.parse(value) + DAY_MS);

/** The last time that an upper bound admits; a time itself, so that a range may be empty without being a mistake. */
const getLastTime = (value: string, bound: Date): Date => (value.includes('T') ? bound : new Date(bound.getTime() - 1));

interface TimeRangeQuery {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Parses {@link createdRangeFields}: `from` is inclusive, `to` exclusive.
 * @param path of the object that they are fields of, such as `sessions.`
 * @throws AppError 400 if `from` is after `to`
 */
export function parseTimeRange(query: TimeRangeQuery, path = ''): { from: Date | undefined; to: Date | undefined } {
  const from = query.from === undefined ? undefined : new Date(query.from);
  const to = query.to === undefined ? undefined : parseUpperBound(query.to);
  const last = query.to === undefined || to === undefined ? undefined : getLastTime(query.to, to);
  requireRangeOrder(
    { field: `${path}from`, sent: query.from, value: from },
    { field: `${path}to`, sent: query.to, value: last },
  );
  return { from, to };
}

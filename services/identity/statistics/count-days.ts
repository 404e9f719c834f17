import { DAY_MS } from '../../../domain/durations';
import { splitIntoUtcDays } from '../../../domain/platform/statistics/quarter-hours';
import { Organisation } from '../../../models/platform/access/organisation';
import type { Platform, Scope } from '../../platform/platform';
import { CHECK_COUNTS } from './check-counts';
import type { CountDefinition } from './counted-records';
import { SETTLING_MS } from './day-changes';
import { SESSION_COUNTS } from './session-counts';
import { countAndStoreDays, findCurrentDays } from './stored-day-counts';

/** Fewer records are counted in a moment, so that their days are only stored when figures are asked for. */
const MIN_RECORDS = 1000;

/** Days are counted again after this time, long before their counts expire. */
const MAX_AGE_MS = 20 * DAY_MS;

/** Counts the settled days of a scope whose counts are missing, old, or lack a change. @returns their number */
async function countDaysOf<Q extends object, T extends object>(
  platform: Platform,
  scope: Scope,
  definition: CountDefinition<Q, T>,
): Promise<number> {
  if (!(await definition.hasAtLeast(scope, MIN_RECORDS))) return 0;
  const first = await definition.findFirst(scope);
  if (first === null) return 0;
  const settledUntil = platform.clock.now().getTime() - SETTLING_MS;
  const start = new Date(first.getTime() - DAY_MS);
  const { days } = splitIntoUtcDays({ start, end: new Date(settledUntil) }, settledUntil);
  const options = { maxAgeMs: MAX_AGE_MS, fields: { day: 1, computedAt: 1 } } as const;
  const current = await findCurrentDays(platform, scope, definition, days, options);
  const known = new Set(current.map(({ day }) => day.getTime()));
  const due = days.filter((day) => !known.has(day.getTime()));
  await countAndStoreDays(platform, scope, definition, due);
  return due.length;
}

/**
 * Counts the days of one organisation before anyone asks for their figures.
 * @returns the number of days that were counted
 */
export async function countDaysOfOrganisation(platform: Platform, organisationId: string): Promise<number> {
  let counted = 0;
  for (const mode of ['live', 'test'] as const) {
    const scope = { organisationId, mode };
    counted += await countDaysOf(platform, scope, SESSION_COUNTS);
    counted += await countDaysOf(platform, scope, CHECK_COUNTS);
  }
  return counted;
}

/** Counts the days of every organisation, one after another. @returns the number of days that were counted */
export async function countStatisticsDays(platform: Platform): Promise<number> {
  const organisations = await Organisation.find({}, { _id: 1 }).sort({ _id: 1 }).lean<{ _id: string }[]>();
  let counted = 0;
  for (const { _id } of organisations) counted += await countDaysOfOrganisation(platform, _id);
  return counted;
}

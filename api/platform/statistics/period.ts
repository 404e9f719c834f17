import { z } from 'zod';
import { DEFAULT_PERIOD_DAYS, MAX_PERIOD_DAYS } from '../../../domain/platform/statistics/period';
import type { Period } from '../../../domain/platform/statistics/period';

const day = z.iso.date({ error: 'accepts a date YYYY-MM-DD' });

/** The query of statistics: whole days in a time zone. */
export const periodQuery = z.strictObject({
  from: day.optional().meta({
    description: `First day of the period, at most ${MAX_PERIOD_DAYS} days before its last. Default: ${DEFAULT_PERIOD_DAYS} days that end with \`to\`.`,
  }),
  to: day.optional().meta({ description: 'Last day of the period. Default: today.' }),
  timeZone: z.string().min(1).max(60).default('UTC').meta({
    description: 'IANA time zone in which days begin.',
    example: 'Europe/Berlin',
  }),
});

/** The period of a response. */
export const periodSchema = z.object({ from: z.iso.date(), to: z.iso.date(), timeZone: z.string() });

/** The period as it was applied, with its defaults filled in. */
export const presentPeriod = ({ from, to, timeZone }: Period): z.infer<typeof periodSchema> => ({
  from,
  to,
  timeZone,
});

export const examplePeriod: z.infer<typeof periodSchema> = { from: '2026-11-21', to: '2026-11-21', timeZone: 'UTC' };

export const STATISTICS_TAG = 'Statistics';

export const count = z.number().int().min(0);

/** What all statistics do to bound their cost. */
export const COST_NOTE =
  'Computed from an index alone. Figures over many records are shared by requests at the same time and kept for up to a minute.';

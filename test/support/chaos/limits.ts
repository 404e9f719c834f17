import { HOUR_MS, MINUTE_MS } from '../../../domain/durations';

const isLong = process.env['VOUCH_CHAOS'] !== undefined || process.env['VOUCH_YEAR_DOCUMENTS'] !== undefined;

/** How long the work before the first test of a file may take: all faults, or a year of business. */
export const PREPARATION_LIMIT_MS = isLong ? HOUR_MS : 10 * MINUTE_MS;

import { HOUR_MS, MINUTE_MS } from '../../../domain/durations';

const isLong = process.env['VOUCH_CHAOS'] !== undefined || process.env['VOUCH_YEAR_DOCUMENTS'] !== undefined;

/**
 * How long the work before the first test of a file may take: all faults, or a year of business. A run of everything ends
 * after 20 minutes in which no test has ended.
 */
export const PREPARATION_LIMIT_MS = isLong ? HOUR_MS : 18 * MINUTE_MS;

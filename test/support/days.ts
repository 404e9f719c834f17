import { DAY_MS } from '../../domain/durations';

/** The day so many days after today in UTC, `YYYY-MM-DD`; before today if negative. */
export const daysFromToday = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

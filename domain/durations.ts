export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export const HOUR_SECONDS = 3600;
export const DAY_SECONDS = 86_400;

/** The instant this many days of 24 hours later. */
export const addDaysToInstant = (from: Date, days: number): Date => new Date(from.getTime() + days * DAY_MS);

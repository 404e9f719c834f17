/** An instant in ISO 8601, in UTC; null stays null. */
export const toIsoString = (date: Date | null): string | null => date?.toISOString() ?? null;

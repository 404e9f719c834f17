/**
 * A date whose day or month may be unknown, as for people without a recorded day of birth: YYYY-MM-DD with XX for
 * unknown parts. ISO order, so that complete dates compare as strings.
 */
export type PartialDate = string;

/** The part of a date before what is unknown of it: YYYY, YYYY-MM or YYYY-MM-DD. */
export const getKnownPart = (date: PartialDate): string => date.replace(/(-XX)+$/, '');

/** How a two-digit year is resolved: births lie in the past, expiries around today. */
export type DateMeaning = 'birth' | 'expiry';

/** Documents are valid for ten years, rarely longer: an expiry further ahead than this belongs to the last century. */
const LATEST_EXPIRY_YEARS = 50;

/** Whether a date exists in the calendar; months and days count from 1. */
export const isRealDate = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const pad = (value: number, length: number): string => String(value).padStart(length, '0');

/**
 * Resolves YYMMDD.
 *
 * @param today YYYY-MM-DD
 * @returns null if the year is unknown or the date does not exist
 */
export function resolveDate(text: string, meaning: DateMeaning, today: string): PartialDate | null {
  const match = /^(\d\d)(\d\d|<<)(\d\d|<<)$/.exec(text);
  if (!match) return null;
  const [, yearText = '', monthText = '', dayText = ''] = match;
  // Some states print 00 for an unknown month or day instead of fillers.
  const month = monthText === '<<' || monthText === '00' ? null : Number(monthText);
  const day = dayText === '<<' || dayText === '00' ? null : Number(dayText);
  const year = resolveYear(Number(yearText), month ?? 1, day ?? 1, meaning, today);
  if (month !== null && (month < 1 || month > 12)) return null;
  if (month === null ? day !== null : !isRealDate(year, month, day ?? 1)) return null;
  return `${pad(year, 4)}-${month === null ? 'XX' : pad(month, 2)}-${day === null ? 'XX' : pad(day, 2)}`;
}

function resolveYear(yy: number, month: number, day: number, meaning: DateMeaning, today: string): number {
  const thisYear = Number(today.slice(0, 4));
  const century = Math.floor(thisYear / 100) * 100;
  const year = century + yy;
  if (meaning === 'birth') return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}` > today ? year - 100 : year;
  if (year > thisYear + LATEST_EXPIRY_YEARS) return year - 100;
  return year < thisYear - (100 - LATEST_EXPIRY_YEARS) ? year + 100 : year;
}

/** Whole years between two dates; unknown parts of the birth count as the latest possible day, for the lower age. */
export function computeAge(birth: PartialDate, today: string): number | null {
  const year = Number(birth.slice(0, 4));
  if (!Number.isInteger(year)) return null;
  const monthDay = birth.slice(5).replace('XX-XX', '12-31').replace('XX', '31');
  const age = Number(today.slice(0, 4)) - year - (today.slice(5) < monthDay ? 1 : 0);
  return age >= 0 ? age : null;
}

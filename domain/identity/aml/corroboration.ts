import type { WatchEntry } from './entry';
import type { Explanation, ScreeningQuery } from './query';
import { EFFECTS, YEAR_TOLERANCE } from './thresholds';

const part = (name: Explanation['part'], effect: number, queryValue: string, listValue: string): Explanation => ({
  part: name,
  weight: Math.abs(effect) / 100,
  queryValue,
  listValue,
  effect,
});

const yearOf = (date: string): number => Number(date.replace('~', '').slice(0, 4));

function dateEffect(asked: string, listed: string): number {
  const plain = listed.replace('~', '');
  const length = Math.min(asked.length, plain.length);
  if (length >= 10 && asked === plain) return EFFECTS.sameDateOfBirth;
  const apart = Math.abs(yearOf(asked) - yearOf(listed));
  const tolerance = listed.startsWith('~') ? YEAR_TOLERANCE.approximate : YEAR_TOLERANCE.exact;
  if (apart > tolerance) return EFFECTS.otherYearOfBirth;
  if (apart > 0) return 0;
  const same = asked.slice(0, length) === plain.slice(0, length);
  return same || plain.length < 7 ? EFFECTS.sameYearOfBirth : EFFECTS.otherDateInYear;
}

/** The best of the dates listed: lists give several where they are not sure. */
function dateOfBirth(query: ScreeningQuery, entry: WatchEntry): Explanation[] {
  const asked = query.dateOfBirth;
  if (asked === undefined || entry.datesOfBirth.length === 0) return [];
  const judged = entry.datesOfBirth.map((listed) => ({ listed, effect: dateEffect(asked, listed) }));
  const best = judged.reduce((a, b) => (b.effect > a.effect ? b : a));
  return [part('date_of_birth', best.effect, asked, best.listed)];
}

function countries(query: ScreeningQuery, entry: WatchEntry): Explanation[] {
  const asked = [query.nationality, query.country].filter((code) => code !== undefined);
  if (asked.length === 0 || entry.countries.length === 0) return [];
  const shared = asked.find((code) => entry.countries.includes(code));
  return [
    part(
      'country',
      shared === undefined ? EFFECTS.otherCountry : EFFECTS.sameCountry,
      asked.join(', '),
      shared ?? entry.countries.join(', '),
    ),
  ];
}

function gender(query: ScreeningQuery, entry: WatchEntry): Explanation[] {
  const asked = query.gender;
  if (asked === undefined || entry.genders.length === 0) return [];
  const same = entry.genders.includes(asked);
  return [part('gender', same ? EFFECTS.sameGender : EFFECTS.otherGender, asked, entry.genders.join(', '))];
}

/** What else agrees or disagrees; nothing is said of what one side does not state. */
export const corroborate = (query: ScreeningQuery, entry: WatchEntry): Explanation[] => [
  ...dateOfBirth(query, entry),
  ...countries(query, entry),
  ...gender(query, entry),
];

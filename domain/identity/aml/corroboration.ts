import type { WatchListEntry } from './entry';
import type { Explanation, ScreeningQuery } from './query';
import { EFFECTS, YEAR_TOLERANCE } from './thresholds';

const buildExplanation = (
  name: Explanation['part'],
  effect: number,
  queryValue: string,
  listValue: string,
): Explanation => ({
  part: name,
  weight: Math.abs(effect) / 100,
  queryValue,
  listValue,
  effect,
});

const parseYear = (date: string): number => Number(date.replace('~', '').slice(0, 4));

function computeDateEffect(queryDate: string, listed: string): number {
  const plain = listed.replace('~', '');
  const length = Math.min(queryDate.length, plain.length);
  if (length >= 10 && queryDate === plain) return EFFECTS.sameDateOfBirth;
  const yearsApart = Math.abs(parseYear(queryDate) - parseYear(listed));
  const tolerance = listed.startsWith('~') ? YEAR_TOLERANCE.approximate : YEAR_TOLERANCE.exact;
  if (yearsApart > tolerance) return EFFECTS.otherYearOfBirth;
  if (yearsApart > 0) return 0;
  const same = queryDate.slice(0, length) === plain.slice(0, length);
  return same || plain.length < 7 ? EFFECTS.sameYearOfBirth : EFFECTS.otherDateInYear;
}

/** Compares with the closest of the listed dates: a list gives several if it is not sure. */
function compareDatesOfBirth(query: ScreeningQuery, entry: WatchListEntry): Explanation[] {
  const queryDate = query.dateOfBirth;
  if (queryDate === undefined || entry.datesOfBirth.length === 0) return [];
  const effects = entry.datesOfBirth.map((listed) => ({ listed, effect: computeDateEffect(queryDate, listed) }));
  const best = effects.reduce((a, b) => (b.effect > a.effect ? b : a));
  return [buildExplanation('date_of_birth', best.effect, queryDate, best.listed)];
}

function compareCountries(query: ScreeningQuery, entry: WatchListEntry): Explanation[] {
  const queryCountries = [query.nationality, query.country].filter((code) => code !== undefined);
  if (queryCountries.length === 0 || entry.countries.length === 0) return [];
  const shared = queryCountries.find((code) => entry.countries.includes(code));
  return [
    buildExplanation(
      'country',
      shared === undefined ? EFFECTS.otherCountry : EFFECTS.sameCountry,
      queryCountries.join(', '),
      shared ?? entry.countries.join(', '),
    ),
  ];
}

function compareGenders(query: ScreeningQuery, entry: WatchListEntry): Explanation[] {
  const queryGender = query.gender;
  if (queryGender === undefined || entry.genders.length === 0) return [];
  const same = entry.genders.includes(queryGender);
  return [
    buildExplanation('gender', same ? EFFECTS.sameGender : EFFECTS.otherGender, queryGender, entry.genders.join(', ')),
  ];
}

/** Which other facts agree or disagree; a fact that one side does not state has no effect. */
export const corroborate = (query: ScreeningQuery, entry: WatchListEntry): Explanation[] => [
  ...compareDatesOfBirth(query, entry),
  ...compareCountries(query, entry),
  ...compareGenders(query, entry),
];

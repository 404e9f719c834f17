import { makeRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';

/** Whether a person is at least as old as asked, as far as an estimate can tell. */
export type MinimumAgeAnswer = 'yes' | 'no' | 'uncertain';

/** Ages for which the error of the model was measured together. */
export interface AgeBand {
  /** years, inclusive */
  from: number;
  /** years, exclusive; null without an upper end */
  to: number | null;
  /** mean absolute error in years */
  meanAbsoluteError: number;
}

/**
 * Mean absolute error by age as the maker of the model states it, on held-out fifths of UTK, FGNET, Chalearn, Wiki, IMDB,
 * CACD, MegaAge and MegaAge-Asian; 4.54 years over all.
 */
export const AGE_BANDS: readonly AgeBand[] = [
  { from: 0, to: 4, meanAbsoluteError: 1.52 },
  { from: 4, to: 9, meanAbsoluteError: 3.06 },
  { from: 9, to: 19, meanAbsoluteError: 4.82 },
  { from: 19, to: 29, meanAbsoluteError: 4.99 },
  { from: 29, to: 41, meanAbsoluteError: 5.43 },
  { from: 41, to: 61, meanAbsoluteError: 4.94 },
  { from: 61, to: 81, meanAbsoluteError: 6.17 },
  { from: 81, to: null, meanAbsoluteError: 9.91 },
];

export const AGE_MEASURED_ON =
  "the maker's test sets (UTK, FGNET, Chalearn, Wiki, IMDB, CACD, MegaAge, MegaAge-Asian); errors by group are not stated";

/** Share of people whose age the interval is meant to hold. */
export const AGE_COVERAGE = 0.9;

/**
 * Half the width of a 90 % interval for one year of mean absolute error: a normal error of deviation σ has a mean
 * absolute value of σ·√(2/π), and 90 % of it lie within 1.645 σ.
 */
const HALF_WIDTH = 1.645 / Math.sqrt(2 / Math.PI);

const roundToTenth = (years: number): number => Math.round(years * 10) / 10;

export interface AgeEstimate {
  /** years */
  age: number;
  interval: { low: number; high: number; coverage: number };
  /** of the band the estimate lies in */
  meanAbsoluteError: number;
}

/** The band an age lies in. */
export const findAgeBand = (years: number): AgeBand =>
  AGE_BANDS.find(({ to }) => to === null || years < to) ?? { from: 0, to: null, meanAbsoluteError: 10 };

/** An estimate with the interval its band's error gives. @param years as the network puts it, may be below 0 */
export function toAgeEstimate(years: number): AgeEstimate {
  const age = Math.max(0, years);
  const { meanAbsoluteError } = findAgeBand(age);
  const half = HALF_WIDTH * meanAbsoluteError;
  return {
    age: roundToTenth(age),
    interval: { low: roundToTenth(Math.max(0, age - half)), high: roundToTenth(age + half), coverage: AGE_COVERAGE },
    meanAbsoluteError,
  };
}

/** Yes or no only where the whole interval says so. */
export function evaluateMinimumAge(interval: AgeEstimate['interval'], minimumAge: number): MinimumAgeAnswer {
  if (interval.low >= minimumAge) return 'yes';
  return interval.high < minimumAge ? 'no' : 'uncertain';
}

/** A clear no declines; where the estimate cannot tell, a person or a document has to. */
export function assessMinimumAgeRisks(answer: MinimumAgeAnswer | null, minimumAge: number | null): Risk[] {
  if (answer === null || answer === 'yes') return [];
  return [
    makeRisk('minimum_age_not_met', {
      feature: 'age',
      action: answer === 'no' ? 'decline' : 'review',
      details: { minimumAge, answer },
    }),
  ];
}

import { roundToTenth } from '../../rounding';
import { buildRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';

/** Whether a person has the minimum age, as far as an estimate can decide. */
export type MinimumAgeAnswer = 'yes' | 'no' | 'uncertain';

/** An age range with a common measured error of the model. */
export interface AgeBand {
  /** Years, inclusive. */
  from: number;
  /** Years, exclusive; null if unlimited. */
  to: number | null;
  /** Mean absolute error in years. */
  meanAbsoluteError: number;
}

/**
 * Mean absolute error by age as published by the author of the model, on held-out fifths of UTK, FGNET, Chalearn,
 * Wiki, IMDB, CACD, MegaAge and MegaAge-Asian; 4.54 years overall.
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

/** Share of people whose age lies within the interval. */
export const AGE_COVERAGE = 0.9;

/**
 * Half the width of a 90 % interval per year of mean absolute error: a normal error with deviation σ has a mean
 * absolute value of σ·√(2/π), and 90 % of errors lie within 1.645 σ.
 */
const HALF_WIDTH = 1.645 / Math.sqrt(2 / Math.PI);

export interface AgeEstimate {
  /** Years. */
  age: number;
  interval: { low: number; high: number; coverage: number };
  /** Error of the band that contains the estimate. */
  meanAbsoluteError: number;
}

/** The band that contains an age. */
export const findAgeBand = (years: number): AgeBand =>
  AGE_BANDS.find(({ to }) => to === null || years < to) ?? { from: 0, to: null, meanAbsoluteError: 10 };

/** Builds an estimate with the interval of its band. @param years output of the network, may be negative */
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

/** `yes` or `no` only if the whole interval is on one side of the minimum. */
export function evaluateMinimumAge(interval: AgeEstimate['interval'], minimumAge: number): MinimumAgeAnswer {
  if (interval.low >= minimumAge) return 'yes';
  return interval.high < minimumAge ? 'no' : 'uncertain';
}

/** A definite `no` declines; an uncertain estimate causes a review. */
export function assessMinimumAgeRisks(answer: MinimumAgeAnswer | null, minimumAge: number | null): Risk[] {
  if (answer === null || answer === 'yes') return [];
  return [
    buildRisk('minimum_age_not_met', {
      feature: 'age',
      action: answer === 'no' ? 'decline' : 'review',
      details: { minimumAge, answer },
    }),
  ];
}

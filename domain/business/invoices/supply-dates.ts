import type { FieldProblem } from '../../errors';

/** A period with its first and last day, both `YYYY-MM-DD`. */
export interface DayPeriod {
  start: string;
  end: string;
}

/** The date of supply of documents that state none: none, or the day of issue, if goods always leave on it. */
export const DEFAULT_DELIVERY_DATES = ['none', 'issue_date'] as const;
export type DefaultDeliveryDate = (typeof DEFAULT_DELIVERY_DATES)[number];

/** When goods were delivered or services performed: on a day, or over a period; never both. */
export interface SupplyDates {
  /** `YYYY-MM-DD`; null if it is not stated. */
  deliveryDate: string | null;
  deliveryPeriod: DayPeriod | null;
}

/** The dates as sent; undefined and null mean that they are not stated. */
export type SentSupplyDates = { [K in keyof SupplyDates]?: SupplyDates[K] | undefined };

/** The dates of supply that a client sent, in the form in which they are stored. */
export const toSupplyDates = ({ deliveryDate, deliveryPeriod }: SentSupplyDates): SupplyDates => ({
  deliveryDate: deliveryDate ?? null,
  deliveryPeriod: deliveryPeriod ?? null,
});

/** The period of supply; a day is a period of one day. Null if neither is stated. */
export const getSupplyPeriod = ({ deliveryDate, deliveryPeriod }: SentSupplyDates): DayPeriod | null =>
  deliveryPeriod ?? (deliveryDate == null ? null : { start: deliveryDate, end: deliveryDate });

/**
 * The day whose tax rates apply to a line: the last day of its supply, or else of that of the document, since tax is due
 * for the supply at the rate of its day; the issue date if neither is stated.
 */
export const getTaxDate = (line: SentSupplyDates | null, document: SentSupplyDates, issueDate: string): string =>
  (line === null ? null : getSupplyPeriod(line))?.end ?? getSupplyPeriod(document)?.end ?? issueDate;

/**
 * Finds the problems of the dates of a document or line.
 * @param at prefix of the fields: empty for a document, such as `lines[0].` for a line
 * @param within the period of the document, which the period of a line must not exceed (Peppol R110 and R111)
 */
export function findSupplyDateProblems(
  dates: SentSupplyDates,
  at: '' | `lines[${number}].`,
  within: DayPeriod | null,
): FieldProblem[] {
  const { deliveryDate, deliveryPeriod } = dates;
  const field = `${at}${deliveryPeriod == null ? 'deliveryDate' : 'deliveryPeriod'}`;
  if (deliveryDate != null && deliveryPeriod != null)
    return [{ field, problem: 'must not be sent together with deliveryDate; send one of them' }];
  const period = getSupplyPeriod(dates);
  if (period === null) return [];
  if (period.end < period.start)
    return [{ field: `${field}.end`, problem: `must not be before the start, ${period.start}` }];
  if (within !== null && (period.start < within.start || period.end > within.end))
    return [{ field, problem: `must lie in the document's deliveryPeriod, ${within.start} to ${within.end}` }];
  return [];
}

/** The period that covers all of the periods; null if one is missing or there are none. */
export function coverPeriods(periods: readonly (DayPeriod | null)[]): DayPeriod | null {
  const stated = periods.filter((period) => period !== null);
  const [first] = stated;
  if (first === undefined || stated.length < periods.length) return null;
  return stated.reduce(
    (cover, { start, end }) => ({
      start: start < cover.start ? start : cover.start,
      end: end > cover.end ? end : cover.end,
    }),
    first,
  );
}

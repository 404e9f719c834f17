/** A period; an absent bound is open. */
export interface TimeRange {
  /** Inclusive start. */
  from?: Date | undefined;
  /** Exclusive end. */
  to?: Date | undefined;
}

/** The MongoDB condition on a date field for a period; undefined if neither bound is set. */
export const buildTimeCondition = ({ from, to }: TimeRange): { $gte?: Date; $lt?: Date } | undefined =>
  from === undefined && to === undefined
    ? undefined
    : { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };

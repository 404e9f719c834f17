import { useState } from 'react';
import { DateFilter } from './date-filter';
import { useProblemText } from './use-problem-text';

/** Days, YYYY-MM-DD; undefined for an end that is open. */
interface DayRange {
  first: string | undefined;
  last: string | undefined;
}

interface DateRangeFilterProps {
  labels: { first: string; last: string };
  /** The range of the address of the page. */
  days: DayRange;
  /** The days that apply where the address has none. */
  defaults?: DayRange;
  /** Called once the user pauses, unless the range ends before it begins. */
  onDays: (days: DayRange) => void;
}

/**
 * The first and last day by which a list or report is filtered. A range that ends before it begins is named at its first
 * day and not applied: what is shown stays that of the range before.
 */
export function DateRangeFilter({ labels, days, defaults, onDays }: DateRangeFilterProps) {
  const describe = useProblemText();
  const [typed, setTyped] = useState<{ range: DayRange; instead: DayRange } | null>(null);
  // The address changes from outside, as by going back or resetting: what was typed before is out of date.
  const isOutdated = typed !== null && (typed.instead.first !== days.first || typed.instead.last !== days.last);
  if (isOutdated) setTyped(null);
  const range = typed === null || isOutdated ? days : typed.range;
  const complete = ({ first, last }: DayRange) => ({ first: first ?? defaults?.first, last: last ?? defaults?.last });
  const getLastOfReversed = (each: DayRange): string | null => {
    const { first, last } = complete(each);
    return first !== undefined && last !== undefined && first > last ? last : null;
  };
  const choose = (next: DayRange): void => {
    const isApplied = getLastOfReversed(next) === null;
    setTyped(isApplied ? null : { range: next, instead: days });
    if (isApplied) onDays(next);
  };
  const date = getLastOfReversed(range);
  const problem = date === null ? null : describe({ field: '', problem: '', code: 'too_late', params: { date } });
  const { first, last } = complete(range);
  return (
    <>
      <DateFilter label={labels.first} day={first} onDay={(day) => choose({ ...range, first: day })} error={problem} />
      <DateFilter label={labels.last} day={last} onDay={(day) => choose({ ...range, last: day })} />
    </>
  );
}

import { DateFilter } from './date-filter';
import { useProblemText } from './use-problem-text';

interface DateRangeFilterProps {
  labels: { first: string; last: string };
  /** The days of the address of the page, YYYY-MM-DD. */
  first: string | undefined;
  last: string | undefined;
  /** Called once the user pauses; undefined for an empty field. */
  onFirst: (day: string | undefined) => void;
  onLast: (day: string | undefined) => void;
}

/** The first and last day by which a list or report is filtered. A range that ends before it begins is named at its first day. */
export function DateRangeFilter({ labels, first, last, onFirst, onLast }: DateRangeFilterProps) {
  const describe = useProblemText();
  const isReversed = first !== undefined && last !== undefined && first > last;
  const problem = isReversed ? describe({ field: '', problem: '', code: 'too_late', params: { date: last } }) : null;
  return (
    <>
      <DateFilter label={labels.first} day={first} onDay={onFirst} error={problem} />
      <DateFilter label={labels.last} day={last} onDay={onLast} />
    </>
  );
}

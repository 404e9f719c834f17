import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useTypedFilter } from './use-typed-filter';

/** While a year is typed, its first digits are a year of their own, such as 0002. */
const FIRST_DAY = '1900-01-01';

interface DateFilterProps extends Omit<TextInputProps, 'onChange' | 'value' | 'defaultValue' | 'type'> {
  /** The day of the address of the page, YYYY-MM-DD. */
  day: string | undefined;
  /** Called once the user pauses; undefined for an empty field. */
  onDay: (day: string | undefined) => void;
}

/** A day by which a list or report is filtered. */
export function DateFilter({ day = '', onDay, ...props }: DateFilterProps) {
  const field = useTypedFilter(day, (typed) => {
    if (typed === '') onDay(undefined);
    else if (typed >= FIRST_DAY) onDay(typed);
  });
  return <TextInput {...props} type="date" min={FIRST_DAY} {...field} />;
}

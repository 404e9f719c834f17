import { useTranslation } from 'react-i18next';
import '../texts';
import { DateRangeFilter } from '../../components/date-range-filter';
import type { Days } from './days';

interface DaysFilterProps {
  days: Days;
  /** The days of a report that applies some where none are chosen. */
  defaults?: Days | undefined;
  change: (days: Days) => void;
}

/** The first and last day of a list or report. */
export function DaysFilter({ days: { dateFrom, dateTo }, defaults, change }: DaysFilterProps) {
  const { t } = useTranslation('accounting');
  return (
    <DateRangeFilter
      labels={{ first: t('from'), last: t('to') }}
      days={{ first: dateFrom, last: dateTo }}
      defaults={{ first: defaults?.dateFrom, last: defaults?.dateTo }}
      onDays={({ first, last }) => change({ dateFrom: first, dateTo: last })}
    />
  );
}

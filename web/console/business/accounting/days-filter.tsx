import { useTranslation } from 'react-i18next';
import '../texts';
import { DateRangeFilter } from '../../components/date-range-filter';
import type { Days } from './days';

interface DaysFilterProps {
  days: Days;
  change: (days: Days) => void;
}

/** The first and last day of a list or report. */
export function DaysFilter({ days: { dateFrom, dateTo }, change }: DaysFilterProps) {
  const { t } = useTranslation('accounting');
  return (
    <DateRangeFilter
      labels={{ first: t('from'), last: t('to') }}
      first={dateFrom}
      last={dateTo}
      onFirst={(day) => change({ dateFrom: day })}
      onLast={(day) => change({ dateTo: day })}
    />
  );
}

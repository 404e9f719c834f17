import { useTranslation } from 'react-i18next';
import '../texts';
import { DateFilter } from '../../components/date-filter';
import type { Days } from './days';

interface DaysFilterProps {
  days: Days;
  change: (days: Days) => void;
}

/** The first and last day of a list or report. */
export function DaysFilter({ days: { dateFrom, dateTo }, change }: DaysFilterProps) {
  const { t } = useTranslation('accounting');
  return (
    <>
      <DateFilter label={t('from')} day={dateFrom} onDay={(day) => change({ dateFrom: day })} />
      <DateFilter label={t('to')} day={dateTo} onDay={(day) => change({ dateTo: day })} />
    </>
  );
}

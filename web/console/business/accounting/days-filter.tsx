import { TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import '../texts';
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
      <TextInput
        type="date"
        label={t('from')}
        value={dateFrom ?? ''}
        onChange={({ currentTarget }) => change({ dateFrom: currentTarget.value || undefined })}
      />
      <TextInput
        type="date"
        label={t('to')}
        value={dateTo ?? ''}
        onChange={({ currentTarget }) => change({ dateTo: currentTarget.value || undefined })}
      />
    </>
  );
}

import { Select } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useWarehouses } from '../records/lookups';
import { PRODUCTS, RecordSelect } from '../records/record-select';

interface FilterProps {
  value: string | undefined;
  change: (value: string | undefined) => void;
}

/** Limits a list to one warehouse. */
export function WarehouseFilter({ value, change }: FilterProps) {
  const { t } = useTranslation('stock');
  return (
    <Select
      label={t('warehouse')}
      placeholder={t('allWarehouses')}
      clearable
      data={useWarehouses()}
      value={value ?? null}
      onChange={(next) => change(next ?? undefined)}
    />
  );
}

/** Limits a list to one product. */
export function ProductFilter({ value, change }: FilterProps) {
  const { t } = useTranslation('stock');
  return (
    <RecordSelect
      source={PRODUCTS}
      label={t('product')}
      clearable
      value={value ?? null}
      onChange={(next) => change(next ?? undefined)}
    />
  );
}

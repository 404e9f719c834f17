import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatNumber } from '../../../shared/format';

/** Says that a choice has only the first documents of a longer list; nothing if it has all of them. */
export function ShownOf({ page }: { page: { data: readonly unknown[]; totalCount: number } | undefined }) {
  const { t } = useTranslation('payments');
  if (page === undefined || page.data.length >= page.totalCount) return null;
  return (
    <Text size="sm" role="status">
      {t('shownOf', { shown: formatNumber(page.data.length), total: formatNumber(page.totalCount) })}
    </Text>
  );
}

import { Alert, List } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';

/** Mandatory details of invoices that the company lacks; nothing if it has all of them. */
export function Completeness() {
  const { t } = useTranslation('settings');
  const { data } = useQuery(
    businessQuery('getCompanyCompleteness', [], (options) => business.getCompanyCompleteness(options)),
  );
  const missing = data?.data.missing ?? [];
  if (missing.length === 0) return null;
  return (
    <Alert color="yellow" title={t('incomplete')}>
      <List size="sm">
        {missing.map(({ rule, problem }) => (
          <List.Item key={rule}>{problem}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

import { Alert } from '@mantine/core';
import { useTranslation } from 'react-i18next';

/** A path without a page. */
export function NotFound() {
  const { t } = useTranslation('common');
  return (
    <Alert color="gray" role="alert">
      {t('notFound')}
    </Alert>
  );
}

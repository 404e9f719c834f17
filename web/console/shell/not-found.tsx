import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../components/page';

/** A path without a page. */
export function NotFound() {
  const { t } = useTranslation('common');
  return (
    <Page title={t('notFound')}>
      <Text>{t('notFoundText')}</Text>
      <Anchor component={Link} to="/">
        {t('toHome')}
      </Anchor>
    </Page>
  );
}

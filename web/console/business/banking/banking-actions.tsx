import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../session';

/** Leads to the import of a statement. */
export function ImportButton() {
  const { t } = useTranslation('banking');
  const { business: permissions } = useSession();
  if (!permissions.has('banking:create')) return null;
  return (
    <Button component={Link} to="/banking/import">
      {t('import')}
    </Button>
  );
}

import { Alert } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../session';
import type { Allows } from '../session';

/** Shows a page only to users whose role includes it. The API checks the same permissions. */
export function PermissionGate({ allows, children }: { allows: Allows; children: ReactNode }) {
  const session = useSession();
  const { t } = useTranslation('common');
  if (allows(session)) return children;
  return (
    <Alert color="gray" icon={<IconLock aria-hidden />} role="alert">
      {t('notPermitted')}
    </Alert>
  );
}

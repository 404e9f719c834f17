import { Alert, Button, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyFailure } from '../components/notify-failure';
import { useSession, useSwitchMode } from '../session';
import type { Allows } from '../session';

/** Offers the live mode to a user whose role includes a page that has no records in test mode. */
function LiveOnly() {
  const { t } = useTranslation('common');
  const switchMode = useSwitchMode();
  return (
    <Alert color="yellow">
      <Stack gap="sm" align="start">
        <Text size="sm">{t('liveOnly')}</Text>
        <Button size="xs" variant="default" onClick={() => void switchMode('live').catch(notifyFailure)}>
          {t('showLive')}
        </Button>
      </Stack>
    </Alert>
  );
}

/** Shows a page only to users whose role includes it. The API checks the same permissions. */
export function PermissionGate({ allows, children }: { allows: Allows; children: ReactNode }) {
  const session = useSession();
  const { t } = useTranslation('common');
  if (allows(session)) return children;
  if (allows({ ...session, business: session.businessInLive })) return <LiveOnly />;
  return (
    <Alert color="gray" icon={<IconLock aria-hidden />} role="alert">
      {t('notPermitted')}
    </Alert>
  );
}

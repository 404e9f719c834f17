import { Badge, Button, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDateTime, formatRelative } from '../../shared/format';
import type en from '../locales/en/sign-ins.json';
import { SimpleTable } from './simple-table';

declare module '../../shared/i18n' {
  interface Texts {
    'sign-ins': typeof en;
  }
}

interface SignIn {
  id: string;
  current: boolean;
  address: string | null;
  device: string | null;
  createdAt: string;
  lastUsedAt: string;
}

interface SignInSessionsProps {
  sessions: readonly SignIn[];
  /** Absent if the user may not end them. */
  end?: ((id: string) => void) | undefined;
}

/** Where a user is signed in. */
export function SignInSessions({ sessions, end }: SignInSessionsProps) {
  const { t } = useTranslation('sign-ins');
  if (sessions.length === 0) return <Text size="sm">{t('none')}</Text>;
  return (
    <SimpleTable
      label={t('title')}
      head={[t('device'), t('address'), t('since'), t('lastUsed'), t('action')]}
      rows={sessions.map(({ id, current, address, device, createdAt, lastUsedAt }) => ({
        key: id,
        cells: [
          <Text key="device" size="sm" lineClamp={2} maw={280}>
            {device ?? '–'}
          </Text>,
          address ?? '–',
          formatDateTime(createdAt),
          formatRelative(lastUsedAt),
          current ? (
            <Badge key="current" variant="light" tt="none">
              {t('current')}
            </Badge>
          ) : (
            end !== undefined && (
              <Button key="end" size="compact-sm" variant="default" onClick={() => end(id)}>
                {t('end')}
              </Button>
            )
          ),
        ],
      }))}
    />
  );
}

import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure';
import type { Conflict } from './use-record-form';

/** Says that another user has changed the record, and loads that change without losing what was typed. */
export function ConflictNotice({ conflict }: { conflict: Conflict | null }) {
  const { t } = useTranslation('common');
  if (conflict === null) return null;
  const { isLoaded, isLoading, load, failure } = conflict;
  return (
    <Alert color="yellow" role="alert" title={t(isLoaded ? 'conflict.loadedTitle' : 'conflict.title')}>
      <Stack gap="xs">
        <Text size="sm">{t(isLoaded ? 'conflict.loaded' : 'conflict.text')}</Text>
        <Failure error={failure} />
        {!isLoaded && (
          <Group>
            <Button variant="default" loading={isLoading} onClick={load}>
              {t('conflict.load')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

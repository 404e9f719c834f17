import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from './failure';
import type { Conflict } from './use-record-form';

/** What the notice says instead, where the record is not edited. */
export interface ConflictTexts {
  title: string;
  text: string;
  load: string;
  loadedTitle: string;
  loaded: string;
}

interface ConflictNoticeProps {
  conflict: Conflict | null;
  texts?: ConflictTexts;
}

/** Says that another user has changed the record, and loads that change without losing what was typed. */
export function ConflictNotice({ conflict, texts }: ConflictNoticeProps) {
  const { t } = useTranslation('common');
  const alert = useRef<HTMLDivElement>(null);
  const wasLoaded = conflict?.isLoaded === true;
  useEffect(() => {
    // The button that loaded the change is gone.
    if (wasLoaded && document.activeElement === document.body) alert.current?.focus({ preventScroll: true });
  }, [wasLoaded]);
  if (conflict === null) return null;
  const say = (part: keyof ConflictTexts): string => texts?.[part] ?? t(`conflict.${part}`);
  const { isLoaded, isLoading, load, failure } = conflict;
  return (
    <Alert ref={alert} tabIndex={-1} color="yellow" role="alert" title={say(isLoaded ? 'loadedTitle' : 'title')}>
      <Stack gap="xs">
        <Text size="sm">{say(isLoaded ? 'loaded' : 'text')}</Text>
        <Failure error={failure} />
        {!isLoaded && (
          <Group>
            <Button variant="default" loading={isLoading} onClick={load}>
              {say('load')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

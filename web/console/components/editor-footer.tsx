import { Button, Group, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConflictNotice } from './conflict-notice';
import { Failure } from './failure';
import type { Conflict } from './use-record-form';

interface EditorFooterProps {
  conflict: Conflict | null;
  failure: unknown;
  isPending: boolean;
  /** Name of the button that sends the form. @default "Save" */
  action?: string;
  /** Where the editor was opened from. */
  back: string;
  /** Further buttons. */
  children?: ReactNode;
}

/** What ends the editor of a record: conflicts, failures, and the buttons that send or leave it. */
export function EditorFooter({ conflict, failure, isPending, action, back, children }: EditorFooterProps) {
  const { t } = useTranslation('common');
  return (
    <Stack>
      <ConflictNotice conflict={conflict} />
      <Failure error={failure} />
      <Group>
        <Button type="submit" loading={isPending}>
          {action ?? t('save')}
        </Button>
        {children}
        <Button variant="default" component={Link} to={back}>
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

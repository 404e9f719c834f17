import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isVersionConflict } from '../../../shared/api/versions';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';

interface ConfirmDialogProps<R> {
  opened: boolean;
  close: () => void;
  title: string;
  /** What the action does, and whether it can be undone. */
  children: ReactNode;
  action: string;
  /** Whether the action deletes or reverses something. @default false */
  isDestructive?: boolean;
  /** Whether a reason is asked for, which the audit log keeps. @default false */
  needsReason?: boolean;
  submit: (reason: string) => Promise<R>;
  onDone: (result: R) => void | Promise<void>;
}

/** Asks before an action whose effect others see. */
export function ConfirmDialog<R>(props: ConfirmDialogProps<R>) {
  const { opened, close, title, children, action, isDestructive = false, needsReason = false } = props;
  const { t } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = usePageForm({
    isShown: opened,
    initialValues: { reason: '' },
    submit: async ({ reason }) => {
      try {
        return await props.submit(reason);
      } catch (error) {
        // The page behind the dialog then shows what has changed.
        if (isVersionConflict(error)) void queries.invalidateQueries({ queryKey: ['business'] });
        throw error;
      }
    },
    onDone: async (result) => {
      await props.onDone(result);
      form.reset();
      close();
    },
  });
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={onSubmit} noValidate>
        <Stack>
          <Text component="div" size="sm">
            {children}
          </Text>
          {needsReason && (
            <Textarea label={t('reason')} required autosize minRows={2} {...form.getInputProps('reason')} />
          )}
          <Failure error={failure} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {t('back')}
            </Button>
            <Button type="submit" color={isDestructive ? 'red.9' : undefined} loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

import { Button, Group, Modal, Skeleton, Stack } from '@mantine/core';
import type { ModalProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';

interface DialogFieldsProps {
  onSubmit: (event?: FormEvent<HTMLFormElement>) => void;
  close: () => void;
  isPending: boolean;
  /** Name of the action. @default "Save" */
  action?: string | undefined;
  /** Fields and messages. */
  children: ReactNode;
}

/** The form of a dialog with its buttons. */
export function DialogFields({ onSubmit, close, isPending, action, children }: DialogFieldsProps) {
  const { t } = useTranslation('business');
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        {children}
        <Group justify="end">
          <Button variant="default" onClick={close}>
            {t('back')}
          </Button>
          <Button type="submit" loading={isPending}>
            {action ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface FormBodyProps<V extends Record<string, unknown>, R> {
  opened: boolean;
  close: () => void;
  initialValues: V;
  submit: (values: V) => Promise<R>;
  /** Name of the action. @default "Save" */
  action?: string;
  /** What is said after success. @default "Saved" */
  describeResult?: (result: R) => string;
  onDone?: (result: R) => void | Promise<void>;
  /** The fields. */
  children: (form: UseFormReturnType<V>) => ReactNode;
}

function FormBody<V extends Record<string, unknown>, R>(props: FormBodyProps<V, R>) {
  const { opened, close, initialValues, submit, action, describeResult, onDone, children } = props;
  const { t } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = usePageForm<V, R>({
    isShown: opened,
    initialValues,
    submit,
    onDone: async (result) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: describeResult?.(result) ?? t('saved') });
      await onDone?.(result);
      close();
    },
  });
  return (
    <DialogFields onSubmit={onSubmit} close={close} isPending={isPending} action={action}>
      {children(form)}
      <Failure error={failure} />
    </DialogFields>
  );
}

export interface DialogProps {
  opened: boolean;
  title: string;
  size?: ModalProps['size'];
}

interface DialogFormProps<V extends Record<string, unknown>, R> extends FormBodyProps<V, R>, DialogProps {
  /** False while the initial values are being read: what is filled in before would be lost. @default true */
  isReady?: boolean;
}

/** A dialog whose form begins with the same values whenever it opens, and closes once the API has accepted them. */
export function DialogForm<V extends Record<string, unknown>, R>(props: DialogFormProps<V, R>) {
  const { title, size, isReady = true, ...body } = props;
  return (
    <Modal opened={body.opened} onClose={body.close} title={title} {...(size === undefined ? {} : { size })}>
      {isReady ? <FormBody {...body} /> : <Skeleton h={160} />}
    </Modal>
  );
}

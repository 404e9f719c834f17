import { Modal, Skeleton } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import type { operations } from '../../../../clients/typescript/src/generated/business-schema';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { useEditedRecord } from '../../components/use-edited-record';
import { useRecordForm } from '../../components/use-record-form';
import { DialogFields } from './dialog-form';
import type { DialogProps } from './dialog-form';

interface FormProps<T, V extends Record<string, unknown>> {
  close: () => void;
  read: (id: string, options: CallOptions) => Promise<{ data: T }>;
  /** The values of a record, or of a new one. */
  toValues: (record: T | null) => V;
  /** Sends the values; the options make the API reject them if the record has changed meanwhile. */
  submit: (values: V, options: CallOptions, record: T | null) => Promise<unknown>;
  onDone?: () => void | Promise<void>;
  /** The fields. */
  children: (form: UseFormReturnType<V>) => ReactNode;
}

function EditForm<T, V extends Record<string, unknown>>(
  props: FormProps<T, V> & { id: string | undefined; edited: Versioned<T> | null },
) {
  const { id = '', edited, close, read, toValues, submit, onDone, children } = props;
  const { t } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure, conflict } = useRecordForm<T, V, unknown>({
    edited,
    read: (options) => read(id, options),
    toValues,
    submit,
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await onDone?.();
      notifications.show({ color: 'green', message: t('saved') });
      close();
    },
  });
  return (
    <DialogFields onSubmit={onSubmit} close={close} isPending={isPending}>
      {children(form)}
      <ConflictNotice conflict={conflict} />
      <Failure error={failure} />
    </DialogFields>
  );
}

interface BodyProps<T, V extends Record<string, unknown>> extends FormProps<T, V> {
  /** Operation that reads the record. */
  operation: keyof operations;
  /** Undefined for a new record. */
  id: string | undefined;
}

function Body<T, V extends Record<string, unknown>>(props: BodyProps<T, V>) {
  const { operation, id, read } = props;
  const { data, error } = useEditedRecord(operation, id, read);
  if (error !== null) return <Failure error={error} />;
  if (id !== undefined && data === undefined) return <Skeleton h={160} />;
  return <EditForm {...props} edited={data ?? null} />;
}

/** A dialog that creates or changes a record and never overwrites the change of another user. */
export function EditDialog<T, V extends Record<string, unknown>>(props: BodyProps<T, V> & DialogProps) {
  const { opened, title, size, ...body } = props;
  return (
    <Modal opened={opened} onClose={body.close} title={title} {...(size === undefined ? {} : { size })}>
      <Body {...body} />
    </Modal>
  );
}

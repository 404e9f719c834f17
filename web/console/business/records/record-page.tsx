import { Skeleton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CallOptions } from '../../../../clients/typescript/src/calls';
import type { operations } from '../../../../clients/typescript/src/generated/business-schema';
import type { Versioned } from '../../../shared/api/versions';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useEditedRecord } from '../../components/use-edited-record';

interface RecordPageProps<T> {
  title: string;
  /** Undefined until it has been read. */
  record: T | undefined;
  error: unknown;
  actions: (record: T) => ReactNode;
  children: (record: T) => ReactNode;
}

/** The page of one record: its content, and what can be done with it. */
export function RecordPage<T>({ title, record, error, actions, children }: RecordPageProps<T>) {
  return (
    <Page title={title} actions={record !== undefined && actions(record)}>
      <Failure error={error} />
      {record === undefined ? error === null && <Skeleton h={240} /> : children(record)}
    </Page>
  );
}

interface EditorPageProps<T> {
  /** Operation that reads the record. */
  operation: keyof operations;
  /** Undefined for a new record. */
  id: string | undefined;
  read: (id: string, options: CallOptions) => Promise<{ data: T }>;
  /** The title for a record; undefined until it has been read. */
  titleOf: (record: T | undefined) => string;
  newTitle: string;
  /** The editor; null for a new record. */
  children: (edited: Versioned<T> | null) => ReactNode;
}

/** The page on which a record is created, or changed as it was when the page was opened. */
export function EditorPage<T>({ operation, id, read, titleOf, newTitle, children }: EditorPageProps<T>) {
  const { data, error } = useEditedRecord(operation, id, read);
  if (id === undefined) return <Page title={newTitle}>{children(null)}</Page>;
  return (
    <Page title={titleOf(data?.record)}>
      <Failure error={error} />
      {data === undefined ? error === null && <Skeleton h={320} /> : children(data)}
    </Page>
  );
}

/** Opens the page of a record that an editor has saved; its id follows the path. */
export function useOpenSaved(path: string): (saved: { data: { id: number | null } }) => Promise<void> {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async ({ data: { id } }) => {
    await queries.invalidateQueries({ queryKey: ['business'] });
    await navigate({ to: `${path}/${id}` });
  };
}

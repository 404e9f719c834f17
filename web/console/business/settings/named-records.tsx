import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { businessQuery } from '../../../shared/api/business';
import type { Column } from '../../components/data-table';
import { usePageSearch } from '../../components/use-page-search';
import { defineColumns } from '../records/columns';
import { oneOf, RecordList } from '../records/record-list';
import type { NumberedPage } from '../records/record-list';
import { settingsSearch } from './settings-search';

interface NamedRecord {
  id: number;
  name: string;
}

/** A page of the list, with active and inactive records. */
interface NamedQuery<S extends string> {
  page: number;
  search: string | undefined;
  sortBy: S | undefined;
  sortDir: 'asc' | 'desc' | undefined;
  active: 'all';
}

export interface RecordDialogProps<T> {
  /** Null for a new one. */
  record: T | null;
  opened: boolean;
  close: () => void;
}

interface NamedRecordsProps<T extends NamedRecord, S extends string> {
  label: string;
  createLabel: string;
  canCreate: boolean;
  canChange: boolean;
  operation: Parameters<typeof businessQuery>[0];
  read: (query: NamedQuery<S>, options: { signal: AbortSignal }) => Promise<NumberedPage<T>>;
  sorts: readonly S[];
  /** The columns of the list, given the one with the name. */
  columns: (name: Column<T>) => Column<T>[];
  dialog: (props: RecordDialogProps<T>) => ReactNode;
  empty: string;
}

/** A list of settings with names, each of which is created and changed in a dialog. */
export function NamedRecords<T extends NamedRecord, S extends string>(props: NamedRecordsProps<T, S>) {
  const { label, createLabel, canCreate, canChange, operation, read, sorts, columns, dialog, empty } = props;
  const { t } = useTranslation('settings');
  const [position, change] = usePageSearch(settingsSearch);
  const [opened, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState<T | null>(null);
  const edit = (next: T | null): void => {
    setChosen(next);
    open();
  };
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(sorts, position.sortBy), sortDir, active: 'all' as const };
  const name = defineColumns<T>()('name', t('name'), (record) =>
    canChange ? (
      <Anchor component="button" size="sm" onClick={() => edit(record)}>
        {record.name}
      </Anchor>
    ) : (
      record.name
    ),
  );
  return (
    <Stack>
      {canCreate && (
        <Group>
          <Button onClick={() => edit(null)}>{createLabel}</Button>
        </Group>
      )}
      {dialog({ record: chosen, opened, close })}
      <RecordList
        label={label}
        columns={columns(name)}
        getRowId={({ id }) => String(id)}
        operation={operation}
        parameters={[query]}
        read={(options) => read(query, options)}
        position={position}
        change={change}
        sortable={sorts}
        empty={<Text maw={480}>{empty}</Text>}
      />
    </Stack>
  );
}

import { Center, Group, LoadingOverlay, Stack, Table, Text, UnstyledButton } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconArrowsSort } from '@tabler/icons-react';
import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import type { CellData, ColumnDef, RowData, TableFeatures } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { WideContent } from './wide-content';

declare module '@tanstack/react-table' {
  interface ColumnMeta<
    in out TFeatures extends TableFeatures,
    in out TData extends RowData,
    TValue extends CellData = CellData,
  > {
    /** Whether the cells are numbers, which are aligned at their ends. @default false */
    isNumber?: boolean;
  }
}

/** Sorting, filtering and paging are done by the API: the table only describes columns and rows. */
const features = tableFeatures({});

export type Column<T extends RowData> = ColumnDef<typeof features, T>;

/** Helper that types the columns of a list by its record. */
export const createColumns = <T extends RowData>() => createColumnHelper<typeof features, T>();

/** How a list is sorted. */
export interface Sorting {
  /** Columns that the API can sort by, by their ids. */
  columns: readonly string[];
  by: string | undefined;
  direction: 'asc' | 'desc' | undefined;
  change: (by: string, direction: 'asc' | 'desc') => void;
}

interface DataTableProps<T extends RowData> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  /** Undefined until the first page has been read. */
  rows: readonly T[] | undefined;
  getRowId: (row: T) => string;
  isFetching?: boolean;
  sorting?: Sorting;
  /** Shown instead of rows when there are none: how to begin, or that no record matches the filters. */
  empty: ReactNode;
}

const ARIA_SORT = { asc: 'ascending', desc: 'descending' } as const;

function SortButton({ id, label, sorting }: { id: string; label: ReactNode; sorting: Sorting }) {
  const { t } = useTranslation('common');
  const direction = sorting.by === id ? (sorting.direction ?? 'asc') : null;
  const Icon = direction === null ? IconArrowsSort : direction === 'asc' ? IconArrowUp : IconArrowDown;
  return (
    <UnstyledButton
      onClick={() => sorting.change(id, direction === 'asc' ? 'desc' : 'asc')}
      aria-label={t('sortBy', { column: typeof label === 'string' ? label : id })}
    >
      <Group gap={4} wrap="nowrap">
        <Text size="sm" fw={700}>
          {label}
        </Text>
        <Icon size={14} aria-hidden />
      </Group>
    </UnstyledButton>
  );
}

const getAlignment = ({ meta }: { meta?: { isNumber?: boolean } }) => (meta?.isNumber === true ? 'end' : undefined);

const NO_ROWS: readonly never[] = [];

/** A table of records. Columns that do not fit are reached by scrolling, also with the keyboard. */
export function DataTable<T extends RowData>(props: DataTableProps<T>) {
  const { label, columns, rows, getRowId, isFetching = false, sorting, empty } = props;
  const { t } = useTranslation('common');
  const table = useTable({ features, columns: [...columns], data: rows ?? NO_ROWS, getRowId });
  return (
    // The overlay covers the table, but not a dialog that is opened meanwhile.
    <Stack pos="relative" gap={0} aria-busy={isFetching} style={{ isolation: 'isolate' }}>
      <LoadingOverlay visible={rows === undefined && isFetching} loaderProps={{ 'aria-label': t('loading') }} />
      <WideContent label={label}>
        <Table striped highlightOnHover verticalSpacing="xs" miw="max-content">
          <Table.Caption style={{ captionSide: 'top', position: 'absolute', clipPath: 'inset(50%)' }}>
            {label}
          </Table.Caption>
          <Table.Thead>
            {table.getHeaderGroups().map((group) => (
              <Table.Tr key={group.id}>
                {group.headers.map((header) => {
                  const { id } = header.column;
                  const content = header.isPlaceholder ? null : <table.FlexRender header={header} />;
                  const text = header.column.columnDef.header;
                  const canSort = sorting?.columns.includes(id) === true;
                  const sorted = canSort && sorting.by === id ? ARIA_SORT[sorting.direction ?? 'asc'] : undefined;
                  return (
                    <Table.Th key={header.id} scope="col" aria-sort={sorted} ta={getAlignment(header.column.columnDef)}>
                      {canSort ? (
                        <SortButton id={id} label={typeof text === 'string' ? text : content} sorting={sorting} />
                      ) : (
                        content
                      )}
                    </Table.Th>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {table.getRowModel().rows.map((row) => (
              <Table.Tr key={row.id}>
                {row.getAllCells().map((cell) => (
                  <Table.Td key={cell.id} ta={getAlignment(cell.column.columnDef)}>
                    <table.FlexRender cell={cell} />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideContent>
      {rows?.length === 0 && (
        <Center p="xl" ta="center">
          {empty}
        </Center>
      )}
      {rows === undefined && <Center mih={160} />}
    </Stack>
  );
}

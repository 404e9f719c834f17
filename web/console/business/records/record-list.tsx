import { Group, Stack } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { businessQuery } from '../../../shared/api/business';
import { DataTable } from '../../components/data-table';
import type { Column } from '../../components/data-table';
import { EmptyList } from '../../components/empty-list';
import { Failure } from '../../components/failure';
import { NumberedPager } from '../../components/pager';
import { SearchInput } from '../../components/search-input';
import '../texts';

/** A page of a list of `/api`. */
export interface NumberedPage<T> {
  data: T[];
  totalCount: number;
  page: number;
  pageSize: number;
}

/** The part of a list's address that every list has. */
export interface ListPosition {
  page: number;
  search?: string | undefined;
  sortBy?: string | undefined;
  sortDir?: 'asc' | 'desc' | undefined;
}

interface RecordListProps<T extends RowData> {
  /** What the list contains. */
  label: string;
  columns: readonly Column<T>[];
  getRowId: (row: T) => string;
  /** Operation that returns the list, and its parameters. */
  operation: Parameters<typeof businessQuery>[0];
  parameters: readonly unknown[];
  read: (options: { signal: AbortSignal }) => Promise<NumberedPage<T>>;
  position: ListPosition;
  change: Change;
  /** Fields by which the API sorts, which are also ids of columns. */
  sortable?: readonly string[];
  /** Whether the list can be searched. @default true */
  isSearchable?: boolean;
  filters?: ReactNode;
  /** Whether a filter other than the search is set. */
  isFiltered?: boolean;
  /** Removes the filters and the search. */
  resetFilters?: () => void;
  /** How to begin, where there is no record at all. */
  empty: ReactNode;
}

type Change = (position: Partial<ListPosition>, options?: { replace?: boolean }) => void;

interface ToolbarProps {
  text: string;
  change: Change;
  isSearchable: boolean;
  filters: ReactNode;
}

function Toolbar({ text, change, isSearchable, filters }: ToolbarProps) {
  const { t } = useTranslation('business');
  if (!isSearchable && filters === undefined) return null;
  return (
    <Group gap="sm" align="end">
      {isSearchable && (
        <SearchInput
          text={text}
          type="search"
          label={t('search')}
          leftSection={<IconSearch size={16} aria-hidden />}
          onSearch={(next) => change({ search: next || undefined, page: 1 }, { replace: true })}
        />
      )}
      {filters}
    </Group>
  );
}

/** A list with search, filters, sorting and pages, whose state is in the address. */
export function RecordList<T extends RowData>(props: RecordListProps<T>) {
  const { label, columns, getRowId, operation, parameters, read, position, change } = props;
  const { sortable = [], isSearchable = true, filters, isFiltered = false, resetFilters, empty } = props;
  const { data, error, isFetching } = useQuery({
    ...businessQuery(operation, parameters, read),
    placeholderData: keepPreviousData,
  });
  const sorting = {
    columns: sortable,
    by: position.sortBy,
    direction: position.sortDir,
    change: (sortBy: string, sortDir: 'asc' | 'desc') => change({ sortBy, sortDir, page: 1 }),
  };
  const reset = resetFilters ?? (() => change({ search: undefined, page: 1 }));
  return (
    <Stack gap="sm">
      <Toolbar text={position.search ?? ''} change={change} isSearchable={isSearchable} filters={filters} />
      <Failure error={error} />
      <DataTable
        label={label}
        columns={columns}
        rows={data?.data}
        getRowId={getRowId}
        isFetching={isFetching}
        sorting={sorting}
        empty={
          <EmptyList
            isFiltered={isFiltered || position.search !== undefined}
            reset={reset}
            goToFirst={data !== undefined && data.totalCount > 0 ? () => change({ page: 1 }) : undefined}
          >
            {empty}
          </EmptyList>
        }
      />
      <NumberedPager page={data} change={(page) => change({ page })} />
    </Stack>
  );
}

/** The value if it is one of the choices, as for a filter in an address that anyone can write. */
export const oneOf = <const T extends readonly string[]>(
  choices: T,
  value: string | undefined,
): T[number] | undefined => choices.find((choice) => choice === value);

import type { UseQueryResult } from '@tanstack/react-query';
import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { Column } from './data-table';
import { DataTable } from './data-table';
import { EmptyList } from './empty-list';
import { Failure } from './failure';
import { CursorPager, goToFirst } from './pager';

interface Position {
  cursor?: string | undefined;
  skip?: number | undefined;
}

interface CursorListProps<P extends { total: number; nextCursor: string | null }, T extends RowData> {
  label: string;
  query: UseQueryResult<P>;
  readRows: (page: P) => readonly T[];
  columns: readonly Column<T>[];
  getRowId: (row: T) => string;
  search: Position;
  change: (position: Position) => void;
  /** Removes every filter; left out for a list without filters. */
  resetFilters?: () => void;
  isFiltered?: boolean;
  /** How to begin, for a list that has no record at all. */
  children: ReactNode;
}

/** A list of `/v1` with its table, failure and pages. */
export function CursorList<P extends { total: number; nextCursor: string | null }, T extends RowData>({
  label,
  query: { data, error, isFetching, isPlaceholderData },
  readRows,
  columns,
  getRowId,
  search,
  change,
  resetFilters,
  isFiltered = false,
  children,
}: CursorListProps<P, T>) {
  const rows = data && readRows(data);
  return (
    <>
      <Failure error={error} />
      <DataTable
        label={label}
        columns={columns}
        rows={rows}
        getRowId={getRowId}
        isFetching={isFetching}
        empty={
          <EmptyList
            isFiltered={isFiltered && resetFilters !== undefined}
            reset={() => resetFilters?.()}
            goToFirst={goToFirst({ search, change })}
          >
            {children}
          </EmptyList>
        }
      />
      <CursorPager
        search={search}
        change={change}
        page={data && rows && { count: rows.length, total: data.total, nextCursor: data.nextCursor }}
        isPlaceholderData={isPlaceholderData}
      />
    </>
  );
}

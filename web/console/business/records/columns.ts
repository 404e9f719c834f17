import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { Column } from '../../components/data-table';

type DefineColumn<T extends RowData> = (id: string, header: string, show: (record: T) => ReactNode) => Column<T>;

/**
 * Defines columns of a list by what they show of a record. The id of a column by which the list can be sorted is the
 * name of the field.
 */
export const defineColumns =
  <T extends RowData>(): DefineColumn<T> =>
  (id, header, show) => ({ id, header, cell: ({ row }) => show(row.original) });

/** Defines columns of amounts and quantities, which are aligned at their ends so that they can be compared. */
export const defineNumberColumns =
  <T extends RowData>(): DefineColumn<T> =>
  (id, header, show) => ({ id, header, meta: { isNumber: true }, cell: ({ row }) => show(row.original) });

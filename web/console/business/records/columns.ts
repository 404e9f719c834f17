import type { RowData } from '@tanstack/react-table';
import type { ReactNode } from 'react';
import type { Column } from '../../components/data-table';

/**
 * Defines columns of a list by what they show of a record. The id of a column by which the list can be sorted is the
 * name of the field.
 */
export const defineColumns =
  <T extends RowData>() =>
  (id: string, header: string, show: (record: T) => ReactNode): Column<T> => ({
    id,
    header,
    cell: ({ row }) => show(row.original),
  });

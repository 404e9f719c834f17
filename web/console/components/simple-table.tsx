import { Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { WideContent } from './wide-content';

interface SimpleTableProps {
  /** What the table lists, for screen readers. */
  label: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** Columns from this one on are numbers, aligned at their end. */
  numbersFrom?: number;
}

/** A small table without paging, whose first column names the rows. */
export function SimpleTable({ label, head, rows, numbersFrom = head.length }: SimpleTableProps) {
  const align = (index: number) => (index >= numbersFrom ? 'end' : undefined);
  return (
    <WideContent label={label}>
      <Table verticalSpacing={6} miw="max-content">
        <Table.Thead>
          <Table.Tr>
            {head.map((title, index) => (
              <Table.Th key={title} ta={align(index)} scope="col">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(({ key, cells }) => (
            <Table.Tr key={key}>
              {cells.map((cell, index) => (
                <Table.Td key={head[index]} ta={align(index)}>
                  {cell}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideContent>
  );
}

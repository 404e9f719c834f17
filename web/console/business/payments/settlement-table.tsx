import { Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDate, formatMoney } from '../../../shared/format';
import { WideContent } from '../../components/wide-content';
import { Money } from '../records/money';

/** A document that a credit settled, or what settled a document. */
export interface SettlementRow {
  key: string;
  record: ReactNode;
  date: string;
  amount: number;
  /** Discount for early payment that closed the document. */
  discount: number;
  status: string;
  /** The button that takes it back; absent where that is not possible. */
  correction?: ReactNode;
}

interface SettlementTableProps {
  title: string;
  recordLabel: string;
  rows: readonly SettlementRow[];
  currency: string;
}

/** What a credit settled, or what settled a document; nothing without rows. */
export function SettlementTable({ title, recordLabel, rows, currency }: SettlementTableProps) {
  const { t } = useTranslation('payments');
  if (rows.length === 0) return null;
  return (
    <>
      <Title order={2} size="h4">
        {title}
      </Title>
      <WideContent label={title}>
        <Table miw={460}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{recordLabel}</Table.Th>
              <Table.Th scope="col">{t('date')}</Table.Th>
              <Table.Th scope="col" ta="end">
                {t('amountLabel')}
              </Table.Th>
              <Table.Th scope="col">{t('status')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map(({ key, record, date, amount, discount, status, correction }) => (
              <Table.Tr key={key}>
                <Table.Td>{record}</Table.Td>
                <Table.Td>{formatDate(date)}</Table.Td>
                <Table.Td ta="end">
                  <Money amount={amount} currency={currency} />
                  {discount > 0 && (
                    <Text size="xs" c="dimmed">
                      {t('discountTaken', { discount: formatMoney(discount, currency) })}
                    </Text>
                  )}
                </Table.Td>
                <Table.Td>
                  {status} {correction}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </WideContent>
    </>
  );
}

import { Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDecimal, Money } from '../records/money';
import { formatUnitPrice } from '../../../shared/format';
import { WideContent } from '../../components/wide-content';

interface DocumentLine {
  lineId: number;
  description: string;
  details: string | null;
  productCode: string | null;
  quantity: number;
  unit: string;
  unitPrice: number;
  discountPercent: number;
  taxPercent: number;
  adjustments: readonly { type: 'discount' | 'charge'; reason: string; percent: number | null; amount: number }[];
  net: number;
}

/** Columns of numbers, which are aligned at their ends. */
const NUMBERS = ['quantity', 'unitPrice', 'discount', 'taxRate', 'lineNet'] as const;

/** The lines of an invoice or credit note as issued. */
export function DocumentLines({ lines, currency }: { lines: readonly DocumentLine[]; currency: string }) {
  const { t } = useTranslation('invoices');
  return (
    <WideContent label={t('lines')}>
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('description')}</Table.Th>
            {NUMBERS.map((name) => (
              <Table.Th key={name} scope="col" ta="end">
                {t(name)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.lineId}>
              <Table.Td>
                <Text size="sm">{line.description}</Text>
                {line.details !== null && (
                  <Text size="xs" style={{ whiteSpace: 'pre-line' }}>
                    {line.details}
                  </Text>
                )}
                {line.adjustments.map(({ type, reason, percent, amount }) => (
                  <Text key={`${type} ${reason} ${amount}`} size="xs" c="dimmed">
                    {reason}
                    {percent !== null && ` ${formatDecimal(percent)} %`}: {type === 'discount' && '−'}
                    {formatUnitPrice(amount, currency)}
                  </Text>
                ))}
                {line.productCode !== null && (
                  <Text size="xs" c="dimmed">
                    {line.productCode}
                  </Text>
                )}
              </Table.Td>
              <Table.Td ta="end">
                {formatDecimal(line.quantity)} {line.unit === 'C62' ? '' : line.unit}
              </Table.Td>
              <Table.Td ta="end">{formatUnitPrice(line.unitPrice, currency)}</Table.Td>
              <Table.Td ta="end">
                {line.discountPercent === 0 ? '–' : `${formatDecimal(line.discountPercent)} %`}
              </Table.Td>
              <Table.Td ta="end">{formatDecimal(line.taxPercent)} %</Table.Td>
              <Table.Td ta="end">
                <Money amount={line.net} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </WideContent>
  );
}

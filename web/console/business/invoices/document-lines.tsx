import { ScrollArea, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDecimal, Money } from '../records/money';

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

/** The lines of an invoice or credit note as issued. */
export function DocumentLines({ lines, currency }: { lines: readonly DocumentLine[]; currency: string }) {
  const { t } = useTranslation('invoices');
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('lines') }}>
      <Table verticalSpacing="xs" miw={560}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('description')}</Table.Th>
            <Table.Th scope="col">{t('quantity')}</Table.Th>
            <Table.Th scope="col">{t('unitPrice')}</Table.Th>
            <Table.Th scope="col">{t('discount')}</Table.Th>
            <Table.Th scope="col">{t('taxRate')}</Table.Th>
            <Table.Th scope="col">{t('lineNet')}</Table.Th>
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
                    {formatDecimal(amount)}
                  </Text>
                ))}
                {line.productCode !== null && (
                  <Text size="xs" c="dimmed">
                    {line.productCode}
                  </Text>
                )}
              </Table.Td>
              <Table.Td>
                {formatDecimal(line.quantity)} {line.unit === 'C62' ? '' : line.unit}
              </Table.Td>
              <Table.Td>{formatDecimal(line.unitPrice)}</Table.Td>
              <Table.Td>{line.discountPercent === 0 ? '–' : `${formatDecimal(line.discountPercent)} %`}</Table.Td>
              <Table.Td>{formatDecimal(line.taxPercent)} %</Table.Td>
              <Table.Td>
                <Money amount={line.net} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea>
  );
}

import { Checkbox, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate, formatMoney } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { readCostLines } from './cost-values';
import type { CostLine } from './cost-values';
import { receiptsQuery } from './receipts-query';

const receiptQuery = (id: string) => businessQuery('getPayable', [id], (options) => business.getPayable(id, options));

/** Reads the lines of receipts, as the bill of the vendor probably has them. */
function useReadLines() {
  const queries = useQueryClient();
  return async (receiptIds: readonly string[]): Promise<CostLine[]> => {
    const receipts = await Promise.all(receiptIds.map((id) => queries.fetchQuery(receiptQuery(id))));
    return receipts.flatMap(({ data }) => readCostLines(data.id, data.lines));
  };
}

interface ReceiptChoiceProps {
  vendorId: string | null;
  receiptIds: string[];
  /** @param lines the lines of the chosen receipts */
  onChange: (receiptIds: string[], lines: CostLine[]) => void;
}

/** Chooses the goods receipts that a bill charges, which fills in its lines. */
export function ReceiptChoice({ vendorId, receiptIds, onChange }: ReceiptChoiceProps) {
  const { t } = useTranslation('purchasing');
  const readLines = useReadLines();
  const { data: receipts, error } = useQuery(receiptsQuery(vendorId, 'open'));
  const [failure, setFailure] = useState<unknown>(null);
  const latest = useRef(receiptIds);
  const choose = async (chosen: string[]): Promise<void> => {
    latest.current = chosen;
    setFailure(null);
    // The choice does not wait for the lines, so that the next one adds to it.
    onChange(chosen, []);
    try {
      const lines = await readLines(chosen);
      if (latest.current === chosen) onChange(chosen, lines);
    } catch (error) {
      setFailure(error);
    }
  };
  // Receipts that the address names are chosen when the page is opened.
  const first = useRef(receiptIds);
  const chooseFirst = useRef(choose);
  useEffect(() => {
    if (first.current.length > 0) void chooseFirst.current(first.current);
  }, []);
  if (error !== null) return <Failure error={error} />;
  if (receipts === undefined) return null;
  if (receipts.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('noReceipts')}
      </Text>
    );
  return (
    <Checkbox.Group
      label={t('receipts')}
      description={t('receiptsHint')}
      value={receiptIds}
      onChange={(chosen) => void choose(chosen)}
    >
      <Stack gap={6} mt="xs">
        <Failure error={failure} />
        {receipts.map(({ id, number, date, amount, currencyCode }) => (
          <Checkbox
            key={id}
            value={String(id)}
            label={t('receiptChoice', {
              number,
              date: formatDate(date),
              amount: formatMoney(amount, currencyCode),
            })}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

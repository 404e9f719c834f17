import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { businessQuery } from '../../../shared/api/business';
import { formatMoney } from '../../../shared/format';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { CHOICE, listItems } from '../payments/ledger';
import type { OpenItem } from '../payments/ledger';
import { ShownOf } from '../payments/shown-of';
import { CUSTOMERS, RecordSelect, VENDORS } from '../records/record-select';
import { useAccept } from './proposals';
import type { BankTransaction } from './transaction';

interface OpenDocumentsProps {
  items: readonly OpenItem[];
  amounts: Readonly<Record<number, number | string>>;
  change: (amounts: Record<number, number | string>) => void;
}

/** The open documents of a party, each with the amount that the transaction pays of it. */
function OpenDocuments({ items, amounts, change }: OpenDocumentsProps) {
  const { t } = useTranslation('banking');
  const toggle = ({ id, open }: OpenItem, isChosen: boolean): void => {
    const { [id]: _removed, ...others } = amounts;
    change(isChosen ? { ...others, [id]: open } : others);
  };
  if (items.length === 0) return <Text size="sm">{t('nothingOpen')}</Text>;
  return items.map((item) => (
    <Group key={item.id} wrap="nowrap" justify="space-between">
      <Checkbox
        label={t('openDocument', { number: item.number, amount: formatMoney(item.open, item.currencyCode) })}
        checked={item.id in amounts}
        onChange={({ currentTarget }) => toggle(item, currentTarget.checked)}
      />
      {item.id in amounts && (
        <DecimalInput
          w={140}
          allowNegative={false}
          decimalScale={4}
          aria-label={t('amountFor', { number: item.number })}
          value={amounts[item.id] ?? ''}
          onChange={(amount) => change({ ...amounts, [item.id]: amount })}
        />
      )}
    </Group>
  ));
}

/**
 * Matches a transaction by hand: with a customer or vendor, and any of its open documents. The button is shown with the
 * documents, which would move it under the mouse.
 */
export function AssignForm({ transaction }: { transaction: BankTransaction }) {
  const { t } = useTranslation('banking');
  const { side, currencyCode } = transaction;
  const [partyId, setPartyId] = useState<string | null>(null);
  const [amounts, setAmounts] = useState<Record<number, number | string>>({});
  const { mutate, isPending } = useAccept(transaction);
  const { data, error } = useQuery({
    ...businessQuery(side === 'receivable' ? 'listReceivables' : 'listPayables', [CHOICE, partyId], (options) =>
      listItems(side, CHOICE, Number(partyId), options),
    ),
    enabled: partyId !== null,
  });
  const choose = (value: string | null): void => {
    setPartyId(value);
    setAmounts({});
  };
  const common = { label: t(`party.${side}`), clearable: true, value: partyId, onChange: choose };
  return (
    <Stack gap="sm">
      {side === 'receivable' ? (
        <RecordSelect source={CUSTOMERS} {...common} />
      ) : (
        <RecordSelect source={VENDORS} {...common} />
      )}
      <Failure error={error} />
      <ShownOf page={data} />
      {data !== undefined && (
        <OpenDocuments
          items={data.data.filter((item) => item.currencyCode === currencyCode)}
          amounts={amounts}
          change={setAmounts}
        />
      )}
      {(data !== undefined || error !== null) && (
        <>
          <Text size="sm" c="dimmed">
            {t('restStaysCredit')}
          </Text>
          <Group>
            <Button
              variant="default"
              loading={isPending}
              onClick={() =>
                mutate({
                  partyId: Number(partyId),
                  allocations: Object.entries(amounts).map(([id, amount]) => ({
                    documentId: Number(id),
                    amount: Number(amount),
                  })),
                })
              }
            >
              {t('assign')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  );
}

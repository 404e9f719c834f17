import { Divider, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatDecimal, Money } from '../records/money';
import type { Calculation } from './use-calculation';
import type { Invoice } from './invoice-values';

/** What an invoice says about its amounts, stored or computed by a dry run. */
type Amounts = Pick<
  Invoice | Calculation,
  'currencyCode' | 'total' | 'taxTotal' | 'grandTotal' | 'taxes' | 'base' | 'adjustments'
> & {
  /** Only of invoices. */
  prepaid?: Invoice['prepaid'];
};

function Row({
  label,
  amount,
  currency,
  strong = false,
}: {
  label: string;
  amount: number;
  currency: string;
  strong?: boolean;
}) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size={strong ? 'md' : 'sm'} fw={strong ? 700 : undefined}>
        {label}
      </Text>
      <Money amount={amount} currency={currency} {...(strong ? { size: 'md', fw: 700 } : {})} />
    </Group>
  );
}

/** Net amount, tax by rate and total; for a foreign currency also the total in the currency of the company. */
export function Totals({ amounts }: { amounts: Amounts }) {
  const { t } = useTranslation('invoices');
  const { currencyCode: currency, taxes, base, adjustments, prepaid = null } = amounts;
  return (
    <Stack gap={4} aria-live="polite">
      {adjustments.map(({ adjustmentId, type, reason, net }) => (
        <Row key={adjustmentId} label={reason} amount={type === 'discount' ? -net : net} currency={currency} />
      ))}
      <Row label={t('net')} amount={amounts.total} currency={currency} />
      {taxes.map((tax) => (
        <Row
          key={`${tax.taxRateId}`}
          label={t('taxRow', { name: tax.name, percent: formatDecimal(tax.percent) })}
          amount={tax.tax}
          currency={currency}
        />
      ))}
      <Divider />
      <Row label={t('total')} amount={amounts.grandTotal} currency={currency} strong />
      {prepaid !== null && (
        <>
          <Row label={t('prepaid')} amount={-prepaid.amount} currency={currency} />
          <Row label={t('amountDue')} amount={prepaid.due} currency={currency} strong />
        </>
      )}
      {base.currencyCode !== currency && (
        <Row
          label={t('totalInBase', { currency: base.currencyCode })}
          amount={base.grandTotal}
          currency={base.currencyCode}
        />
      )}
    </Stack>
  );
}

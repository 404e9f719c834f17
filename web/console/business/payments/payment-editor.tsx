import { Button, Group, Radio, Select, Stack, Table, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { usePageSearch } from '../../components/use-page-search';
import { companyQuery, useCurrencies } from '../records/lookups';
import { Money } from '../records/money';
import { CUSTOMERS, RecordSelect, VENDORS } from '../records/record-select';
import { CHOICE, listItems } from './ledger';
import type { OpenItem, Side } from './ledger';
import { PAYMENT_METHODS } from './payment-dialog';
import { ShownOf } from './shown-of';

interface PaymentValues extends Record<string, unknown> {
  partyId: string | null;
  amount: number | string;
  currencyCode: string | null;
  date: string;
  method: (typeof PAYMENT_METHODS)[number];
  reference: string;
  /** Which documents are settled: the oldest, those chosen, or none. */
  scope: 'oldest' | 'chosen' | 'none';
  /** Amounts by id of the document: of the payment, and settled in the currency of a foreign document. */
  amounts: Record<string, number | string>;
  settled: Record<string, number | string>;
}

type PaymentForm = UseFormReturnType<PaymentValues>;

const AMOUNT = { allowNegative: false, decimalScale: 4 } as const;

/** The documents to settle as the API expects them; undefined for the oldest first. */
function toAllocations({ scope, amounts, settled }: PaymentValues) {
  if (scope === 'oldest') return undefined;
  if (scope === 'none') return [];
  return Object.entries(amounts).flatMap(([id, amount]) => {
    const foreign = settled[id] ?? '';
    if (amount === '' || Number(amount) === 0) return [];
    return [
      { documentId: Number(id), amount: Number(amount), ...(foreign === '' ? {} : { settled: Number(foreign) }) },
    ];
  });
}

const registerPayment = (
  side: Side,
  values: PaymentValues,
  query: { dryRun?: 'true' } = {},
  options: { signal?: AbortSignal } = {},
): Promise<{ data: { id: number | null; unapplied: number; currencyCode: string } }> => {
  const payment = {
    amount: Number(values.amount),
    currencyCode: values.currencyCode ?? undefined,
    date: values.date || undefined,
    method: values.method,
    reference: values.reference || undefined,
    allocations: toAllocations(values),
  };
  const partyId = Number(values.partyId);
  return side === 'receivable'
    ? business.registerReceivablePayment({ ...payment, customerId: partyId }, query, options)
    : business.registerPayablePayment({ ...payment, vendorId: partyId }, query, options);
};

/** Open documents of the party with a field for each amount. */
function DocumentAmounts({ side, form, currency }: { side: Side; form: PaymentForm; currency: string }) {
  const { t } = useTranslation('payments');
  const { partyId } = form.values;
  const { data, error } = useQuery({
    ...businessQuery(side === 'receivable' ? 'listReceivables' : 'listPayables', [CHOICE, partyId], (options) =>
      listItems(side, CHOICE, Number(partyId), options),
    ),
    enabled: partyId !== null,
  });
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return null;
  if (data.data.length === 0) return <Text size="sm">{t('nothingOpen')}</Text>;
  const row = (item: OpenItem) => (
    <Table.Tr key={item.id}>
      <Table.Td>
        {item.number}
        <Text size="xs" c="dimmed">
          {t('dueOn', { date: formatDate(item.dueDate) })}
        </Text>
        <Money amount={item.open} currency={item.currencyCode} />
      </Table.Td>
      <Table.Td>
        <DecimalInput
          aria-label={t('amountOf', { number: item.number, currency })}
          placeholder={currency}
          {...AMOUNT}
          {...form.getInputProps(`amounts.${item.id}`)}
          value={form.values.amounts[item.id] ?? ''}
        />
        {item.currencyCode !== currency && (
          <DecimalInput
            mt={4}
            aria-label={t('amountOf', { number: item.number, currency: item.currencyCode })}
            placeholder={item.currencyCode}
            {...AMOUNT}
            {...form.getInputProps(`settled.${item.id}`)}
            value={form.values.settled[item.id] ?? ''}
          />
        )}
      </Table.Td>
    </Table.Tr>
  );
  return (
    <>
      <ShownOf page={data} />
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('document')}</Table.Th>
            <Table.Th scope="col">{t('settledAmountLabel')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{data.data.map(row)}</Table.Tbody>
      </Table>
    </>
  );
}

/**
 * What stays credit of the party, as the API computes it.
 *
 * @param isSent a payment that is being registered is not computed again, since it has settled its documents then
 */
function Remainder({ side, values, isSent }: { side: Side; values: PaymentValues; isSent: boolean }) {
  const { t } = useTranslation('payments');
  const isComplete = values.partyId !== null && values.amount !== '' && Number(values.amount) > 0;
  const [text] = useDebouncedValue(isComplete ? JSON.stringify(values) : null, 300);
  const operation = side === 'receivable' ? 'registerReceivablePayment' : 'registerPayablePayment';
  const { data, error } = useQuery({
    ...businessQuery(operation, ['dryRun', text], (options) =>
      registerPayment(side, JSON.parse(text ?? '{}') as PaymentValues, { dryRun: 'true' }, options),
    ),
    enabled: text !== null && !isSent,
    retry: false,
    gcTime: 0,
  });
  if (text === null) return null;
  if (error !== null) return <Failure error={error} />;
  return (
    <Group justify="space-between" aria-live="polite">
      <Text fw={600}>{t('unapplied')}</Text>
      {data !== undefined && <Money amount={data.data.unapplied} currency={data.data.currencyCode} fw={600} />}
    </Group>
  );
}

function PaymentFields({ side, form, currency }: { side: Side; form: PaymentForm; currency: string }) {
  const { t } = useTranslation('payments');
  const party = {
    label: t(`party.${side}`),
    required: true,
    error: form.errors['partyId'],
    value: form.values.partyId,
    // The documents are those of the party.
    onChange: (partyId: string | null) => form.setValues({ partyId, amounts: {}, settled: {} }),
  };
  return (
    <>
      {side === 'receivable' ? (
        <RecordSelect source={CUSTOMERS} {...party} />
      ) : (
        <RecordSelect source={VENDORS} {...party} />
      )}
      <FieldGrid cols={{ base: 1, xs: 2 }}>
        <DecimalInput label={t('amountLabel')} required {...AMOUNT} {...form.getInputProps('amount')} />
        <Select
          label={t('currency')}
          clearable
          searchable
          placeholder={currency}
          data={useCurrencies()}
          {...form.getInputProps('currencyCode')}
          // Amounts of documents in one currency with the payment are not asked for twice.
          onChange={(currencyCode: string | null) => form.setValues({ currencyCode, settled: {} })}
        />
        <TextInput type="date" label={t('date')} description={t('todayByDefault')} {...form.getInputProps('date')} />
        <Select
          label={t('method')}
          allowDeselect={false}
          data={PAYMENT_METHODS.map((value) => ({ value, label: t(`methods.${value}`) }))}
          {...form.getInputProps('method')}
        />
        <TextInput label={t('reference')} {...form.getInputProps('reference')} />
      </FieldGrid>
      <Radio.Group label={t('scope')} {...form.getInputProps('scope')}>
        <Stack gap={6} mt={4}>
          {(['oldest', 'chosen', 'none'] as const).map((value) => (
            <Radio key={value} value={value} label={t(`scopes.${value}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {/* Without the currency of the payment, amounts would be asked for in the currency of each document, too. */}
      {form.values.scope === 'chosen' && currency !== '' && (
        <DocumentAmounts side={side} form={form} currency={currency} />
      )}
    </>
  );
}

const editorSearch = z.object({ partyId: textFilter });

/** A payment of a customer or to a vendor, which may settle several documents. */
export function PaymentEditor({ side }: { side: Side }) {
  const { t } = useTranslation('payments');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const company = useQuery(companyQuery);
  const [{ partyId }] = usePageSearch(editorSearch);
  const { form, onSubmit, isPending, failure } = usePageForm<PaymentValues, { data: { id: number | null } }>({
    initialValues: {
      partyId: partyId ?? null,
      amount: '',
      currencyCode: null,
      date: '',
      method: 'bank_transfer',
      reference: '',
      scope: 'oldest',
      amounts: {},
      settled: {},
    },
    submit: (values) => registerPayment(side, values),
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/${side}s/payments/${id}` });
    },
  });
  const currency = form.values.currencyCode ?? company.data?.data.baseCurrencyCode ?? '';
  return (
    <Page title={t(side === 'receivable' ? 'registerReceipt' : 'registerPayment')}>
      <form onSubmit={onSubmit}>
        <Stack maw={680}>
          <PaymentFields side={side} form={form} currency={currency} />
          <Remainder side={side} values={form.values} isSent={isPending} />
          <Failure error={failure ?? company.error} />
          <Group>
            <Button type="submit" loading={isPending}>
              {t('register')}
            </Button>
            <Button variant="default" component={Link} to={`/${side}s`}>
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

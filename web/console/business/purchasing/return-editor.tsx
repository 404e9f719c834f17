import { Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { usePageSearch } from '../../components/use-page-search';
import { formatDecimal } from '../records/money';
import { RecordSelect, VENDORS } from '../records/record-select';
import { QUANTITY_DECIMALS, sendGoods, subtractQuantity } from './goods-lines';
import type { GoodsLine } from './goods-lines';
import { receiptsQuery } from './receipts-query';

type Receipt = BusinessResponse<'getPayable'>['data'];
type ReturnableLine = Receipt['lines'][number] & { left: number };

interface ReturnValues extends Record<string, unknown> {
  date: string;
  reason: string;
  creditNoteNumber: string;
  lines: GoodsLine[];
}

const listLines = ({ lines }: Receipt): ReturnableLine[] =>
  lines.map((line) => ({ ...line, left: subtractQuantity(line.quantity, line.returned) }));

const listReturnable = (receipt: Receipt): ReturnableLine[] =>
  listLines(receipt).filter(({ productId, left }) => productId !== null && left > 0);

const NUMBER = { allowNegative: false, decimalScale: QUANTITY_DECIMALS } as const;

const send = (receipt: Receipt, { date, reason, creditNoteNumber, lines }: ReturnValues) =>
  sendGoods(lines, (sent) =>
    business.createVendorReturn({
      receiptId: receipt.id,
      reason,
      ...(date === '' ? {} : { date }),
      ...(creditNoteNumber === '' ? {} : { creditNoteNumber }),
      lines: sent,
    }),
  );

interface LineFieldsProps {
  form: UseFormReturnType<ReturnValues>;
  index: number;
  line: ReturnableLine | undefined;
  isBilled: boolean;
}

function LineFields({ form, index, line, isBilled }: LineFieldsProps) {
  const { t } = useTranslation('purchasing');
  if (line === undefined) return null;
  return (
    <FieldGrid cols={{ base: 1, xs: 2 }} role="group" aria-label={line.description}>
      <DecimalInput
        label={t('receiveQuantity', { description: line.description, quantity: formatDecimal(line.left) })}
        {...NUMBER}
        {...form.getInputProps(`lines.${index}.quantity`)}
      />
      {isBilled && (
        <DecimalInput
          label={t('returns.creditedCost')}
          placeholder={t('returns.asBilled')}
          {...NUMBER}
          {...form.getInputProps(`lines.${index}.unitCost`)}
        />
      )}
    </FieldGrid>
  );
}

interface FieldsProps {
  form: UseFormReturnType<ReturnValues>;
  receipt: Receipt;
}

/**
 * The lines that the form was opened with, as the receipt is now: what a colleague returns meanwhile does not move what was
 * typed to another product.
 */
function ReturnFields({ form, receipt }: FieldsProps) {
  const { t } = useTranslation('purchasing');
  // The vendor will credit the goods.
  const isBilled = receipt.billId !== null;
  return (
    <>
      <Text size="sm">{t(isBilled ? 'returns.afterBill' : 'returns.beforeBill')}</Text>
      {form.values.lines.map(({ lineId }, index) => (
        <LineFields
          key={lineId}
          form={form}
          index={index}
          line={listLines(receipt).find((line) => line.lineId === lineId)}
          isBilled={isBilled}
        />
      ))}
      <TextInput label={t('returns.reason')} required {...form.getInputProps('reason')} />
      <FieldGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="date"
          label={t('billDate')}
          description={t('todayByDefault')}
          {...form.getInputProps('date')}
        />
        {isBilled && (
          <TextInput
            label={t('billNumber')}
            description={t('returns.creditNoteNumber')}
            {...form.getInputProps('creditNoteNumber')}
          />
        )}
      </FieldGrid>
    </>
  );
}

function ReturnForm({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const lines = listReturnable(receipt);
  const { form, onSubmit, isPending, failure } = usePageForm<ReturnValues, { data: { id: number } }>({
    initialValues: {
      date: '',
      reason: '',
      creditNoteNumber: '',
      lines: lines.map(({ lineId }) => ({ lineId, quantity: '', unitCost: '' })),
    },
    submit: (values) => send(receipt, values),
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/vendor-returns/${id}` });
    },
  });
  if (lines.length === 0) return <Text>{t('returns.nothingLeft')}</Text>;
  return (
    <form onSubmit={onSubmit}>
      <Stack>
        <ReturnFields form={form} receipt={receipt} />
        <Failure error={failure} />
        <Group>
          <Button type="submit" loading={isPending}>
            {t('returns.post')}
          </Button>
          <Button variant="default" component={Link} to={`/bills/${receipt.id}`}>
            {common('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Chooses a receipt of a vendor, billed or not. */
function ReceiptFilter({ receiptId, change }: { receiptId: string | null; change: (id: string | null) => void }) {
  const { t } = useTranslation('purchasing');
  const [vendorId, setVendorId] = useState<string | null>(null);
  const { data: receipts = [], isSuccess, error } = useQuery(receiptsQuery(vendorId, 'all'));
  return (
    <>
      <RecordSelect source={VENDORS} label={t('vendor')} value={vendorId} onChange={setVendorId} />
      <Failure error={error} />
      {isSuccess && receipts.length === 0 && <Text size="sm">{t('returns.noReceipts')}</Text>}
      {receipts.length > 0 && (
        <Select
          label={t('kinds.receipt')}
          searchable
          data={receipts.map(({ id, number, date }) => ({
            value: String(id),
            label: `${number}, ${formatDate(date)}`,
          }))}
          value={receiptId}
          onChange={change}
        />
      )}
    </>
  );
}

const editorSearch = z.object({ receiptId: textFilter });

/** Returns goods of a receipt to the vendor. */
export default function ReturnEditorPage() {
  const { t } = useTranslation('purchasing');
  const [{ receiptId = null }, change] = usePageSearch(editorSearch);
  const { data, error } = useQuery({
    ...businessQuery('getPayable', [receiptId], (options) => business.getPayable(receiptId ?? '', options)),
    enabled: receiptId !== null,
  });
  const receipt = data?.data;
  return (
    <Page title={receipt === undefined ? t('returns.new') : t('returns.of', { number: receipt.number })}>
      <Stack maw={720}>
        {receiptId === null && (
          <ReceiptFilter receiptId={receiptId} change={(id) => change({ receiptId: id ?? undefined })} />
        )}
        <Failure error={error} />
        {receiptId !== null && receipt === undefined && error === null && <Skeleton h={240} />}
        {receipt !== undefined && <ReturnForm key={receipt.id} receipt={receipt} />}
      </Stack>
    </Page>
  );
}

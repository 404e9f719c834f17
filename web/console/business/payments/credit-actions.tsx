import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatMoney } from '../../../shared/format';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { useSession } from '../../session';
import { CHOICE, listItems } from './ledger';
import type { Side } from './ledger';
import { PAYMENT_METHODS } from './payment-dialog';
import { ShownOf } from './shown-of';
import { WriteOffButton } from './write-off-button';

/** A payment or credit note with an amount that is not applied to a document yet. */
export interface CreditSource {
  side: Side;
  kind: 'payment' | 'credit_note';
  id: number;
  partyId: number;
  currencyCode: string;
  /** What is left of it. */
  available: number;
}

interface DialogProps {
  source: CreditSource;
  opened: boolean;
  close: () => void;
}

const AMOUNT = { required: true, allowNegative: false, decimalScale: 4 } as const;

const toReference = ({ kind, id }: CreditSource) => (kind === 'payment' ? { paymentId: id } : { creditNoteId: id });

interface DialogFrameProps {
  title: string;
  action: string;
  opened: boolean;
  close: () => void;
  onSubmit: () => void;
  isPending: boolean;
  failure: unknown;
  children: ReactNode;
}

function DialogFrame({ title, action, opened, close, onSubmit, isPending, failure, children }: DialogFrameProps) {
  const { t: common } = useTranslation('business');
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <form onSubmit={onSubmit}>
        <Stack>
          {children}
          <Failure error={failure} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {common('back')}
            </Button>
            <Button type="submit" loading={isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** What follows after credit was used: everything that shows it is read again. */
function useDone(close: () => void, message: string) {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: ['business'] });
    notifications.show({ color: 'green', message });
    close();
  };
}

interface ApplyValues extends Record<string, unknown> {
  documentId: string | null;
  amount: number | string;
  /** In the currency of the document, if it is another. */
  settled: number | string;
  date: string;
}

function applyCredit(source: CreditSource, { documentId, amount, settled, date }: ApplyValues) {
  const body = {
    ...toReference(source),
    documentId: Number(documentId),
    amount: Number(amount),
    ...(settled === '' ? {} : { settled: Number(settled) }),
    ...(date === '' ? {} : { date }),
  };
  return source.side === 'receivable' ? business.applyReceivableCredit(body) : business.applyPayableCredit(body);
}

/** Settles an open document of the party with its credit. */
function ApplyDialog({ source, opened, close }: DialogProps) {
  const { t } = useTranslation('payments');
  const { side, partyId, currencyCode, available } = source;
  const { data } = useQuery({
    ...businessQuery(side === 'receivable' ? 'listReceivables' : 'listPayables', [CHOICE, partyId], (options) =>
      listItems(side, CHOICE, partyId, options),
    ),
    enabled: opened,
  });
  const documents = data?.data ?? [];
  const { form, onSubmit, isPending, failure } = usePageForm<ApplyValues, unknown>({
    isShown: opened,
    initialValues: { documentId: null, amount: available, settled: '', date: '' },
    submit: (values) => applyCredit(source, values),
    onDone: useDone(close, t('creditApplied')),
  });
  const chosen = documents.find(({ id }) => String(id) === form.values.documentId);
  const isForeign = chosen !== undefined && chosen.currencyCode !== currencyCode;
  return (
    <DialogFrame {...{ opened, close, onSubmit, isPending, failure }} title={t('applyTitle')} action={t('apply')}>
      {data !== undefined && documents.length === 0 && <Text size="sm">{t('nothingOpen')}</Text>}
      <ShownOf page={data} />
      <Select
        label={t('document')}
        required
        data={documents.map(({ id, number, open, currencyCode: currency }) => ({
          value: String(id),
          label: t('openDocument', { number, open: formatMoney(open, currency) }),
        }))}
        {...form.getInputProps('documentId')}
        onChange={(documentId: string | null) => {
          const document = documents.find(({ id }) => String(id) === documentId);
          // What is open in another currency says nothing about the amount of the credit.
          const isSame = document?.currencyCode === currencyCode;
          form.setValues({ documentId, amount: isSame ? Math.min(document.open, available) : '', settled: '' });
        }}
      />
      <DecimalInput label={t('amount', { currency: currencyCode })} {...AMOUNT} {...form.getInputProps('amount')} />
      {isForeign && (
        <DecimalInput
          label={t('settledAmount', { currency: chosen.currencyCode })}
          {...AMOUNT}
          {...form.getInputProps('settled')}
        />
      )}
      <TextInput type="date" label={t('date')} description={t('todayByDefault')} {...form.getInputProps('date')} />
    </DialogFrame>
  );
}

interface RefundValues extends Record<string, unknown> {
  amount: number | string;
  date: string;
  method: (typeof PAYMENT_METHODS)[number];
  reference: string;
}

function refundCredit(source: CreditSource, { amount, date, method, reference }: RefundValues) {
  const body = {
    ...toReference(source),
    amount: Number(amount),
    ...(date === '' ? {} : { date }),
    method,
    reference: reference || null,
  };
  return source.side === 'receivable' ? business.refundReceivableCredit(body) : business.refundPayableCredit(body);
}

/** Pays credit back to the customer, or records that the vendor has. */
function RefundDialog({ source, opened, close }: DialogProps) {
  const { t } = useTranslation('payments');
  const { currencyCode, available, side } = source;
  const { form, onSubmit, isPending, failure } = usePageForm<RefundValues, unknown>({
    isShown: opened,
    initialValues: { amount: available, date: '', method: 'bank_transfer', reference: '' },
    submit: (values) => refundCredit(source, values),
    onDone: useDone(close, t('refunded')),
  });
  return (
    <DialogFrame
      {...{ opened, close, onSubmit, isPending, failure }}
      title={t(`refundTitles.${side}`)}
      action={t('refund')}
    >
      <DecimalInput label={t('amount', { currency: currencyCode })} {...AMOUNT} {...form.getInputProps('amount')} />
      <TextInput type="date" label={t('date')} description={t('todayByDefault')} {...form.getInputProps('date')} />
      <Select
        label={t('method')}
        allowDeselect={false}
        data={PAYMENT_METHODS.map((value) => ({ value, label: t(`methods.${value}`) }))}
        {...form.getInputProps('method')}
      />
      <TextInput label={t('reference')} {...form.getInputProps('reference')} />
    </DialogFrame>
  );
}

/** What can be done with credit: apply it to an open document, refund it, or write off a small rest. */
export function CreditActions({ source }: { source: CreditSource }) {
  const { t } = useTranslation('payments');
  const { business: permissions } = useSession();
  const [applying, apply] = useDisclosure();
  const [refunding, refund] = useDisclosure();
  if (!permissions.has(`${source.side}s:create`) || source.available === 0) return null;
  return (
    <>
      <Button variant="default" onClick={refund.open}>
        {t('refund')}
      </Button>
      <WriteOffButton side={source.side} item={toReference(source)} />
      <Button onClick={apply.open}>{t('apply')}</Button>
      {/* Another amount is another form. */}
      <ApplyDialog key={`apply ${source.available}`} source={source} opened={applying} close={apply.close} />
      <RefundDialog key={`refund ${source.available}`} source={source} opened={refunding} close={refund.close} />
    </>
  );
}

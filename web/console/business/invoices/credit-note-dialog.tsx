import { Button, Checkbox, Group, Modal, Radio, Stack, Text, Textarea } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { DecimalInput } from '../../components/decimal-input';
import { Failure } from '../../components/failure';
import { usePageForm } from '../../components/use-page-form';
import { formatDecimal, Money } from '../records/money';
import type { Invoice } from './invoice-values';

interface CreditNoteValues extends Record<string, unknown> {
  scope: 'all' | 'lines';
  /** Units to credit, in the order of the lines of the invoice. */
  quantities: (number | string)[];
  reason: string;
  restock: boolean;
}

function toBody(
  invoice: Invoice,
  { scope, quantities, reason, restock }: CreditNoteValues,
): BusinessBody<'createCreditNote'> {
  const lines = invoice.lines.flatMap(({ lineId }, index) => {
    const quantity = Number(quantities[index] ?? 0);
    return quantity > 0 ? [{ invoiceLineId: lineId, quantity }] : [];
  });
  return { invoiceId: invoice.id, reason, restock, ...(scope === 'all' ? {} : { lines }) };
}

interface CreditPreviewProps {
  invoice: Invoice;
  values: CreditNoteValues;
  /** A credit note that is being issued is not computed again, since the invoice is credited then. */
  isSent: boolean;
}

/** The amount that would be credited, as the API computes it. */
function CreditPreview({ invoice, values, isSent }: CreditPreviewProps) {
  const { t } = useTranslation('invoices');
  const [text] = useDebouncedValue(JSON.stringify(toBody(invoice, { ...values, reason: values.reason || '–' })), 300);
  // Of the values that are sent, which are those of a moment ago.
  const body = JSON.parse(text) as BusinessBody<'createCreditNote'>;
  const isEmpty = body.lines?.length === 0;
  const { data, error } = useQuery({
    ...businessQuery('createCreditNote', ['dryRun', text], (options) =>
      business.createCreditNote(body, { dryRun: 'true' }, options),
    ),
    enabled: !isEmpty && !isSent,
    retry: false,
    gcTime: 0,
  });
  if (isEmpty) return null;
  if (error !== null) return <Failure error={error} />;
  return (
    <Group justify="space-between" aria-live="polite">
      <Text fw={600}>{t('credited')}</Text>
      <Money amount={data?.data.grandTotal} currency={invoice.currencyCode} fw={600} />
    </Group>
  );
}

function QuantityFields({ invoice, form }: { invoice: Invoice; form: UseFormReturnType<CreditNoteValues> }) {
  const { t } = useTranslation('invoices');
  return invoice.lines.map((line, index) => (
    <DecimalInput
      key={line.lineId}
      label={t('creditQuantity', { description: line.description, quantity: formatDecimal(line.quantity) })}
      allowNegative={false}
      decimalScale={6}
      max={line.quantity}
      {...form.getInputProps(`quantities.${index}`)}
    />
  ));
}

/** Credits an issued invoice in whole or in part. */
export function CreditNoteDialog({ invoice, opened, close }: { invoice: Invoice; opened: boolean; close: () => void }) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isPending, failure } = usePageForm<CreditNoteValues, { data: { id: number | null } }>({
    isShown: opened,
    initialValues: { scope: 'all', quantities: invoice.lines.map(() => ''), reason: '', restock: false },
    submit: (values) => business.createCreditNote(toBody(invoice, values)),
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/credit-notes/${id}` });
    },
  });
  return (
    <Modal opened={opened} onClose={close} size="lg" title={t('creditNoteTitle')}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Radio.Group label={t('creditScope')} {...form.getInputProps('scope')}>
            <Group mt={4}>
              <Radio value="all" label={t('creditAll')} />
              <Radio value="lines" label={t('creditLines')} />
            </Group>
          </Radio.Group>
          {form.values.scope === 'lines' && <QuantityFields invoice={invoice} form={form} />}
          <Textarea
            label={common('reason')}
            description={t('reasonPrinted')}
            required
            {...form.getInputProps('reason')}
          />
          <Checkbox label={t('restock')} {...form.getInputProps('restock', { type: 'checkbox' })} />
          <CreditPreview invoice={invoice} values={form.values} isSent={isPending} />
          <Failure error={failure} />
          <Group justify="end">
            <Button variant="default" onClick={close}>
              {common('back')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('issueCreditNote')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

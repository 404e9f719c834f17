import { Grid, Select, Space, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { EditorFooter } from '../../components/editor-footer';
import { FieldGrid } from '../../components/field-grid';
import { textFilter } from '../../components/list-search';
import { usePageSearch } from '../../components/use-page-search';
import { useRecordForm } from '../../components/use-record-form';
import { Summary } from '../invoices/summary';
import { useCalculation } from '../invoices/use-calculation';
import type { Calculation } from '../invoices/use-calculation';
import { useCurrencies } from '../records/lookups';
import { EditorPage, useOpenSaved } from '../records/record-page';
import { CUSTOMERS, RecordSelect } from '../records/record-select';
import { OrderLines } from './order-lines';
import { changeOrderCustomer, readOrderValues, toCalculatedBody, toOrderBody, toOrderChanges } from './order-values';
import type { OrderValues, SalesOrder } from './order-values';

interface FieldsProps {
  form: UseFormReturnType<OrderValues>;
  calculation: Calculation | undefined;
}

function OrderFields({ form, calculation }: FieldsProps) {
  const { t } = useTranslation('orders');
  return (
    <Stack>
      <RecordSelect
        source={CUSTOMERS}
        label={t('customer')}
        required
        {...form.getInputProps('customerId')}
        value={form.values.customerId}
        onChange={(customerId) => form.setValues(changeOrderCustomer(form.values, customerId))}
      />
      <FieldGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          type="date"
          label={t('orderDate')}
          description={t('todayByDefault')}
          {...form.getInputProps('orderDate')}
        />
        <TextInput label={t('reference')} description={t('referenceHint')} {...form.getInputProps('reference')} />
        <Select
          label={t('currency')}
          description={t('currencyHint')}
          clearable
          searchable
          placeholder={calculation?.currencyCode}
          data={useCurrencies()}
          {...form.getInputProps('currencyCode')}
        />
      </FieldGrid>
      <OrderLines form={form} calculation={calculation} />
      <Textarea label={t('notes')} autosize minRows={2} {...form.getInputProps('notes')} />
    </Stack>
  );
}

interface EditorProps {
  /** The draft to change; null for a new order. */
  edited: Versioned<SalesOrder> | null;
  /** The customer of a new order. */
  customerId: string | null;
}

function useOrderForm({ edited, customerId }: EditorProps) {
  const orderId = String(edited?.record.id ?? '');
  return useRecordForm<SalesOrder, OrderValues, { data: { id: number } }>({
    edited,
    read: (options) => business.getSalesOrder(orderId, options),
    toValues: (order) => (order === null ? { ...readOrderValues(null), customerId } : readOrderValues(order)),
    submit: (values, options, order) =>
      order === null
        ? business.createSalesOrder(toOrderBody(values))
        : business.updateSalesOrder(orderId, toOrderChanges(values), options),
    onDone: useOpenSaved('/sales-orders'),
  });
}

function Editor({ edited, customerId }: EditorProps) {
  const { form, onSubmit, isPending, failure, conflict } = useOrderForm({ edited, customerId });
  const { data: calculation, error } = useCalculation(toCalculatedBody(form.values));
  return (
    <form onSubmit={onSubmit}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <OrderFields form={form} calculation={calculation} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Summary calculation={calculation} error={error} />
        </Grid.Col>
      </Grid>
      <Space h="md" />
      <EditorFooter
        {...{ conflict, failure, isPending }}
        back={edited === null ? '/sales-orders' : `/sales-orders/${edited.record.id}`}
      />
    </form>
  );
}

const editorSearch = z.object({ customerId: textFilter });

/** A new order of a customer, or the change of a draft. */
export default function OrderEditorPage() {
  const { t } = useTranslation('orders');
  const { orderId } = useParams({ strict: false }) as { orderId?: string };
  const [{ customerId }] = usePageSearch(editorSearch);
  return (
    <EditorPage
      operation="getSalesOrder"
      id={orderId}
      read={(id, options) => business.getSalesOrder(id, options)}
      titleOf={(order) => order?.number ?? t('one')}
      newTitle={t('newTitle')}
    >
      {(edited) => <Editor edited={edited} customerId={edited === null ? (customerId ?? null) : null} />}
    </EditorPage>
  );
}

import { Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { EditorFooter } from '../../components/editor-footer';
import { FieldGrid } from '../../components/field-grid';
import { useRecordForm } from '../../components/use-record-form';
import { useCurrencies } from '../records/lookups';
import { EditorPage, useOpenSaved } from '../records/record-page';
import { RecordSelect, VENDORS } from '../records/record-select';
import { CostLines } from './cost-lines';
import { createCostLine } from './cost-values';
import { changeVendor, readValues, toNewOrder, toOrderChanges } from './order-values';
import type { Order, OrderValues } from './order-values';

function OrderFields({ form }: { form: UseFormReturnType<OrderValues> }) {
  const { t } = useTranslation('purchasing');
  return (
    <>
      <RecordSelect
        source={VENDORS}
        label={t('vendor')}
        required
        {...form.getInputProps('vendorId')}
        value={form.values.vendorId}
        onChange={(vendorId) => form.setValues(changeVendor(form.values, vendorId))}
      />
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <TextInput
          type="date"
          label={t('orderDate')}
          description={t('todayByDefault')}
          {...form.getInputProps('orderDate')}
        />
        <TextInput type="date" label={t('expectedDate')} {...form.getInputProps('expectedDate')} />
        <Select
          label={t('currency')}
          description={t('currencyHint')}
          clearable
          searchable
          data={useCurrencies()}
          {...form.getInputProps('currencyCode')}
        />
        <TextInput label={t('reference')} {...form.getInputProps('reference')} />
      </FieldGrid>
      <CostLines
        lines={form.values.lines}
        getInputProps={(path) => form.getInputProps(path)}
        add={() => form.insertListItem('lines', createCostLine())}
        remove={(index) => form.removeListItem('lines', index)}
        change={(index, line) => form.setFieldValue(`lines.${index}`, line)}
      />
      <Textarea label={t('notes')} autosize minRows={2} {...form.getInputProps('notes')} />
    </>
  );
}

/** @param edited the draft to change; null for a new order */
function Editor({ edited }: { edited: Versioned<Order> | null }) {
  const { t } = useTranslation('purchasing');
  const orderId = String(edited?.record.id ?? '');
  const api = useRecordForm<Order, OrderValues, { data: { id: number | null } }>({
    edited,
    read: (options) => business.getPurchaseOrder(orderId, options),
    toValues: readValues,
    submit: (values, options, order) =>
      order === null
        ? business.createPurchaseOrder(toNewOrder(values))
        : business.updatePurchaseOrder(orderId, toOrderChanges(values), options),
    onDone: useOpenSaved('/purchase-orders'),
  });
  const { form, onSubmit, isPending, failure, conflict } = api;
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={960}>
        <OrderFields form={form} />
        {edited === null && <Checkbox label={t('draft')} {...form.getInputProps('draft', { type: 'checkbox' })} />}
        <EditorFooter
          {...{ conflict, failure, isPending }}
          back={edited === null ? '/purchase-orders' : `/purchase-orders/${orderId}`}
        />
      </Stack>
    </form>
  );
}

/** A new order to a vendor, or the change of a draft. */
export default function OrderEditorPage() {
  const { t } = useTranslation('purchasing');
  const { orderId } = useParams({ strict: false }) as { orderId?: string };
  return (
    <EditorPage
      operation="getPurchaseOrder"
      id={orderId}
      read={(id, options) => business.getPurchaseOrder(id, options)}
      titleOf={(order) => order?.number ?? t('one')}
      newTitle={t('new')}
    >
      {(edited) => <Editor edited={edited} />}
    </EditorPage>
  );
}

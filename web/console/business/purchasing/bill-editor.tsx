import { Button, Group, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { usePageSearch } from '../../components/use-page-search';
import { ReceiptChoice } from './receipt-choice';
import { createDocumentValues, HeadFields, LineFields, toDocumentBody } from './vendor-document-fields';
import type { VendorDocumentValues } from './vendor-document-fields';

const recordBill = (values: VendorDocumentValues) =>
  business.recordVendorBill({
    ...toDocumentBody(values),
    ...(values.dueDate === '' ? {} : { dueDate: values.dueDate }),
    ...(values.receiptIds.length === 0 ? {} : { receiptIds: values.receiptIds.map(Number) }),
  });

const editorSearch = z.object({ vendorId: textFilter, receiptId: textFilter });

/** A bill of a vendor: for goods that were received, or for something without a receipt, such as rent. */
export default function BillEditorPage() {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [{ vendorId, receiptId }] = usePageSearch(editorSearch);
  const { form, onSubmit, isPending, failure } = usePageForm<VendorDocumentValues, { data: { id: number } }>({
    initialValues: {
      ...createDocumentValues(vendorId ?? null),
      receiptIds: receiptId === undefined ? [] : [receiptId],
    },
    submit: recordBill,
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/bills/${id}` });
    },
  });
  const { vendorId: chosenVendor, receiptIds } = form.values;
  return (
    <Page title={t('newBill')}>
      <form onSubmit={onSubmit}>
        <Stack maw={960}>
          <HeadFields form={form} isBill />
          <ReceiptChoice
            vendorId={chosenVendor}
            receiptIds={receiptIds}
            onChange={(chosen, lines) =>
              form.setValues({ receiptIds: chosen, ...(lines.length === 0 ? {} : { lines }) })
            }
          />
          <LineFields form={form} />
          <Failure error={failure} />
          <Group>
            <Button type="submit" loading={isPending}>
              {t('recordBill')}
            </Button>
            <Button variant="default" component={Link} to="/payables">
              {common('cancel')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

import { Alert, Button, Group, Skeleton, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { usePageSearch } from '../../components/use-page-search';
import { readCostLines } from './cost-values';
import { createDocumentValues, HeadFields, LineFields, toDocumentBody } from './vendor-document-fields';
import type { VendorDocumentValues } from './vendor-document-fields';

type Bill = BusinessResponse<'getPayable'>['data'];

const readValues = (bill: Bill | null): VendorDocumentValues => {
  if (bill === null) return createDocumentValues(null);
  return {
    ...createDocumentValues(String(bill.vendorId)),
    currencyCode: bill.currencyCode,
    lines: readCostLines(bill.id, bill.lines),
  };
};

/** @param bill the bill that is reduced; null for credit that is applied later */
function Editor({ bill }: { bill: Bill | null }) {
  const { t } = useTranslation('purchasing');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = usePageForm<VendorDocumentValues, { data: { id: number } }>({
    initialValues: readValues(bill),
    submit: (values) =>
      business.recordVendorCreditNote({
        ...toDocumentBody(values),
        // Another vendor has not written this bill.
        ...(bill === null || values.vendorId !== String(bill.vendorId) ? {} : { payableId: bill.id }),
      }),
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/bills/${id}` });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={960}>
        <Alert color="gray">{bill === null ? t('creditLater') : t('creditOf', { number: bill.number })}</Alert>
        <HeadFields form={form} isBill={false} />
        <LineFields form={form} />
        <Failure error={failure} />
        <Group>
          <Button type="submit" loading={isPending}>
            {t('recordBill')}
          </Button>
          <Button variant="default" component={Link} to={bill === null ? '/payables' : `/bills/${bill.id}`}>
            {common('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const editorSearch = z.object({ billId: textFilter });

/** A credit note of a vendor, for one bill or without. */
export default function VendorCreditNoteEditorPage() {
  const { t } = useTranslation('purchasing');
  const [{ billId }] = usePageSearch(editorSearch);
  const { data, error } = useQuery({
    ...businessQuery('getPayable', [billId], (options) => business.getPayable(billId ?? '', options)),
    enabled: billId !== undefined,
  });
  return (
    <Page title={t('newCreditNote')}>
      <Failure error={error} />
      {billId === undefined && <Editor bill={null} />}
      {billId !== undefined && data === undefined && error === null && <Skeleton h={320} />}
      {data !== undefined && <Editor bill={data.data} />}
    </Page>
  );
}

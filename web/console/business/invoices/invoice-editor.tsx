import { Grid, Space, Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { z } from 'zod';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { EditorFooter } from '../../components/editor-footer';
import { textFilter } from '../../components/list-search';
import { usePageSearch } from '../../components/use-page-search';
import { useRecordForm } from '../../components/use-record-form';
import { useSession } from '../../session';
import { EditorPage, useOpenSaved } from '../records/record-page';
import { CUSTOMERS, RecordSelect } from '../records/record-select';
import { DepositFields } from './deposit-fields';
import { DetailFields } from './detail-fields';
import { PreviewButton } from './draft-preview';
import {
  changeCustomer,
  createValues,
  readValues,
  reconcileLines,
  toDraftBody,
  toDraftChanges,
} from './invoice-values';
import type { Invoice, InvoiceValues } from './invoice-values';
import { LineEditor } from './line-editor';
import { Summary } from './summary';
import { useCalculation } from './use-calculation';

interface EditorProps {
  /** The draft to change; null for a new one. */
  edited: Versioned<Invoice> | null;
  /** The customer of a new invoice. */
  customerId: string | null;
}

function useInvoiceForm({ edited, customerId }: EditorProps) {
  const draftId = String(edited?.record.id ?? '');
  return useRecordForm<Invoice, InvoiceValues, { data: { id: number | null } }>({
    edited,
    read: (options) => business.getInvoice(draftId, options),
    toValues: (draft) => (draft === null ? createValues(customerId) : readValues(draft)),
    reconcile: reconcileLines,
    submit: (values, options, draft) => {
      if (draft !== null) return business.updateInvoice(draftId, toDraftChanges(values, draft), options);
      const body = toDraftBody(values);
      // The required fields of the form are filled in by now.
      if (body === null) throw new Error('The form is not complete.');
      return business.createInvoice(body);
    },
    onDone: useOpenSaved('/invoices'),
  });
}

function Editor({ edited, customerId }: EditorProps) {
  const { t } = useTranslation('invoices');
  const { business: permissions } = useSession();
  const { form, onSubmit, isPending, failure, conflict } = useInvoiceForm({ edited, customerId });
  const { data: calculation, error } = useCalculation(toDraftBody(form.values));
  return (
    <form onSubmit={onSubmit}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack>
            <RecordSelect
              source={CUSTOMERS}
              label={t('customer')}
              required
              {...form.getInputProps('customerId')}
              value={form.values.customerId}
              onChange={(value) => form.setValues(changeCustomer(form.values, value))}
            />
            <DepositFields form={form} calculation={calculation} />
            <LineEditor form={form} calculation={calculation} />
            <DetailFields form={form} calculation={calculation} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Summary calculation={calculation} error={error} />
        </Grid.Col>
      </Grid>
      <Space h="md" />
      <EditorFooter
        {...{ conflict, failure, isPending }}
        action={t('saveDraft')}
        back={edited === null ? '/invoices' : `/invoices/${edited.record.id}`}
      >
        {permissions.has('invoices:create') && <PreviewButton body={toDraftBody(form.values)} />}
      </EditorFooter>
    </form>
  );
}

const editorSearch = z.object({ customerId: textFilter });

/** A new draft, or the change of one. The draft is checked before it is issued on its own page. */
export default function InvoiceEditorPage() {
  const { t } = useTranslation('invoices');
  const { invoiceId } = useParams({ strict: false }) as { invoiceId?: string };
  const [{ customerId }] = usePageSearch(editorSearch);
  return (
    <EditorPage
      operation="getInvoice"
      id={invoiceId}
      read={(id, options) => business.getInvoice(id, options)}
      titleOf={(draft) => (draft === undefined ? t('invoice') : t('draftNumber', { id: invoiceId }))}
      newTitle={t('newTitle')}
    >
      {(edited) => <Editor edited={edited} customerId={edited === null ? (customerId ?? null) : null} />}
    </EditorPage>
  );
}

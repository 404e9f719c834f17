import {
  Button,
  Fieldset,
  Grid,
  Group,
  Paper,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { z } from 'zod';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { textFilter } from '../../components/list-search';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { usePageSearch } from '../../components/use-page-search';
import { DOCUMENT_LANGUAGES, PAYMENT_TERMS, useCurrencies } from '../records/lookups';
import { CUSTOMERS, RecordSelect } from '../records/record-select';
import { createValues, readValues, toDraftBody, toDraftChanges } from './invoice-values';
import type { Invoice, InvoiceValues } from './invoice-values';
import { LineEditor } from './line-editor';
import { Totals } from './totals';
import { useCalculation } from './use-calculation';
import type { Calculation } from './use-calculation';

function DetailFields({
  form,
  calculation,
}: {
  form: UseFormReturnType<InvoiceValues>;
  calculation: Calculation | undefined;
}) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const currencies = useCurrencies();
  const terms = calculation?.paymentTerms;
  return (
    <Fieldset legend={t('details')}>
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="sm">
        <TextInput
          type="date"
          label={t('issueDate')}
          description={t('todayByDefault')}
          {...form.getInputProps('issueDate')}
        />
        <Select
          label={t('paymentTerms')}
          clearable
          placeholder={terms === undefined ? undefined : common(`terms.${terms}`)}
          data={PAYMENT_TERMS.map((value) => ({ value, label: common(`terms.${value}`) }))}
          {...form.getInputProps('paymentTerms')}
        />
        <Select
          label={t('currency')}
          clearable
          searchable
          placeholder={calculation?.currencyCode}
          data={currencies}
          {...form.getInputProps('currencyCode')}
        />
        <TextInput type="date" label={t('deliveredFrom')} {...form.getInputProps('deliveryFrom')} />
        <TextInput type="date" label={t('deliveredTo')} {...form.getInputProps('deliveryTo')} />
        <Select
          label={t('language')}
          clearable
          placeholder={calculation?.language}
          data={DOCUMENT_LANGUAGES.map((value) => ({ value, label: common(`languages.${value}`) }))}
          {...form.getInputProps('language')}
        />
        <TextInput label={t('reference')} {...form.getInputProps('reference')} />
      </SimpleGrid>
      <Textarea mt="sm" label={t('notes')} autosize minRows={2} {...form.getInputProps('notes')} />
    </Fieldset>
  );
}

function Summary({ calculation, error }: { calculation: Calculation | undefined; error: unknown }) {
  const { t } = useTranslation('invoices');
  return (
    <Paper withBorder p="md" pos="sticky" top={72}>
      <Stack gap="sm">
        <Text fw={600}>{t('summary')}</Text>
        {calculation === undefined ? (
          <Text size="sm" c="dimmed">
            {t('summaryHint')}
          </Text>
        ) : (
          <Totals amounts={calculation} />
        )}
        <Failure error={error} />
      </Stack>
    </Paper>
  );
}

/** @param draft the draft to change; null for a new one */
function Editor({ draft, customerId }: { draft: Invoice | null; customerId: string | null }) {
  const { t } = useTranslation('invoices');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure } = useApiForm<InvoiceValues, { data: { id: number | null } }>({
    initialValues: draft === null ? createValues(customerId) : readValues(draft),
    submit: (values) => {
      if (draft !== null) return business.updateInvoice(String(draft.id), toDraftChanges(values));
      const body = toDraftBody(values);
      // The required fields of the form are filled in by now.
      if (body === null) throw new Error('The form is not complete.');
      return business.createInvoice(body);
    },
    onDone: async ({ data: { id } }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `/invoices/${id}` });
    },
  });
  const { data: calculation, error } = useCalculation(form.values);
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
            />
            <LineEditor form={form} calculation={calculation} />
            <DetailFields form={form} calculation={calculation} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Summary calculation={calculation} error={error} />
        </Grid.Col>
      </Grid>
      <Stack mt="md">
        <Failure error={failure} />
        <Group>
          <Button type="submit" loading={isPending}>
            {t('saveDraft')}
          </Button>
          <Button variant="default" component={Link} to={draft === null ? '/invoices' : `/invoices/${draft.id}`}>
            {common('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const editorSearch = z.object({ customerId: textFilter });

/** A new draft, or the change of one. The draft is checked before it is issued on its own page. */
export default function InvoiceEditorPage() {
  const { t } = useTranslation('invoices');
  const { invoiceId } = useParams({ strict: false }) as { invoiceId?: string };
  const [{ customerId }] = usePageSearch(editorSearch);
  const { data, error } = useQuery({
    ...businessQuery('getInvoice', [invoiceId], (options) => business.getInvoice(invoiceId ?? '', options)),
    enabled: invoiceId !== undefined,
  });
  if (invoiceId === undefined)
    return (
      <Page title={t('newTitle')}>
        <Editor draft={null} customerId={customerId ?? null} />
      </Page>
    );
  return (
    <Page title={t('draftNumber', { id: invoiceId })}>
      <Failure error={error} />
      {data === undefined ? error === null && <Skeleton h={320} /> : <Editor draft={data.data} customerId={null} />}
    </Page>
  );
}

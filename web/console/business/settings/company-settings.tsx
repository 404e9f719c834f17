import {
  Button,
  Fieldset,
  Grid,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessBody, BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { EDITED, useEditedRecord } from '../../components/use-edited-record';
import { useRecordForm } from '../../components/use-record-form';
import { useSession } from '../../session';
import { AddressFields } from '../parties/address-fields';
import { DOCUMENT_LANGUAGES, PAYMENT_TERMS, useTaxRates } from '../records/lookups';
import { PdfPreview } from '../records/pdf-preview';

type Company = BusinessResponse<'getCompany'>['data'];
type CompanyBody = BusinessBody<'updateCompany'>;

/** Fields that are printed, in their order; empty ones are left out on documents. */
const TEXT_FIELDS = ['taxId', 'registrationNumber', 'email', 'phone', 'website', 'bankName', 'iban', 'bic'] as const;
const ADDRESS_FIELDS = ['line1', 'line2', 'postalCode', 'city', 'region', 'country'] as const;

interface CompanyValues extends Record<string, unknown> {
  legalName: string;
  texts: Record<(typeof TEXT_FIELDS)[number], string>;
  address: Record<(typeof ADDRESS_FIELDS)[number], string>;
  language: string;
  defaultPaymentTerms: string;
  defaultTaxRateId: string | null;
  eInvoicing: string;
}

const readTexts = <const F extends string>(fields: readonly F[], source: Record<F, string | null>) =>
  Object.fromEntries(fields.map((name) => [name, source[name] ?? ''])) as Record<F, string>;

const toTexts = <const F extends string>(fields: readonly F[], values: Record<F, string>) =>
  Object.fromEntries(fields.map((name) => [name, values[name] || null])) as Record<F, string | null>;

const readValues = (company: Company): CompanyValues => ({
  legalName: company.legalName,
  texts: readTexts(TEXT_FIELDS, company),
  address: readTexts(ADDRESS_FIELDS, company.address),
  language: company.language,
  defaultPaymentTerms: company.defaultPaymentTerms,
  defaultTaxRateId: company.defaultTaxRateId === null ? null : String(company.defaultTaxRateId),
  eInvoicing: company.eInvoicing,
});

const toBody = (values: CompanyValues): CompanyBody => ({
  legalName: values.legalName,
  ...toTexts(TEXT_FIELDS, values.texts),
  address: toTexts(ADDRESS_FIELDS, values.address),
  language: values.language as CompanyBody['language'],
  defaultPaymentTerms: values.defaultPaymentTerms as CompanyBody['defaultPaymentTerms'],
  defaultTaxRateId: values.defaultTaxRateId === null ? null : Number(values.defaultTaxRateId),
  eInvoicing: values.eInvoicing as CompanyBody['eInvoicing'],
});

function DefaultFields({ form }: { form: UseFormReturnType<CompanyValues> }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const taxRates = useTaxRates();
  return (
    <Fieldset legend={t('defaults')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={t('language')}
          allowDeselect={false}
          data={DOCUMENT_LANGUAGES.map((value) => ({ value, label: common(`languages.${value}`) }))}
          {...form.getInputProps('language')}
        />
        <Select
          label={t('paymentTerms')}
          allowDeselect={false}
          data={PAYMENT_TERMS.map((value) => ({ value, label: common(`terms.${value}`) }))}
          {...form.getInputProps('defaultPaymentTerms')}
        />
        <Select label={t('taxRate')} clearable data={taxRates} {...form.getInputProps('defaultTaxRateId')} />
        <Select
          label={t('eInvoicing')}
          allowDeselect={false}
          data={(['off', 'on'] as const).map((value) => ({ value, label: t(`eInvoicingModes.${value}`) }))}
          {...form.getInputProps('eInvoicing')}
        />
      </SimpleGrid>
    </Fieldset>
  );
}

function CompanyForm({ edited, isReadOnly }: { edited: Versioned<Company>; isReadOnly: boolean }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const queries = useQueryClient();
  const { form, onSubmit, isPending, failure, conflict } = useRecordForm<Company, CompanyValues, unknown>({
    edited,
    read: (options) => business.getCompany(options),
    toValues: (company) => readValues(company ?? edited.record),
    submit: (values, options) => business.updateCompany(toBody(values), options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await queries.invalidateQueries({ queryKey: [EDITED, 'getCompany'] });
      notifications.show({ color: 'green', message: common('saved') });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Fieldset variant="unstyled" disabled={isReadOnly}>
        <Stack>
          <TextInput label={t('legalName')} required {...form.getInputProps('legalName')} />
          <AddressFields getInputProps={(path) => form.getInputProps(path)} />
          <Fieldset legend={t('printed')}>
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
              {TEXT_FIELDS.map((name) => (
                <TextInput key={name} label={t(`fields.${name}`)} {...form.getInputProps(`texts.${name}`)} />
              ))}
            </SimpleGrid>
          </Fieldset>
          <DefaultFields form={form} />
          <ConflictNotice conflict={conflict} />
          <Failure error={failure} />
          {!isReadOnly && (
            <Group>
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
            </Group>
          )}
        </Stack>
      </Fieldset>
    </form>
  );
}

/** The latest issued invoice, which shows how the settings of its day are printed. */
function LatestInvoice() {
  const { t } = useTranslation('settings');
  const query = { status: ['issued' as const, 'partially_paid' as const, 'paid' as const], pageSize: 1 };
  const { data } = useQuery(businessQuery('listInvoices', [query], (options) => business.listInvoices(query, options)));
  const [latest] = data?.data ?? [];
  if (data === undefined) return <Skeleton h={320} />;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t('preview')}
      </Title>
      <Text size="sm" c="dimmed">
        {t(latest === undefined ? 'noPreview' : 'previewHint')}
      </Text>
      {latest !== undefined && (
        <PdfPreview
          operation="downloadInvoicePdf"
          parameters={[String(latest.id), false]}
          read={(options) => business.downloadInvoicePdf(String(latest.id), {}, options)}
          label={latest.number ?? ''}
        />
      )}
    </Stack>
  );
}

/** What documents print about the company, and the defaults of new ones. */
export function CompanySettings() {
  const { business: permissions } = useSession();
  const { data, error } = useEditedRecord('getCompany', 'company', (_id, options) => business.getCompany(options));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  return (
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 6 }}>
        <CompanyForm key={data.etag} edited={data} isReadOnly={!permissions.has('config:update')} />
      </Grid.Col>
      {permissions.has('invoices:read') && (
        <Grid.Col span={{ base: 12, lg: 6 }}>
          <LatestInvoice />
        </Grid.Col>
      )}
    </Grid>
  );
}

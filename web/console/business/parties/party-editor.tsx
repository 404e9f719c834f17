import { Button, Checkbox, Fieldset, Group, Select, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Versioned } from '../../../shared/api/versions';
import { DecimalInput } from '../../components/decimal-input';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { Page } from '../../components/page';
import { useEditedRecord } from '../../components/use-edited-record';
import { useRecordForm } from '../../components/use-record-form';
import { DOCUMENT_LANGUAGES, PAYMENT_TERMS, useCurrencies } from '../records/lookups';
import { AddressFields } from './address-fields';
import { readPartyValues } from './party-kind';
import type { Party, PartyKind, PartyValues } from './party-kind';
import { EInvoiceFields, TaxFields } from './tax-fields';

type PartyForm = UseFormReturnType<PartyValues>;

function TradeFields({ form, kind }: { form: PartyForm; kind: PartyKind }) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  const currencies = useCurrencies();
  return (
    <Fieldset legend={t('trade')}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('paymentTerms')}
          clearable
          data={PAYMENT_TERMS.map((value) => ({ value, label: common(`terms.${value}`) }))}
          {...form.getInputProps('paymentTerms')}
        />
        <Select label={t('currency')} clearable data={currencies} {...form.getInputProps('currencyCode')} />
        {kind.name === 'customer' ? (
          <>
            <Select
              label={t('language')}
              clearable
              data={DOCUMENT_LANGUAGES.map((value) => ({ value, label: common(`languages.${value}`) }))}
              {...form.getInputProps('language')}
            />
            <DecimalInput
              label={t('creditLimit')}
              description={t('creditLimitHint')}
              allowNegative={false}
              decimalScale={2}
              {...form.getInputProps('creditLimit')}
            />
          </>
        ) : (
          <>
            <TextInput label={t('bankName')} {...form.getInputProps('bankName')} />
            <TextInput label={t('iban')} {...form.getInputProps('iban')} />
            <TextInput label={t('bic')} {...form.getInputProps('bic')} />
          </>
        )}
      </FieldGrid>
    </Fieldset>
  );
}

/** @param edited the record to change; null for a new one */
function Editor({ kind, edited }: { kind: PartyKind; edited: Versioned<Party> | null }) {
  const { t } = useTranslation('parties');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const party = edited?.record ?? null;
  const id = String(party?.id ?? '');
  const api = useRecordForm<Party, PartyValues, { data: { id: number | null } }>({
    edited,
    read: (options) => kind.get(id, options),
    toValues: readPartyValues,
    submit: (values, options) => (party === null ? kind.create(values) : kind.update(id, values, options)),
    onDone: async ({ data }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      await navigate({ to: `${kind.path}/${data.id}` });
    },
  });
  const { form, onSubmit, isPending, failure, conflict } = api;
  return (
    <form onSubmit={onSubmit}>
      <Stack maw={760}>
        <FieldGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={t('name')} required {...form.getInputProps('name')} />
          <TextInput label={t('code')} description={t('codeHint')} {...form.getInputProps('code')} />
          <TextInput label={t('email')} type="email" {...form.getInputProps('email')} />
          <TextInput label={t('phone')} type="tel" {...form.getInputProps('phone')} />
        </FieldGrid>
        <AddressFields getInputProps={(path) => form.getInputProps(path)} />
        <TaxFields form={form} />
        <TradeFields form={form} kind={kind} />
        {kind.name === 'customer' && <EInvoiceFields form={form} />}
        <Textarea label={t('notes')} autosize minRows={2} {...form.getInputProps('notes')} />
        {party !== null && <Checkbox label={t('isActive')} {...form.getInputProps('active', { type: 'checkbox' })} />}
        <ConflictNotice conflict={conflict} />
        <Failure error={failure} />
        <Group>
          <Button type="submit" loading={isPending}>
            {common('save')}
          </Button>
          <Button variant="default" component={Link} to={party === null ? kind.path : `${kind.path}/${party.id}`}>
            {common('cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** A new customer or vendor, or the change of one. */
export function PartyEditor({ kind }: { kind: PartyKind }) {
  const { t } = useTranslation('parties');
  const { partyId } = useParams({ strict: false }) as { partyId?: string };
  const { data, error } = useEditedRecord(kind.operations.get, partyId, kind.get);
  if (partyId === undefined)
    return (
      <Page title={t(`${kind.name}.new`)}>
        <Editor kind={kind} edited={null} />
      </Page>
    );
  return (
    <Page title={data?.record.name ?? t(`${kind.name}.one`)}>
      <Failure error={error} />
      {data === undefined ? error === null && <Skeleton h={320} /> : <Editor kind={kind} edited={data} />}
    </Page>
  );
}

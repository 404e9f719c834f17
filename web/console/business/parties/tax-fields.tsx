import { Fieldset, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FieldGrid } from '../../components/field-grid';
import type { PartyValues } from './party-kind';

type PartyForm = UseFormReturnType<PartyValues>;

/** How documents are taxed whose lines name no tax rate. */
export const TAX_PROFILES = [
  'domestic',
  'intra_community',
  'reverse_charge',
  'export',
  'exempt',
  'small_business',
] as const;

/** Profiles of electronic invoices. */
export const EINVOICE_PROFILES = ['en16931', 'xrechnung', 'peppol', 'extended'] as const;

/** Identifiers of a party, and how its documents are taxed. */
export function TaxFields({ form }: { form: PartyForm }) {
  const { t } = useTranslation('parties');
  return (
    <Fieldset legend={t('tax')}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('taxId')} {...form.getInputProps('taxId')} />
        <TextInput
          type="date"
          label={t('taxIdVerifiedOn')}
          description={t('taxIdVerifiedHint')}
          {...form.getInputProps('taxIdVerifiedOn')}
        />
        <TextInput
          label={t('registrationNumber')}
          description={t('registrationHint')}
          {...form.getInputProps('registrationNumber')}
        />
        <Select
          label={t('taxProfile')}
          description={t('taxProfileHint')}
          clearable
          placeholder={t('automatic')}
          data={TAX_PROFILES.map((value) => ({ value, label: t(`taxProfiles.${value}`) }))}
          {...form.getInputProps('taxProfile')}
        />
      </FieldGrid>
    </Fieldset>
  );
}

/** What electronic invoices to a customer contain. */
export function EInvoiceFields({ form }: { form: PartyForm }) {
  const { t } = useTranslation('parties');
  return (
    <Fieldset legend={t('eInvoice')}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('eInvoiceProfile')}
          clearable
          placeholder={t('eInvoiceProfiles.en16931')}
          data={EINVOICE_PROFILES.map((value) => ({ value, label: t(`eInvoiceProfiles.${value}`) }))}
          {...form.getInputProps('eInvoiceProfile')}
        />
        <TextInput
          label={t('electronicAddress')}
          description={t('electronicAddressHint')}
          {...form.getInputProps('electronicAddress')}
        />
        <TextInput
          label={t('buyerReference')}
          description={t('buyerReferenceHint')}
          {...form.getInputProps('buyerReference')}
        />
      </FieldGrid>
    </Fieldset>
  );
}

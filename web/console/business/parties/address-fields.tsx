import { Fieldset, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CountrySelect } from '../../components/country-select';
import { FieldGrid } from '../../components/field-grid';

const FIELDS = ['line1', 'line2', 'postalCode', 'city', 'region'] as const;

interface AddressFieldsProps {
  /** Connects a field of the form, such as `address.city`. */
  getInputProps: (path: string) => object;
}

/** A postal address. */
export function AddressFields({ getInputProps }: AddressFieldsProps) {
  const { t } = useTranslation('business');
  return (
    <Fieldset legend={t('address.legend')}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        {FIELDS.map((name) => (
          <TextInput key={name} label={t(`address.${name}`)} {...getInputProps(`address.${name}`)} />
        ))}
        <CountrySelect label={t('address.country')} {...getInputProps('address.country')} />
      </FieldGrid>
    </Fieldset>
  );
}

import { Fieldset, SimpleGrid, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const FIELDS = ['line1', 'line2', 'postalCode', 'city', 'region', 'country'] as const;

interface AddressFieldsProps {
  /** Connects a field of the form, such as `address.city`. */
  getInputProps: (path: string) => object;
}

/** A postal address. */
export function AddressFields({ getInputProps }: AddressFieldsProps) {
  const { t } = useTranslation('business');
  return (
    <Fieldset legend={t('address.legend')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {FIELDS.map((name) => (
          <TextInput
            key={name}
            label={t(`address.${name}`)}
            {...(name === 'country' ? { maxLength: 2 } : {})}
            {...getInputProps(`address.${name}`)}
          />
        ))}
      </SimpleGrid>
    </Fieldset>
  );
}

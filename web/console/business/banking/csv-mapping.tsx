import { Autocomplete, Fieldset, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import type { ImportValues } from './import-page';

/** What a column of the file can contain; the first two are required. */
const COLUMNS = [
  'bookingDate',
  'amount',
  'valueDate',
  'currency',
  'counterpartyName',
  'counterpartyIban',
  'remittance',
  'endToEndId',
  'bankReference',
] as const;
const DATE_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'];

export interface Mapping extends Record<(typeof COLUMNS)[number], string> {
  delimiter: string;
  dateFormat: string;
  decimalSeparator: string;
  skipLines: number | string;
}

export const NO_MAPPING: Mapping = {
  bookingDate: '',
  amount: '',
  valueDate: '',
  currency: '',
  counterpartyName: '',
  counterpartyIban: '',
  remittance: '',
  endToEndId: '',
  bankReference: '',
  delimiter: ';',
  dateFormat: 'DD.MM.YYYY',
  decimalSeparator: ',',
  skipLines: 0,
};

/** The mapping as the API reads it: columns that the file does not have are left out. */
export const toMapping = (mapping: Mapping): string =>
  JSON.stringify({
    ...Object.fromEntries(Object.entries(mapping).filter(([, value]) => value !== '')),
    skipLines: Number(mapping.skipLines),
  });

/** The names of the columns in the header of the file, which the API reads again. */
export const readHeader = (text: string, { delimiter, skipLines }: Mapping): string[] => {
  const header = text.split(/\r?\n/)[Number(skipLines)] ?? '';
  const names = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return [...new Set(names)].filter((name) => name !== '');
};

interface CsvMappingProps {
  form: UseFormReturnType<ImportValues>;
  /** Names of the columns of the chosen file. */
  header: readonly string[];
}

/** Which column of a CSV file has what, and how it writes dates and amounts. */
export function CsvMapping({ form, header }: CsvMappingProps) {
  const { t } = useTranslation('banking');
  const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));
  return (
    <>
      <Fieldset legend={t('csvFormat')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('delimiter')}
            allowDeselect={false}
            data={[
              { value: ';', label: t('delimiters.semicolon') },
              { value: ',', label: t('delimiters.comma') },
              { value: '\t', label: t('delimiters.tab') },
            ]}
            {...form.getInputProps('mapping.delimiter')}
          />
          <NumberInput
            label={t('skipLines')}
            min={0}
            max={100}
            allowDecimal={false}
            {...form.getInputProps('mapping.skipLines')}
          />
          <Select
            label={t('dateFormat')}
            allowDeselect={false}
            data={choices(DATE_FORMATS)}
            {...form.getInputProps('mapping.dateFormat')}
          />
          <Select
            label={t('decimalSeparator')}
            allowDeselect={false}
            data={choices([',', '.'])}
            {...form.getInputProps('mapping.decimalSeparator')}
          />
          <TextInput label={t('account')} description={t('accountHint')} {...form.getInputProps('account')} />
        </SimpleGrid>
      </Fieldset>
      <Fieldset legend={t('columns')}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          {COLUMNS.map((name, index) => (
            <Autocomplete
              key={name}
              label={t(`columnNames.${name}`)}
              required={index < 2}
              data={[...header]}
              {...form.getInputProps(`mapping.${name}`)}
            />
          ))}
        </SimpleGrid>
      </Fieldset>
    </>
  );
}

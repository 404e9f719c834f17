import { Autocomplete, Fieldset, NumberInput, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useTranslation } from 'react-i18next';
import { FieldGrid } from '../../components/field-grid';
import { COLUMNS } from './import-values';
import type { ImportValues } from './import-values';

const DATE_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'];

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
        <FieldGrid cols={{ base: 1, sm: 2 }}>
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
        </FieldGrid>
      </Fieldset>
      <Fieldset legend={t('columns')}>
        <FieldGrid cols={{ base: 1, sm: 2 }}>
          {COLUMNS.map((name, index) => (
            <Autocomplete
              key={name}
              label={t(`columnNames.${name}`)}
              required={index < 2}
              data={[...header]}
              {...form.getInputProps(`mapping.${name}`)}
            />
          ))}
        </FieldGrid>
      </Fieldset>
    </>
  );
}

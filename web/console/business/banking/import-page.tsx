import { Button, FileInput, Group, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { CsvMapping } from './csv-mapping';
import { decodeBeginning, EMPTY_IMPORT, FORMATS, readHeader, toMapping } from './import-values';
import type { ImportValues } from './import-values';

function guessFormat({ name }: File): ImportValues['format'] {
  if (/\.(csv|txt)$/i.test(name)) return 'csv';
  return /\.(sta|mt940|940)$/i.test(name) ? 'mt940' : 'camt.053';
}

/** @returns the statements of the file, and whether one of them is new */
async function importStatements({ format, account, file, mapping }: ImportValues) {
  let isNew = false;
  const { data } = await business.importBankStatements(
    {
      format,
      file: file ?? new File([], ''),
      ...(format === 'csv' ? { mapping: toMapping(mapping), ...(account === '' ? {} : { account }) } : {}),
    },
    { onResponse: ({ status }) => (isNew = status === 201) },
  );
  return { data, isNew };
}

/** Imports a bank statement; for a CSV file, the columns of date, amount and text are chosen. */
export default function ImportPage() {
  const { t } = useTranslation('banking');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [content, setContent] = useState('');
  const { form, onSubmit, isPending, failure } = usePageForm({
    initialValues: EMPTY_IMPORT,
    submit: importStatements,
    onDone: async ({ data, isNew }) => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: t(isNew ? 'importDone' : 'importedBefore') });
      const [statement] = data;
      const search = data.length === 1 && statement !== undefined ? { statementId: String(statement.id) } : {};
      await navigate({ to: '/banking', search });
    },
  });
  const { file, format, mapping } = form.values;
  const chooseFile = async (chosen: File | null): Promise<void> => {
    form.setFieldValue('file', chosen);
    if (chosen === null) return;
    form.setFieldValue('format', guessFormat(chosen));
    setContent(decodeBeginning(await chosen.arrayBuffer()));
  };
  return (
    <Page title={t('importTitle')}>
      <form onSubmit={onSubmit}>
        <Stack maw={760}>
          <Text size="sm">{t('importText')}</Text>
          <FileInput
            label={t('file')}
            required
            clearable
            clearButtonProps={{ 'aria-label': t('removeFile') }}
            value={file}
            error={form.errors['file']}
            onChange={(chosen) => void chooseFile(chosen)}
          />
          <Select
            label={t('format')}
            allowDeselect={false}
            data={FORMATS.map((value) => ({ value, label: t(`formats.${value}`) }))}
            {...form.getInputProps('format')}
          />
          {format === 'csv' && <CsvMapping form={form} header={readHeader(content, mapping)} />}
          <Failure error={failure} />
          <Group>
            <Button type="submit" loading={isPending} disabled={file === null}>
              {t('import')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Page>
  );
}

import { Button, Code, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ActivityBadge, ActivityButton } from '../records/activity';
import { defineColumns } from '../records/columns';
import { DialogForm } from '../records/dialog-form';
import { oneOf, RecordList } from '../records/record-list';
import { settingsSearch } from './settings-search';

type Series = BusinessResponse<'listDocumentSeries'>['data'][number];

const SORTS = ['prefix', 'createdAt'] as const;
const KINDS = ['invoice', 'credit_note'] as const;

interface SeriesValues extends Record<string, unknown> {
  documentType: (typeof KINDS)[number];
  prefix: string;
  padding: number | string;
}

function NewSeries() {
  const { t } = useTranslation('settings');
  const [opened, { open, close }] = useDisclosure();
  return (
    <Group>
      <Button onClick={open}>{t('newSeries')}</Button>
      <DialogForm<SeriesValues, unknown>
        opened={opened}
        close={close}
        title={t('newSeries')}
        initialValues={{ documentType: 'invoice', prefix: '', padding: 6 }}
        submit={(values) => business.createDocumentSeries({ ...values, padding: Number(values.padding) })}
      >
        {(form) => (
          <>
            <Select
              label={t('documentType')}
              allowDeselect={false}
              data={KINDS.map((value) => ({ value, label: t(`documentTypes.${value}`) }))}
              {...form.getInputProps('documentType')}
            />
            <TextInput label={t('prefix')} required maxLength={20} {...form.getInputProps('prefix')} />
            <NumberInput
              label={t('padding')}
              allowNegative={false}
              allowDecimal={false}
              {...form.getInputProps('padding')}
            />
          </>
        )}
      </DialogForm>
    </Group>
  );
}

const column = defineColumns<Series>();

/** The series that number invoices and credit notes without gaps. */
export default function DocumentSeries() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const [position, change] = usePageSearch(settingsSearch);
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active: 'all' as const };
  return (
    <Stack>
      <Text size="sm">{t('seriesText')}</Text>
      {canChange && <NewSeries />}
      <RecordList
        label={t('tabs.series')}
        columns={[
          column('prefix', t('prefix'), ({ prefix }) => prefix),
          column('documentType', t('documentType'), ({ documentType }) => t(`documentTypes.${documentType}`)),
          column('exampleNumber', t('firstNumber'), ({ exampleNumber }) => <Code>{exampleNumber}</Code>),
          column('active', common('activity.label'), ({ active }) => <ActivityBadge active={active} />),
          ...(canChange
            ? [
                column('actions', common('actions'), ({ id, prefix, active: isActive }) => (
                  <ActivityButton
                    active={isActive}
                    name={prefix}
                    read={(options) => business.getDocumentSeries(String(id), options)}
                    change={(active, options) => business.updateDocumentSeries(String(id), { active }, options)}
                  />
                )),
              ]
            : []),
        ]}
        getRowId={({ id }) => String(id)}
        operation="listDocumentSeries"
        parameters={[query]}
        read={(options) => business.listDocumentSeries(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text>{t('noSeries')}</Text>}
      />
    </Stack>
  );
}

import { Badge, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { formatDateTime } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageForm } from '../../components/use-page-form';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ExportButton } from '../exports/export-button';
import { defineColumns } from '../records/columns';
import { oneOf, RecordList } from '../records/record-list';
import { notifyFailure } from '../../components/notify-failure';

type Lead = BusinessResponse<'listLeads'>['data'][number];

const STATUSES = ['new', 'contacted', 'qualified', 'converted', 'lost'] as const;
const SORTS = ['name', 'createdAt'] as const;

const listSearch = pageSearch.extend({ status: textFilter });

function ConvertButton({ lead }: { lead: Lead }) {
  const { t } = useTranslation('crm');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => business.convertLead(String(lead.id)),
    onSuccess: () => notifications.show({ color: 'green', message: t('converted') }),
    onError: notifyFailure,
    onSettled: () => queries.invalidateQueries({ queryKey: ['business'] }),
  });
  const isClosed = lead.status === 'converted' || lead.status === 'lost';
  if (isClosed || !permissions.has('crm:update')) return null;
  return (
    <Button size="xs" variant="default" loading={isPending} onClick={() => mutate()}>
      {t('convert')}
    </Button>
  );
}

function CreateLead() {
  const { t } = useTranslation('crm');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const queries = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const { form, onSubmit, isPending, failure } = usePageForm({
    isShown: opened,
    initialValues: { name: '', companyName: '', email: '' },
    submit: ({ name, companyName, email }) =>
      business.createLead({ name, companyName: companyName || null, email: email || null }),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business', 'listLeads'] });
      form.reset();
      close();
    },
  });
  if (!permissions.has('crm:create')) return null;
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
        {t('newLead')}
      </Button>
      <Modal opened={opened} onClose={close} title={t('newLead')}>
        <form onSubmit={onSubmit}>
          <Stack>
            <TextInput label={t('name')} required {...form.getInputProps('name')} />
            <TextInput label={t('company')} {...form.getInputProps('companyName')} />
            <TextInput label={t('email')} type="email" {...form.getInputProps('email')} />
            <Failure error={failure} />
            <Group justify="end">
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}

const column = defineColumns<Lead>();

/** People and companies that may become customers. */
export default function LeadListPage() {
  const { t } = useTranslation('crm');
  const [position, change] = usePageSearch(listSearch);
  const { page, search, sortDir } = position;
  const status = oneOf(STATUSES, position.status);
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, status: status && [status] };
  return (
    <Page
      title={t('leads')}
      actions={
        <>
          <ExportButton resource="leads" filters={{ search, status }} />
          <CreateLead />
        </>
      }
    >
      <RecordList
        label={t('leads')}
        columns={[
          column('name', t('name'), ({ name }) => name),
          column('companyName', t('company'), ({ companyName }) => companyName ?? '–'),
          column('email', t('email'), ({ email }) => email ?? '–'),
          column('status', t('status'), (lead) => <Badge variant="light">{t(`statuses.${lead.status}`)}</Badge>),
          column('createdAt', t('createdAt'), ({ createdAt }) => formatDateTime(createdAt)),
          column('actions', t('actions'), (lead) => <ConvertButton lead={lead} />),
        ]}
        getRowId={({ id }) => String(id)}
        operation="listLeads"
        parameters={[query]}
        read={(options) => business.listLeads(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        isFiltered={status !== undefined}
        resetFilters={() => change({ status: undefined, search: undefined, page: 1 })}
        filters={
          <Select
            label={t('status')}
            placeholder={t('anyStatus')}
            clearable
            data={STATUSES.map((value) => ({ value, label: t(`statuses.${value}`) }))}
            value={status ?? null}
            onChange={(value) => change({ status: value ?? undefined, page: 1 })}
          />
        }
        empty={<Text maw={480}>{t('noLeads')}</Text>}
      />
    </Page>
  );
}

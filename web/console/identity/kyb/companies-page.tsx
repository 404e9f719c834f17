import { Anchor, Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDateTime } from '../../../shared/format';
import { getCountryName } from '../../components/country-name';
import { CountrySelect } from '../../components/country-select';
import { CursorList } from '../../components/cursor-list';
import { createColumns } from '../../components/data-table';
import { Failure } from '../../components/failure';
import { FormRow } from '../../components/form-row';
import { cursorSearch } from '../../components/list-search';
import { Page } from '../../components/page';
import { useApiForm } from '../../components/use-api-form';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { Section } from '../sessions/section';
import './texts';

type Check = OperationResponse<'listKybChecks'>['checks'][number];

function useColumns() {
  const { t } = useTranslation('kyb');
  const column = createColumns<Check>();
  return column.columns([
    column.accessor('query', {
      header: t('company'),
      cell: ({ row: { original } }) => (
        <Anchor component={Link} to={`/companies/${original.id}`} size="sm">
          {original.query.companyName}
        </Anchor>
      ),
    }),
    column.accessor('query.country', {
      id: 'country',
      header: t('country'),
      cell: ({ getValue }) => {
        const country = getValue();
        return country == null ? '–' : getCountryName(country);
      },
    }),
    column.accessor('status', { header: t('statusColumn'), cell: ({ getValue }) => t(`status.${getValue()}`) }),
    column.accessor('createdAt', { header: t('createdAt'), cell: ({ getValue }) => formatDateTime(getValue()) }),
  ]);
}

function CheckForm() {
  const { t } = useTranslation('kyb');
  const navigate = useNavigate();
  const { form, onSubmit, isPending, failure } = useApiForm({
    initialValues: { companyName: '', country: '', registrationNumber: '', monitoring: false },
    submit: ({ companyName, country, registrationNumber, monitoring }) =>
      identity.createKybCheck({
        companyName,
        monitoring,
        ...(country === '' ? {} : { country }),
        ...(registrationNumber === '' ? {} : { registrationNumber }),
      }),
    onDone: ({ check }) => navigate({ to: `/companies/${check.id}` }),
  });
  return (
    <Section title={t('check')}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Failure error={failure} />
          <FormRow>
            <TextInput label={t('name')} required {...form.getInputProps('companyName')} />
            <CountrySelect label={t('country')} {...form.getInputProps('country')} />
            <TextInput label={t('registrationNumber')} {...form.getInputProps('registrationNumber')} />
            <Button type="submit" loading={isPending}>
              {t('run')}
            </Button>
          </FormRow>
          <Checkbox label={t('monitor')} {...form.getInputProps('monitoring', { type: 'checkbox' })} />
        </Stack>
      </form>
    </Section>
  );
}

/** Checks of companies, newest first. */
export default function CompaniesPage() {
  const { t } = useTranslation('kyb');
  const [search, change] = usePageSearch(cursorSearch);
  const mayCheck = useSession().identity.has('kyb:write');
  const request = search.cursor === undefined ? {} : { cursor: search.cursor };
  const query = useQuery({
    ...identityQuery('listKybChecks', [request], (options) => identity.listKybChecks(request, options)),
    placeholderData: keepPreviousData,
  });
  return (
    <Page title={t('title')}>
      {mayCheck && <CheckForm />}
      <CursorList
        label={t('title')}
        query={query}
        readRows={({ checks }) => checks}
        columns={useColumns()}
        getRowId={({ id }) => id}
        search={search}
        change={change}
      >
        <Text>{t('empty')}</Text>
      </CursorList>
    </Page>
  );
}

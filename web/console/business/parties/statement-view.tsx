import { Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { DateRangeFilter } from '../../components/date-range-filter';
import { Failure } from '../../components/failure';
import { usePageSearch } from '../../components/use-page-search';
import { Money } from '../records/money';
import { partySearch } from './party-search';
import { WideContent } from '../../components/wide-content';

type Account = BusinessResponse<'getCustomerStatement'>['data']['accounts'][number];

function AccountTable({ account }: { account: Account }) {
  const { t } = useTranslation('parties');
  const { currencyCode: currency, rows } = account;
  return (
    <WideContent label={t('statement')}>
      <Table miw={520} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('date')}</Table.Th>
            <Table.Th scope="col">{t('entry')}</Table.Th>
            <Table.Th scope="col">{t('dueDate')}</Table.Th>
            <Table.Th scope="col" ta="end">
              {t('amount')}
            </Table.Th>
            <Table.Th scope="col" ta="end">
              {t('balance')}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          <Table.Tr>
            <Table.Td colSpan={4}>{t('opening')}</Table.Td>
            <Table.Td ta="end">
              <Money amount={account.opening} currency={currency} />
            </Table.Td>
          </Table.Tr>
          {rows.map((row) => (
            <Table.Tr key={`${row.date} ${row.kind} ${row.number} ${row.amount} ${row.balance}`}>
              <Table.Td>{formatDate(row.date)}</Table.Td>
              <Table.Td>
                {t(`entries.${row.kind}`)} {row.number}
              </Table.Td>
              <Table.Td>{row.dueDate === null ? '–' : formatDate(row.dueDate)}</Table.Td>
              <Table.Td ta="end">
                <Money amount={row.amount} currency={currency} />
              </Table.Td>
              <Table.Td ta="end">
                <Money amount={row.balance} currency={currency} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row" colSpan={4}>
              {t('closing')}
            </Table.Th>
            <Table.Td ta="end">
              <Money amount={account.closing} currency={currency} fw={700} />
            </Table.Td>
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </WideContent>
  );
}

/** The statement of a customer for a period, one account for each currency. */
export function StatementView({ id }: { id: string }) {
  const { t } = useTranslation('parties');
  const [{ from, to }, change] = usePageSearch(partySearch);
  const query = { ...(from === undefined ? {} : { dateFrom: from }), ...(to === undefined ? {} : { dateTo: to }) };
  const { data, error } = useQuery({
    ...businessQuery('getCustomerStatement', [id, query], (options) =>
      business.getCustomerStatement(id, query, options),
    ),
    placeholderData: keepPreviousData,
  });
  const statement = data?.data;
  return (
    <Stack>
      <Group>
        <DateRangeFilter
          labels={{ first: t('from'), last: t('to') }}
          days={{ first: from, last: to }}
          defaults={{ first: statement?.from, last: statement?.to }}
          onDays={({ first, last }) => change({ from: first, to: last })}
        />
      </Group>
      <Failure error={error} />
      {statement === undefined && error === null && <Skeleton h={160} />}
      {statement?.accounts.length === 0 && <Text>{t('noEntries')}</Text>}
      {statement?.accounts.map((account) => (
        <Stack key={account.currencyCode} gap="xs">
          <Title order={2} size="h5">
            {t('account', { currency: account.currencyCode })}
          </Title>
          <AccountTable account={account} />
        </Stack>
      ))}
    </Stack>
  );
}

import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { textFilter } from '../../components/list-search';
import { SimpleTable } from '../../components/simple-table';
import { usePageSearch } from '../../components/use-page-search';
import { Money } from '../records/money';
import { AccountingPage } from './accounting-tabs';
import { DaysFilter } from './days-filter';

const reportSearch = z.object({ dateFrom: textFilter, dateTo: textFilter });

/** Opening balance, movements and closing balance of every account. */
export default function TrialBalancePage() {
  const { t } = useTranslation('accounting');
  const [query, change] = usePageSearch(reportSearch);
  const { data, error } = useQuery({
    ...businessQuery('getTrialBalance', [query], (options) => business.getTrialBalance(query, options)),
    placeholderData: keepPreviousData,
  });
  const report = data?.data;
  return (
    <AccountingPage tab="trial-balance">
      <Stack>
        <Group align="end">
          <DaysFilter days={{ dateFrom: query.dateFrom, dateTo: query.dateTo }} defaults={report} change={change} />
        </Group>
        <Failure error={error} />
        {report === undefined && error === null && <Skeleton h={240} />}
        {report?.accounts.length === 0 && <Text maw={480}>{t('empty')}</Text>}
        {report !== undefined && report.accounts.length > 0 && (
          <SimpleTable
            label={t('tabs.trial-balance')}
            head={[t('account'), t('name'), t('opening'), t('debit'), t('credit'), t('closing')]}
            numbersFrom={2}
            rows={report.accounts.map(({ number, name, ...amounts }) => ({
              key: number,
              cells: [
                number,
                name,
                ...(['opening', 'debit', 'credit', 'closing'] as const).map((column) => (
                  <Money key={column} amount={amounts[column]} currency={report.currencyCode} />
                )),
              ],
            }))}
          />
        )}
      </Stack>
    </AccountingPage>
  );
}

import { Button, Group, Paper, Select, Skeleton, Stack, Text, Title } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business, businessQuery } from '../../../shared/api/business';
import { Failure } from '../../components/failure';
import { textFilter } from '../../components/list-search';
import { SimpleTable } from '../../components/simple-table';
import { usePageSearch } from '../../components/use-page-search';
import { Fields } from '../records/fields';
import { formatDecimal, Money } from '../records/money';
import { oneOf } from '../records/record-list';
import { AccountingPage } from './accounting-tabs';
import { DaysFilter } from './days-filter';
import { formatPeriod, readPeriodDays } from './vat-periods';

type Report = BusinessResponse<'getVatReport'>['data'];

const PERIODS = ['month', 'quarter', 'all'] as const;

const reportSearch = z.object({ dateFrom: textFilter, dateTo: textFilter, period: textFilter });

function Period({ period, report }: { period: Report['periods'][number]; report: Report }) {
  const { t } = useTranslation('accounting');
  const navigate = useNavigate();
  const { currencyCode } = report;
  const name = formatPeriod(period.period, report);
  const amount = (value: number) => <Money amount={value} currency={currencyCode} />;
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {name}
          </Title>
          <Button
            size="xs"
            variant="default"
            onClick={() => void navigate({ to: '/journal', search: { ...readPeriodDays(period.period, report) } })}
          >
            {t('showEntries')}
          </Button>
        </Group>
        <SimpleTable
          label={name}
          head={[t('direction'), t('treatment'), t('percent'), t('net'), t('tax')]}
          numbersFrom={2}
          rows={period.rows.map((row) => ({
            key: [row.direction, row.treatment, row.category, row.percent].join(' '),
            cells: [
              t(`directions.${row.direction}`),
              `${t(`treatments.${row.treatment}`)} (${row.category})`,
              `${formatDecimal(row.percent)} %`,
              amount(row.net),
              amount(row.tax),
            ],
          }))}
        />
        <Fields
          rows={[
            [t('outputTax'), amount(period.outputTax)],
            [t('inputTax'), amount(period.inputTax)],
            [t('selfAssessedTax'), amount(period.selfAssessedTax)],
            [t('payable'), <Money key="payable" amount={period.payable} currency={currencyCode} fw={700} />],
          ]}
        />
      </Stack>
    </Paper>
  );
}

/** Net amounts and taxes by period and rate, each period with a link to its entries and their documents. */
export default function VatReportPage() {
  const { t } = useTranslation('accounting');
  const [search, change] = usePageSearch(reportSearch);
  const query = { ...search, period: oneOf(PERIODS, search.period) ?? 'month' };
  const { data, error } = useQuery({
    ...businessQuery('getVatReport', [query], (options) => business.getVatReport(query, options)),
    placeholderData: keepPreviousData,
  });
  const report = data?.data;
  return (
    <AccountingPage tab="vat">
      <Stack>
        <Group align="end">
          <DaysFilter days={{ dateFrom: query.dateFrom, dateTo: query.dateTo }} defaults={report} change={change} />
          <Select
            label={t('period')}
            allowDeselect={false}
            data={PERIODS.map((value) => ({ value, label: t(`periods.${value}`) }))}
            value={query.period}
            onChange={(period) => change({ period: period ?? undefined })}
          />
        </Group>
        <Failure error={error} />
        {report === undefined && error === null && <Skeleton h={240} />}
        {report?.periods.length === 0 && <Text maw={480}>{t('empty')}</Text>}
        {report?.periods.map((period) => (
          <Period key={period.period} period={period} report={report} />
        ))}
      </Stack>
    </AccountingPage>
  );
}

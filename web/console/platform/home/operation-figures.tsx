import { BarChart } from '@mantine/charts';
import { Badge, Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDate, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { FailureReason } from '../../components/failure-reason';
import { SimpleTable } from '../../components/simple-table';
import { useRefreshInterval } from '../../components/use-refresh-interval';
import { CHART_PROPS } from './chart-props';
import { formatAxisDay, formatDuration } from './durations';
import { ChartCard, Figure, FigureCard } from './figure-card';
import { LoadingFigure } from './loading-figure';
import type { PeriodQuery } from './period';
import './texts';

type Deliveries = OperationResponse<'getDeliveryStatistics'>;

const DELIVERY_COLORS = { succeeded: 'teal.6', failed: 'red.6', pending: 'yellow.6', cancelled: 'gray.5' } as const;
const DELIVERY_STATUSES = Object.keys(DELIVERY_COLORS) as (keyof typeof DELIVERY_COLORS)[];

const useChecks = (period: PeriodQuery) =>
  useQuery({
    ...identityQuery('getCheckStatistics', [period], (options) => identity.getCheckStatistics(period, options)),
    placeholderData: keepPreviousData,
  });

const useDeliveries = (period: PeriodQuery) =>
  useQuery({
    ...identityQuery('getDeliveryStatistics', [period], (options) => identity.getDeliveryStatistics(period, options)),
    placeholderData: keepPreviousData,
  });

/** The number of checks that could not be run. */
export function FailedChecks({ period }: { period: PeriodQuery }) {
  const { t } = useTranslation('home');
  const { data, error } = useChecks(period);
  if (data === undefined)
    return error === null ? <LoadingFigure label={t('reading', { title: t('failedChecks') })} height={112} /> : null;
  const total = data.kinds.reduce((sum, { created }) => sum + created, 0);
  const failed = data.kinds.reduce((sum, kind) => sum + kind.failed, 0);
  return (
    <Figure
      label={t('failedChecks')}
      value={formatNumber(failed)}
      hint={t('failedChecksHint', { count: total, total: formatNumber(total) })}
    />
  );
}

/** The number of deliveries that failed for good. */
export function FailedDeliveries({ period }: { period: PeriodQuery }) {
  const { t } = useTranslation('home');
  const { data, error } = useDeliveries(period);
  if (data === undefined)
    return error === null ? (
      <LoadingFigure label={t('reading', { title: t('failedDeliveries') })} height={112} />
    ) : null;
  const { statuses, webhooks } = data;
  return (
    <Figure
      label={t('failedDeliveries')}
      to="/webhooks"
      value={formatNumber(statuses.failed)}
      hint={t('failedDeliveriesHint', {
        pending: formatNumber(statuses.pending),
        failing: formatNumber(webhooks.failing),
      })}
    />
  );
}

/** Why checks could not be run, by kind. */
export function CheckFailures({ period }: { period: PeriodQuery }) {
  const { t } = useTranslation('home');
  const { data, error } = useChecks(period);
  const failing = data?.kinds.filter(({ failed }) => failed > 0) ?? [];
  return (
    <FigureCard title={t('failures')}>
      <Failure error={error} />
      {data === undefined && error === null && (
        <LoadingFigure label={t('reading', { title: t('failures') })} height={40} />
      )}
      {data !== undefined && failing.length === 0 && <Text>{t('noFailures')}</Text>}
      {failing.length > 0 && (
        <SimpleTable
          label={t('failures')}
          head={[t('kind'), t('reasons'), t('failed')]}
          rows={failing.map(({ kind, failed, failures }) => ({
            key: kind,
            cells: [
              t(`checkKind.${kind}`, { defaultValue: kind }),
              <Group key="reasons" gap={4}>
                {failures.map(({ code, count }) => (
                  <Badge key={code} variant="default" tt="none">
                    <FailureReason code={code} /> · {formatNumber(count)}
                  </Badge>
                ))}
              </Group>,
              formatNumber(failed),
            ],
          }))}
          numbersFrom={2}
        />
      )}
    </FigureCard>
  );
}

function DeliveryChart({ days, statuses }: Deliveries) {
  const { t } = useTranslation('home');
  const summary = DELIVERY_STATUSES.map((name) => `${t(`deliveryStatus.${name}`)} ${formatNumber(statuses[name])}`);
  return (
    <ChartCard
      title={t('deliveries')}
      to="/webhooks"
      description={`${t('deliveries')}: ${summary.join(', ')}`}
      chart={
        <BarChart
          h={220}
          data={days.map(({ date, statuses: counts }) => ({ date: formatAxisDay(date), ...counts }))}
          dataKey="date"
          type="stacked"
          series={DELIVERY_STATUSES.map((name) => ({
            name,
            label: t(`deliveryStatus.${name}`),
            color: DELIVERY_COLORS[name],
          }))}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          barChartProps={CHART_PROPS}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          xAxisProps={{ minTickGap: 24 }}
        />
      }
      table={
        <SimpleTable
          label={t('deliveries')}
          head={[t('day'), ...DELIVERY_STATUSES.map((name) => t(`deliveryStatus.${name}`))]}
          rows={days
            .map(({ date, statuses: counts }) => ({
              key: date,
              cells: [formatDate(date), ...DELIVERY_STATUSES.map((name) => formatNumber(counts[name]))],
            }))
            .reverse()}
          numbersFrom={1}
        />
      }
    />
  );
}

/** Deliveries by day and status. */
export function DeliveryFigures({ period }: { period: PeriodQuery }) {
  const { t } = useTranslation('home');
  const { data, error } = useDeliveries(period);
  if (data !== undefined) return <DeliveryChart {...data} />;
  if (error !== null) return <Failure error={error} />;
  return <LoadingFigure label={t('reading', { title: t('deliveries') })} height={360} />;
}

const REFRESH_MS = 10_000;

/** What waits for each worker pool, followed while the page is open. */
export function PoolFigures() {
  const { t } = useTranslation('home');
  const { data, error } = useQuery({
    ...identityQuery('getPoolStatistics', [], (options) => identity.getPoolStatistics(options)),
    refetchInterval: useRefreshInterval(REFRESH_MS),
  });
  return (
    <FigureCard title={t('pools')} hint={t('poolsHint')}>
      <Failure error={error} />
      {data === undefined && error === null && (
        <LoadingFigure label={t('reading', { title: t('pools') })} height={200} />
      )}
      {data !== undefined && (
        <SimpleTable
          label={t('pools')}
          head={[t('pool'), t('workers'), t('backlog'), t('wait')]}
          rows={data.pools.map(({ pool, workers, backlog, waitSeconds }) => ({
            key: pool,
            cells: [pool, formatNumber(workers), formatNumber(backlog), formatDuration(waitSeconds)],
          }))}
          numbersFrom={1}
        />
      )}
    </FigureCard>
  );
}

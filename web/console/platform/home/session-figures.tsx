import { BarChart } from '@mantine/charts';
import { SimpleGrid } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { OperationResponse } from '../../../../clients/typescript/src/calls';
import { identity, identityQuery } from '../../../shared/api/identity';
import { formatDate, formatNumber, formatPercent } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { SimpleTable } from '../../components/simple-table';
import { CHART_PROPS } from './chart-props';
import { formatAxisDay, formatDuration } from './durations';
import { ChartCard, Figure } from './figure-card';
import { LoadingFigure } from './loading-figure';
import type { PeriodQuery } from './period';
import './texts';

type Statistics = OperationResponse<'getSessionStatistics'>;
type Statuses = Statistics['statuses'];

/** What becomes of sessions, as few series of one chart. */
const OUTCOMES = {
  approved: { color: 'teal.6', statuses: ['approved', 'approval_expired'] },
  declined: { color: 'red.6', statuses: ['declined'] },
  in_review: { color: 'yellow.6', statuses: ['in_review'] },
  open: { color: 'indigo.4', statuses: ['not_started', 'in_progress', 'resubmission_requested'] },
  ended: { color: 'gray.5', statuses: ['expired', 'abandoned', 'cancelled'] },
} as const satisfies Record<string, { color: string; statuses: readonly (keyof Statuses)[] }>;

type Outcome = keyof typeof OUTCOMES;
const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

const countOutcome = (statuses: Statuses, outcome: Outcome): number =>
  OUTCOMES[outcome].statuses.reduce((sum, status) => sum + statuses[status], 0);

function SessionChart({ days, created, from }: Statistics & Pick<PeriodQuery, 'from'>) {
  const { t } = useTranslation('home');
  const series = OUTCOME_NAMES.map((name) => ({
    name,
    label: t(`outcome.${name}`),
    color: OUTCOMES[name].color,
  }));
  const data = days.map(({ date, statuses }) => ({
    date: formatAxisDay(date),
    ...Object.fromEntries(OUTCOME_NAMES.map((name) => [name, countOutcome(statuses, name)])),
  }));
  const rows = days
    .map(({ date, created: total, statuses }) => ({
      key: date,
      cells: [
        formatDate(date),
        formatNumber(total),
        ...OUTCOME_NAMES.map((name) => formatNumber(countOutcome(statuses, name))),
      ],
    }))
    .reverse();
  return (
    <ChartCard
      title={t('sessions')}
      to="/sessions"
      search={{ from }}
      hint={t('sessionsHint')}
      description={`${t('sessions')}: ${formatNumber(created)}`}
      chart={
        <BarChart
          h={260}
          data={data}
          dataKey="date"
          type="stacked"
          series={series}
          withLegend
          legendProps={{ verticalAlign: 'bottom' }}
          barChartProps={CHART_PROPS}
          yAxisProps={{ allowDecimals: false, width: 40 }}
          xAxisProps={{ minTickGap: 24 }}
        />
      }
      table={
        <SimpleTable
          label={t('sessions')}
          head={[t('day'), t('created'), ...OUTCOME_NAMES.map((name) => t(`outcome.${name}`))]}
          rows={rows}
          numbersFrom={1}
        />
      }
    />
  );
}

function SessionNumbers(props: Statistics & Pick<PeriodQuery, 'from'>) {
  const { created, statuses, review, timeToDecision, from } = props;
  const { t } = useTranslation('home');
  const approved = countOutcome(statuses, 'approved');
  const decided = approved + statuses.declined;
  return (
    <>
      <Figure
        label={t('created')}
        to="/sessions"
        search={{ from }}
        value={formatNumber(created)}
        hint={t('decided', { decided: formatNumber(decided) })}
      />
      <Figure
        label={t('approvedShare')}
        to="/sessions"
        search={{ from, status: OUTCOMES.approved.statuses.join(',') }}
        value={decided === 0 ? '–' : formatPercent(approved / decided)}
        hint={t('approvedShareHint', { approved: formatNumber(approved), decided: formatNumber(decided) })}
      />
      <Figure
        label={t('reviewShare')}
        to="/review"
        value={review.share === null ? '–' : formatPercent(review.share)}
        hint={t('reviewShareHint', { count: statuses.in_review })}
      />
      <Figure
        label={t('timeToDecision')}
        value={formatDuration(timeToDecision.medianSeconds)}
        hint={t('timeToDecisionHint', { p95: formatDuration(timeToDecision.p95Seconds) })}
      />
    </>
  );
}

/** Sessions of a period: four numbers and a chart. */
export function SessionFigures({ period }: { period: PeriodQuery }) {
  const { t } = useTranslation('home');
  const { data, error } = useQuery({
    ...identityQuery('getSessionStatistics', [period], (options) => identity.getSessionStatistics(period, options)),
    placeholderData: keepPreviousData,
  });
  if (data === undefined && error !== null) return <Failure error={error} />;
  if (data === undefined) return <LoadingFigure label={t('reading', { title: t('sessions') })} height={520} />;
  return (
    <>
      <SimpleGrid cols={{ base: 2, md: 4 }}>
        <SessionNumbers {...data} from={period.from} />
      </SimpleGrid>
      <SessionChart {...data} from={period.from} />
    </>
  );
}

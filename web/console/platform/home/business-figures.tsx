import { BarChart } from '@mantine/charts';
import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business, businessQuery } from '../../../shared/api/business';
import { formatMoney, formatMoneyBriefly, formatNumber } from '../../../shared/format';
import { Failure } from '../../components/failure';
import { SimpleTable } from '../../components/simple-table';
import { CHART_PROPS } from './chart-props';
import { ChartCard, FigureCard } from './figure-card';
import { LoadingFigure } from './loading-figure';
import './texts';

const AGES = ['current', 'days1to30', 'days31to60', 'days61to90', 'over90'] as const;
const MAX_PRODUCTS = 6;
/** The library moves the labels of axes by these pixels, which the automatic width of an axis leaves out. */
const TICK_OFFSET = 10;
/** Every age has a label; one that is longer than the width of a bar on a phone, as in German, is wrapped. */
const AGE_AXIS = {
  interval: 0,
  height: 44,
  tick: { transform: `translate(0, ${TICK_OFFSET})`, fontSize: 12, fill: 'currentColor', width: 52 },
} as const;

/** What customers have not paid yet, by age. */
export function ReceivableFigures() {
  const { t } = useTranslation('home');
  const { data: response, error } = useQuery(
    businessQuery('getReceivableAgingTotals', [], (options) => business.getReceivableAgingTotals(options)),
  );
  if (response === undefined && error !== null) return <Failure error={error} />;
  if (response === undefined) return <LoadingFigure label={t('reading', { title: t('receivables') })} height={360} />;
  const { total, baseCurrencyCode: currency } = response.data;
  const net = formatMoney(total.net, currency);
  return (
    <ChartCard
      title={t('receivables')}
      to="/receivables"
      hint={t('receivablesHint', { currency, net })}
      description={`${t('receivables')}: ${net}`}
      chart={
        <BarChart
          h={220}
          data={AGES.map((age) => ({ age: t(`ages.${age}`), amount: total[age] }))}
          dataKey="age"
          series={[{ name: 'amount', label: t('amount'), color: 'indigo.5' }]}
          valueFormatter={(value) => formatMoney(value, currency)}
          barChartProps={{ ...CHART_PROPS, margin: { ...CHART_PROPS.margin, left: TICK_OFFSET } }}
          yAxisProps={{ width: 'auto', tickFormatter: (value: number) => formatMoneyBriefly(value, currency) }}
          xAxisProps={AGE_AXIS}
        />
      }
      table={
        <SimpleTable
          label={t('receivables')}
          head={[t('age'), t('amount')]}
          rows={AGES.map((age) => ({ key: age, cells: [t(`ages.${age}`), formatMoney(total[age], currency)] }))}
          numbersFrom={1}
        />
      }
    />
  );
}

/** Products of which no more than the reorder level is available, the greatest shortage first. */
export function LowStockFigures() {
  const { t } = useTranslation('home');
  const { routesByPath } = useRouter();
  const hasPage = '/products/$productId' in routesByPath;
  const query = { pageSize: MAX_PRODUCTS };
  const { data, error } = useQuery(
    businessQuery('listLowStock', [query], (options) => business.listLowStock(query, options)),
  );
  const hidden = data === undefined ? 0 : data.totalCount - data.data.length;
  return (
    <FigureCard title={t('lowStock')} to="/stock">
      <Failure error={error} />
      {data === undefined && error === null && (
        <LoadingFigure label={t('reading', { title: t('lowStock') })} height={120} />
      )}
      {data?.totalCount === 0 && <Text>{t('noLowStock')}</Text>}
      {data !== undefined && data.totalCount > 0 && (
        <SimpleTable
          label={t('lowStock')}
          head={[t('product'), t('available'), t('reorderLevel')]}
          rows={data.data.map(({ productId, productName, available, reorderLevel }) => ({
            key: String(productId),
            cells: [
              hasPage ? (
                <Anchor key="name" component={Link} to={`/products/${productId}`} size="sm">
                  {productName}
                </Anchor>
              ) : (
                productName
              ),
              formatNumber(available),
              formatNumber(reorderLevel),
            ],
          }))}
          numbersFrom={1}
        />
      )}
      {hidden > 0 && <Text c="dimmed">{t('more', { count: hidden })}</Text>}
    </FigureCard>
  );
}

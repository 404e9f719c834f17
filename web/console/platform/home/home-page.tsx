import '@mantine/charts/styles.css';
import { SegmentedControl, SimpleGrid } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { LowStockFigures, ReceivableFigures } from './business-figures';
import { FirstSteps } from './first-steps';
import { CheckFailures, DeliveryFigures, FailedChecks, FailedDeliveries, PoolFigures } from './operation-figures';
import { buildPeriod, homeSearch, PERIODS } from './period';
import { SessionFigures } from './session-figures';
import './texts';

/** What happened lately and what waits, as far as the user's roles may see it. */
export default function HomePage() {
  const { t } = useTranslation('home');
  const { identity, business } = useSession();
  const [{ days }, change] = usePageSearch(homeSearch);
  const period = buildPeriod(Number(days));
  const [sees, seesChecks, seesDeliveries] = [
    identity.has('sessions:read'),
    identity.has('checks:read'),
    identity.has('webhooks:read'),
  ];
  const periodControl = (
    <SegmentedControl
      aria-label={t('period')}
      value={days}
      onChange={(value) => change(homeSearch.parse({ days: value }), { replace: true })}
      data={PERIODS.map((value) => ({ value, label: t('days', { count: Number(value) }) }))}
    />
  );
  return (
    <Page title={t('title')} actions={sees || seesChecks || seesDeliveries ? periodControl : undefined}>
      <FirstSteps />
      {sees && <SessionFigures period={period} />}
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        {seesChecks && <FailedChecks period={period} />}
        {seesDeliveries && <FailedDeliveries period={period} />}
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {business.has('receivables:read') && <ReceivableFigures />}
        {business.has('inventory:read') && <LowStockFigures />}
        {seesDeliveries && <DeliveryFigures period={period} />}
        {identity.has('operations:read') && <PoolFigures />}
        {seesChecks && <CheckFailures period={period} />}
      </SimpleGrid>
    </Page>
  );
}

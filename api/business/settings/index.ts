import type { Route } from '../../http/route';
import { companyRoutes } from './company';
import { currencyRoutes } from './currencies';
import { documentSeriesRoutes } from './document-series';
import { exchangeRateRoutes } from './exchange-rates';
import { periodLockRoutes } from './period-lock';
import { taxRateRoutes } from './tax-rates';
import { taxSetRoutes } from './tax-sets';

/** Every route under /api/config. */
export const configurationRoutes: readonly Route[] = [
  ...companyRoutes,
  ...currencyRoutes,
  ...exchangeRateRoutes,
  ...taxRateRoutes,
  ...taxSetRoutes,
  ...documentSeriesRoutes,
  ...periodLockRoutes,
];

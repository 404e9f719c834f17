import type { Route } from '../../http/route';
import { accountingSettingsRoutes } from './accounting-settings';
import { journalRoutes } from './journal';

/** Routes of the journal, its reports and the chart of accounts. */
export const accountingRoutes: readonly Route[] = [...journalRoutes, ...accountingSettingsRoutes];

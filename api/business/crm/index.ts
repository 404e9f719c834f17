import type { Route } from '../../http/route';
import { leadConversionRoutes } from './lead-conversion';
import { leadRoutes } from './leads';
import { opportunityRoutes } from './opportunities';

/** Every route under /api/crm. */
export const crmRoutes: readonly Route[] = [...leadRoutes, ...leadConversionRoutes, ...opportunityRoutes];

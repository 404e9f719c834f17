import type { Route } from '../../http/route';
import { bankStatementRoutes } from './bank-statements';
import { bankTransactionRoutes } from './bank-transactions';
import { proposalRejectionRoutes } from './proposal-rejections';

/** Routes of bank statements and of the matching of their transactions. */
export const bankingRoutes: readonly Route[] = [
  ...bankStatementRoutes,
  ...bankTransactionRoutes,
  ...proposalRejectionRoutes,
];

import type { BusinessResponse, CallOptions } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';

export type AccountingSettings = BusinessResponse<'getAccountingSettings'>['data'];

/** How editors read the settings, of which there is one record. */
export const ACCOUNTING_SETTINGS = {
  operation: 'getAccountingSettings',
  id: 'accounting',
  read: (_id: string, options: CallOptions) => business.getAccountingSettings(options),
} as const;

import type { BusinessResponse } from '../../../../clients/typescript/src/calls';

export type AccountingSettings = BusinessResponse<'getAccountingSettings'>['data'];

import type { CheckKind, CheckStatus } from '../../../domain/identity/checks/checks';
import { Check, STATISTICS_INDEX } from '../../../models/identity/checks/check';
import { defineCounts } from './counted-records';

export interface CheckDayGroup {
  failed: boolean;
}

export interface CheckTotalGroup {
  kind: CheckKind;
  status: CheckStatus;
  /** The error code of a failed check; else null. */
  failure: string | null;
}

/** Checks by whether they could not be run; over a period also by kind and error code. */
export const CHECK_COUNTS = defineCounts<CheckDayGroup, CheckTotalGroup>('checks', Check, STATISTICS_INDEX, {
  quarterGroup: { failed: { $eq: ['$status', 'failed'] } },
  totalGroup: { kind: '$kind', status: '$status', failure: '$failure' },
});

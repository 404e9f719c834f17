import { checkInvariants, listCompaniesAfter } from '../../services/business/invariants/check';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

/** Compare the records of a company with each other. Every activity is idempotent. */
export const createInvariantActivities = (platform: Platform) => ({
  /** The next page of company ids, in ascending order. */
  companiesToCheck: (after: string | null): Promise<{ ids: string[]; last: boolean }> => listCompaniesAfter(after),
  /** Saves the results. @returns the number of violations */
  checkCompanyInvariants: (organisationId: string): Promise<number> =>
    withHeartbeat(() => checkInvariants(platform, organisationId)),
});

export type InvariantActivities = ReturnType<typeof createInvariantActivities>;

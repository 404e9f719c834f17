import { checkInvariants, listCompaniesAfter } from '../../services/business/invariants/check';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 10_000;

/** Reads that compare a company's records with each other; each may run twice without harm. */
export const createInvariantActivities = (platform: Platform) => ({
  /** Ids of the next companies, in their order. */
  companiesToCheck: (after: string | null): Promise<{ ids: string[]; last: boolean }> => listCompaniesAfter(after),
  /** @returns how many violations were found; the results are kept. */
  checkCompanyInvariants: (organisationId: string): Promise<number> =>
    withHeartbeat(HEARTBEAT_MS, () => checkInvariants(platform, organisationId)),
});

export type InvariantActivities = ReturnType<typeof createInvariantActivities>;

import type { KybProviderName } from '../../domain/identity/kyb/company';
import { completeKyb, recordOutage } from '../../services/identity/kyb/results';
import { recordScreeningOutage } from '../../services/identity/kyb/screening';
import type { KybSummary } from '../../services/identity/kyb/results';
import type { Platform } from '../../services/platform/platform';

/** Short, idempotent writes of business checks. */
export interface KybRecordsActivities {
  /** Notes that a register could not be asked; `reason` is an error code. */
  recordKybOutage: (input: { kybId: string; provider: KybProviderName; reason: string }) => Promise<void>;
  /** Notes that the watch lists could not be searched; `reason` is an error code. */
  recordKybScreeningOutage: (input: { kybId: string; reason: string }) => Promise<void>;
  /** Concludes the check from what registers and watch lists answered. */
  completeKyb: (input: { kybId: string }) => Promise<KybSummary>;
}

export const createKybRecordsActivities = (platform: Platform): KybRecordsActivities => ({
  recordKybOutage: ({ kybId, provider, reason }) => recordOutage(platform, kybId, provider, reason),
  recordKybScreeningOutage: ({ kybId, reason }) => recordScreeningOutage(platform, kybId, reason),
  completeKyb: ({ kybId }) => completeKyb(platform, kybId),
});

import type { KybProviderName } from '../../domain/identity/kyb/company';
import { completeKyb, recordOutage } from '../../services/identity/kyb/results';
import { recordScreeningOutage } from '../../services/identity/kyb/screening';
import type { KybSummary } from '../../services/identity/kyb/results';
import type { Platform } from '../../services/platform/platform';

/** Short, idempotent writes of business checks. */
export interface KybRecordsActivities {
  /** Records that a register was unavailable; `reason` is an error code. */
  recordKybOutage: (input: { kybId: string; provider: KybProviderName; reason: string }) => Promise<void>;
  /** Records that screening failed; `reason` is an error code. */
  recordKybScreeningOutage: (input: { kybId: string; reason: string }) => Promise<void>;
  /** Concludes the check from the responses of registers and watch lists. */
  completeKyb: (input: { kybId: string }) => Promise<KybSummary>;
}

/** The activities that write business checks. */
export const createKybRecordsActivities = (platform: Platform): KybRecordsActivities => ({
  recordKybOutage: ({ kybId, provider, reason }) => recordOutage(platform, kybId, provider, reason),
  recordKybScreeningOutage: ({ kybId, reason }) => recordScreeningOutage(platform, kybId, reason),
  completeKyb: ({ kybId }) => completeKyb(platform, kybId),
});

import type { KybProviderName } from '../../domain/identity/kyb/company';
import { completeKyb, recordOutage } from '../../services/identity/kyb/results';
import type { KybSummary } from '../../services/identity/kyb/results';
import type { Platform } from '../../services/platform/platform';

/** Short, idempotent writes of business checks. */
export interface KybRecordsActivities {
  /** Notes that a register could not be asked; `reason` is an error code. */
  recordKybOutage: (input: { kybId: string; provider: KybProviderName; reason: string }) => Promise<void>;
  /** Concludes the check from what its registers answered. */
  completeKyb: (input: { kybId: string }) => Promise<KybSummary>;
}

export const createKybRecordsActivities = (platform: Platform): KybRecordsActivities => ({
  recordKybOutage: ({ kybId, provider, reason }) => recordOutage(platform, kybId, provider, reason),
  completeKyb: ({ kybId }) => completeKyb(platform, kybId),
});

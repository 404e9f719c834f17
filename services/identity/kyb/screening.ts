import { toFailureCode } from '../../../domain/errors';
import { concludeKyb } from '../../../domain/identity/kyb/conclusion';
import type { CompanyDetail } from '../../../domain/identity/kyb/company';
import type { KybScreening } from '../../../domain/identity/kyb/screening';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';

/** The company that the responses of a check identify; null if it is ambiguous or was not found. */
export const findConcludedCompany = ({ query, sources }: KybCheckRecord): CompanyDetail | null =>
  concludeKyb(query, sources, null).detail;

/** Records the screening result once: a second call changes nothing. */
export async function recordKybScreening(kybId: string, screening: KybScreening): Promise<void> {
  const unscreened = { _id: kybId, status: 'processing' as const, screening: null, deletedAt: null };
  const check = await KybCheck.findOne(unscreened, { organisationId: 1, mode: 1 }).lean<Scope>();
  if (check !== null) await KybCheck.updateOne({ ...unscreened, ...toScope(check) }, { $set: { screening } });
}

/** Records that screening failed after all attempts; `reason` is an error code. */
export const recordScreeningOutage = (platform: Platform, kybId: string, reason: string): Promise<void> =>
  recordKybScreening(kybId, { status: 'unavailable', reason: toFailureCode(reason), at: platform.clock.now() });

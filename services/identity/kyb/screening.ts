import { mongo } from 'mongoose';
import { toFailureCode } from '../../../domain/errors';
import { concludeKyb } from '../../../domain/identity/kyb/conclusion';
import type { CompanyDetail } from '../../../domain/identity/kyb/company';
import { limitPartyHits } from '../../../domain/identity/kyb/screening';
import type { KybScreening, PartyScreening } from '../../../domain/identity/kyb/screening';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';

/** The company that the responses of a check identify; null if it is ambiguous or was not found. */
export const findConcludedCompany = ({ query, sources }: KybCheckRecord): CompanyDetail | null =>
  concludeKyb(query, sources, null).detail;

const MIB = 1024 * 1024;
/** Of the 16 MiB of a document; the rest is left for reviews and the fields of the check. */
const MAX_CHECK_BYTES = 15 * MIB;
/** Hits that are stored with a check. The parties of an ordinary company never have as many. */
const MAX_HITS_BYTES = 4 * MIB;

const measure = (value: object): number => mongo.BSON.calculateObjectSize(value);

/**
 * The screened parties of a check with as many of their hits as its document has room for, the best ones first: a company
 * with thousands of officers and owners would not fit into it otherwise.
 */
export function fitPartyHits(
  platform: Platform,
  { _id: kybId, query, sources }: KybCheckRecord,
  parties: readonly PartyScreening[],
): PartyScreening[] {
  const withoutHits = parties.map((party) => ({ ...party, hits: [] }));
  // When the check is completed, it has the company that the sources identify a second time.
  const others = measure({ query, sources }) + measure({ sources }) + measure({ parties: withoutHits });
  const room = Math.max(0, Math.min(MAX_HITS_BYTES, MAX_CHECK_BYTES - others));
  const fitting = limitPartyHits(parties, room, measure);
  const count = (all: readonly PartyScreening[]): number => all.reduce((sum, { hits }) => sum + hits.length, 0);
  const omitted = count(parties) - count(fitting);
  if (omitted > 0) platform.logger.warn({ kybId, omitted }, 'A business check has more hits than can be stored');
  return fitting;
}

/** Records the screening result once: a second call changes nothing. */
export async function recordKybScreening(kybId: string, screening: KybScreening): Promise<void> {
  const unscreened = { _id: kybId, status: 'processing' as const, screening: null, deletedAt: null };
  const check = await KybCheck.findOne(unscreened, { organisationId: 1, mode: 1 }).lean<Scope>();
  if (check !== null) await KybCheck.updateOne({ ...unscreened, ...toScope(check) }, { $set: { screening } });
}

/** Records that screening failed after all attempts; `reason` is an error code. */
export const recordScreeningOutage = (platform: Platform, kybId: string, reason: string): Promise<void> =>
  recordKybScreening(kybId, { status: 'unavailable', reason: toFailureCode(reason), at: platform.clock.now() });

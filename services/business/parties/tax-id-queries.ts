import {
  OPEN_VERIFICATIONS,
  toVatNumber,
  VERIFICATION_RETRY_DELAYS_SECONDS,
} from '../../../domain/business/parties/tax-id-verification';
import type { VatNumber } from '../../../domain/platform/vat-numbers';
import type { ViesResult } from '../../../lib/registers/vies';
import { TaxIdVerifications } from '../../../models/business/parties/tax-id-verification';
import type { TaxIdVerificationRecord } from '../../../models/business/parties/tax-id-verification';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { emitEvent } from '../../platform/webhooks/events';
import { setHolderVerification } from './tax-id-holders';

/** A verification that is killed while it is queried is queried again after this time. */
const UNKNOWN_OUTCOME_DELAY_MS = 60_000;

/** Verifications that are due, the one that has waited longest first. @param exceptIds those in progress */
export const readDueVerifications = (
  platform: Platform,
  organisationId: string,
  limit: number,
  exceptIds: readonly string[],
): Promise<TaxIdVerificationRecord[]> =>
  TaxIdVerifications.find({
    organisationId,
    nextAttemptAt: { $lte: platform.clock.now() },
    _id: { $nin: exceptIds },
  })
    .sort({ nextAttemptAt: 1 })
    .limit(limit)
    .lean<TaxIdVerificationRecord[]>();

/** Seconds until the next query, 0 if one is due; null if none is left. */
export async function findSecondsToNextVerification(
  platform: Platform,
  organisationId: string,
): Promise<number | null> {
  const next = await TaxIdVerifications.findOne(
    { organisationId, nextAttemptAt: { $type: 'date' } },
    { nextAttemptAt: 1 },
  )
    .sort({ nextAttemptAt: 1 })
    .lean<Pick<TaxIdVerificationRecord, 'nextAttemptAt'>>();
  if (!(next?.nextAttemptAt instanceof Date)) return null;
  return Math.max(0, next.nextAttemptAt.getTime() - platform.clock.now().getTime()) / 1000;
}

/** The VAT identifier of the company, under which VIES gives consultation numbers. */
export async function findRequester(organisationId: string): Promise<VatNumber | null> {
  const company = await Company.findById(organisationId, { taxId: 1 }).lean<Pick<CompanyRecord, 'taxId'>>();
  return toVatNumber(company?.taxId ?? null);
}

/** Notes that a query begins. @returns false if the verification was replaced */
export async function beginQuery(
  platform: Platform,
  { _id, organisationId }: TaxIdVerificationRecord,
): Promise<boolean> {
  const begun = await TaxIdVerifications.updateOne(
    { _id, organisationId, status: { $in: OPEN_VERIFICATIONS } },
    {
      $inc: { attempts: 1 },
      $set: { nextAttemptAt: new Date(platform.clock.now().getTime() + UNKNOWN_OUTCOME_DELAY_MS) },
    },
  );
  return begun.matchedCount === 1;
}

/** Puts off a query that was not made. */
export async function postponeQuery(
  platform: Platform,
  { _id, organisationId }: TaxIdVerificationRecord,
  delayMs: number,
): Promise<void> {
  await TaxIdVerifications.updateOne(
    { _id, organisationId, nextAttemptAt: { $type: 'date' } },
    { $set: { nextAttemptAt: new Date(platform.clock.now().getTime() + delayMs) } },
  );
}

/** What a query has found: the result, or why there is none. */
export type QueryOutcome = ViesResult | { reason: string; retryAfterSeconds?: number | undefined };

function buildState(
  outcome: QueryOutcome,
  attempt: number,
  now: Date,
): Pick<TaxIdVerificationRecord, 'status' | 'reason' | 'consultationNumber' | 'name' | 'address' | 'nextAttemptAt'> {
  if ('valid' in outcome) {
    const { valid, consultationNumber, name, address } = outcome;
    return {
      status: valid ? 'valid' : 'invalid',
      reason: null,
      consultationNumber,
      name,
      address,
      nextAttemptAt: null,
    };
  }
  const delay = VERIFICATION_RETRY_DELAYS_SECONDS[attempt - 1];
  const seconds = delay === undefined ? null : Math.max(delay, outcome.retryAfterSeconds ?? 0);
  return {
    status: 'unavailable',
    reason: outcome.reason,
    consultationNumber: null,
    name: null,
    address: null,
    nextAttemptAt: seconds === null ? null : new Date(now.getTime() + seconds * 1000),
  };
}

/** Records what a query has found, also on the holder, once. A verification that was replaced stays so. */
export async function recordQueryOutcome(
  platform: Platform,
  { _id, organisationId, holder, holderId, taxId, requestedAt, attempts }: TaxIdVerificationRecord,
  outcome: QueryOutcome,
): Promise<void> {
  const at = platform.clock.now();
  const { nextAttemptAt, ...result } = buildState(outcome, attempts + 1, at);
  const { status } = result;
  await runTransaction(platform, async (unit) => {
    const recorded = await TaxIdVerifications.updateOne(
      { _id, organisationId, status: { $in: OPEN_VERIFICATIONS } },
      { $set: { ...result, checkedAt: at, nextAttemptAt } },
      { session: unit.mongoSession },
    );
    if (recorded.matchedCount === 0) return;
    const verification = { id: _id, taxId, requestedAt, checkedAt: at, ...result };
    const isCurrent = await setHolderVerification(unit, { organisationId, holder, holderId }, verification, _id);
    if (!isCurrent || (status !== 'valid' && status !== 'invalid')) return;
    await emitEvent(
      unit,
      { organisationId, mode: 'live' },
      {
        type: 'tax_id.verified',
        data: { verificationId: _id, holder, holderId, status },
        key: `tax_id.verified:${_id}`,
        subjectId: _id,
        at,
      },
    );
  });
}

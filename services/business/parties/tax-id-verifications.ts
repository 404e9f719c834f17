import {
  isVerifiedAutomatically,
  OPEN_VERIFICATIONS,
  toVatNumber,
} from '../../../domain/business/parties/tax-id-verification';
import type { TaxIdHolder } from '../../../domain/business/parties/tax-id-verification';
import { conflictError } from '../../../domain/errors';
import type { Clock } from '../../../lib/clock';
import type { Config } from '../../../lib/config';
import { newId } from '../../../lib/ids';
import { TaxIdVerifications } from '../../../models/business/parties/tax-id-verification';
import type { TaxIdVerification, TaxIdVerificationRecord } from '../../../models/business/parties/tax-id-verification';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { readTaxIdHolder, setHolderVerification } from './tax-id-holders';
import type { TaxIdHolderReference } from './tax-id-holders';

/** What a verification is planned with. */
export interface VerificationSettings {
  clock: Clock;
  config: Pick<Config, 'TAX_ID_VERIFICATION'>;
}

/** The verification that a holder with a new tax number begins with; null if it is not verified by itself. */
export function planTaxIdVerification(
  platform: VerificationSettings,
  { company }: { company: { address: { country: string | null } } },
  holder: TaxIdHolder,
  taxId: string | null,
): TaxIdVerification | null {
  if (platform.config.TAX_ID_VERIFICATION !== 'automatic' || taxId === null) return null;
  if (!isVerifiedAutomatically(holder, taxId, company.address.country)) return null;
  return newVerification(platform, taxId);
}

const newVerification = (platform: Pick<Platform, 'clock'>, taxId: string): TaxIdVerification => ({
  id: newId('txv'),
  taxId,
  status: 'pending',
  reason: null,
  requestedAt: platform.clock.now(),
  checkedAt: null,
  consultationNumber: null,
  name: null,
  address: null,
});

/** Stores a planned verification and has it made, in the transaction that writes it to its holder. */
export async function requestTaxIdVerification(
  unit: UnitOfWork,
  { organisationId, id: requestedBy }: Pick<BusinessCaller, 'organisationId' | 'id'>,
  reference: TaxIdHolderReference,
  { id, ...verification }: TaxIdVerification,
): Promise<void> {
  const { mongoSession: session } = unit;
  await TaxIdVerifications.updateMany(
    { organisationId, ...reference, status: { $in: OPEN_VERIFICATIONS } },
    { $set: { status: 'replaced', nextAttemptAt: null } },
    { session },
  );
  const nextAttemptAt = verification.requestedAt;
  const row = { _id: id, organisationId, ...reference, ...verification, attempts: 0, nextAttemptAt, requestedBy };
  await TaxIdVerifications.insertMany([row], { session, lean: true });
  unit.wake(organisationId, {
    workflow: 'taxIdVerifications',
    workflowId: workflowIds.taxIdVerifications(organisationId),
    argument: { organisationId },
    summary: 'VAT identifiers',
  });
}

/**
 * Verifies the VAT identifier of a customer, vendor or the company by VIES, also one that was verified before.
 * @throws AppError 404; 409 `tax_id_not_verifiable` if it is no VAT identifier of a member state
 */
export async function verifyTaxId(
  platform: Platform,
  caller: BusinessCaller,
  reference: TaxIdHolderReference,
): Promise<TaxIdVerification> {
  const { organisationId } = caller;
  return runTransaction(platform, async (unit) => {
    const { taxId, subject } = await readTaxIdHolder(caller, reference, unit);
    if (taxId === null || toVatNumber(taxId) === null)
      throw conflictError(
        'tax_id_not_verifiable',
        'taxId: VIES knows VAT identifiers of member states of the EU and of Northern Ireland only.',
        { fields: [{ field: 'taxId', problem: 'must be a VAT identifier with correct check digits' }] },
      );
    const verification = newVerification(platform, taxId);
    await setHolderVerification(unit, { organisationId, ...reference }, verification);
    await requestTaxIdVerification(unit, caller, reference, verification);
    await unit.audit(caller, { actor: caller.id, action: 'tax_id.verification_requested', subject });
    return verification;
  });
}

/** The latest verifications of a holder, newest first. @throws AppError 404 */
export async function listTaxIdVerifications(
  caller: BusinessCaller,
  reference: TaxIdHolderReference,
): Promise<TaxIdVerificationRecord[]> {
  await readTaxIdHolder(caller, reference);
  return TaxIdVerifications.find({ organisationId: caller.organisationId, ...reference })
    .sort({ _id: -1 })
    .limit(100)
    .lean<TaxIdVerificationRecord[]>();
}

import type { TaxIdHolder } from '../../../domain/business/parties/tax-id-verification';
import { Customer } from '../../../models/business/parties/customer';
import type { TaxIdVerification } from '../../../models/business/parties/tax-id-verification';
import { Vendor } from '../../../models/business/parties/vendor';
import { Company } from '../../../models/business/settings/company';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getRecord } from '../records/records';
import { CUSTOMER_KIND, VENDOR_KIND } from './party-kinds';

/** A customer, vendor or company; its id is null for the company. */
export interface TaxIdHolderReference {
  holder: TaxIdHolder;
  holderId: number | null;
}

/** The tax number of a holder, and its subject in audit rows. @throws AppError 404 */
export async function readTaxIdHolder(
  caller: BusinessCaller,
  { holder, holderId }: TaxIdHolderReference,
  unit?: UnitOfWork,
): Promise<{ taxId: string | null; subject: string }> {
  if (holder === 'company' || holderId === null) return { taxId: caller.company.taxId, subject: 'company' };
  const subject = `${holder}:${holderId}`;
  const { taxId } =
    holder === 'customer'
      ? await getRecord(caller, CUSTOMER_KIND, holderId, unit)
      : await getRecord(caller, VENDOR_KIND, holderId, unit);
  return { taxId, subject };
}

/**
 * Copies a verification to its holder, whose ETag changes; its version does not, so that no change of a user conflicts.
 * @param current id of the verification that the holder must have; undefined: any
 * @returns false if the holder has another verification, or none
 */
export async function setHolderVerification(
  { mongoSession: session }: UnitOfWork,
  { organisationId, holder, holderId }: TaxIdHolderReference & { organisationId: string },
  verification: TaxIdVerification,
  current?: string,
): Promise<boolean> {
  const update = { $set: { taxIdVerification: verification }, $inc: { derivedVersion: 1 } };
  const holds = current === undefined ? {} : { 'taxIdVerification.id': current };
  const party = { organisationId, id: holderId ?? 0, ...holds };
  const written =
    holder === 'company'
      ? await Company.updateOne({ _id: organisationId, ...holds }, update, { session })
      : holder === 'customer'
        ? await Customer.updateOne(party, update, { session })
        : await Vendor.updateOne(party, update, { session });
  return written.matchedCount === 1;
}

import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { Customer } from '../../../models/business/parties/customer';
import { Vendor } from '../../../models/business/parties/vendor';
import type { BusinessCaller } from '../access/caller';

/** The fields of a customer or vendor that documents and items show. */
export interface PartyHead {
  id: number;
  name: string;
}

/** Name of the field for the party of a side in the API. */
export const PARTY_FIELD = { receivable: 'customerId', payable: 'vendorId' } as const;

const findPartyHeads = (
  side: LedgerSide,
  filter: { organisationId: string; id: number | { $in: number[] } },
): Promise<PartyHead[]> => {
  const projection = { id: 1, name: 1 } as const;
  return side === 'receivable'
    ? Customer.find(filter, projection).lean<PartyHead[]>().exec()
    : Vendor.find(filter, projection).lean<PartyHead[]>().exec();
};

/**
 * The customer or vendor, including an inactive one, which can still pay or be paid. Null if there is none with the
 * id.
 */
export async function findParty(caller: BusinessCaller, side: LedgerSide, id: number): Promise<PartyHead | null> {
  const [found] = await findPartyHeads(side, { organisationId: caller.organisationId, id });
  return found ?? null;
}

/** Current names by id. */
export async function readPartyNames(
  caller: BusinessCaller,
  side: LedgerSide,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const found = await findPartyHeads(side, { organisationId: caller.organisationId, id: { $in: [...ids] } });
  return new Map(found.map(({ id, name }) => [id, name]));
}

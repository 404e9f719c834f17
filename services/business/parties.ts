import type { Side } from '../../domain/business/open-items';
import { Customer } from '../../models/business/customer';
import type { BusinessCaller } from './caller';

/** What documents and items say of a customer or vendor. */
export interface PartyHead {
  id: number;
  name: string;
}

/** How the API names the party of a side. */
export const PARTY_FIELD = { receivable: 'customerId', payable: 'vendorId' } as const;

/** The customer or vendor, also an inactive one: money still comes and goes. Null: the company has none of that id. */
export async function findParty(caller: BusinessCaller, side: Side, id: number): Promise<PartyHead | null> {
  const { organisationId } = caller;
  if (side === 'payable') return null;
  return Customer.findOne({ organisationId, id }, { id: 1, name: 1 }).lean<PartyHead>();
}

/** Names by id, as they are today. */
export async function partyNames(
  caller: BusinessCaller,
  side: Side,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const { organisationId } = caller;
  if (side === 'payable') return new Map();
  const found = await Customer.find({ organisationId, id: { $in: [...ids] } }, { id: 1, name: 1 }).lean<PartyHead[]>();
  return new Map(found.map(({ id, name }) => [id, name]));
}

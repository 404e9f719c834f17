import { ZERO } from '../../domain/business/decimal';
import type { Decimal } from '../../domain/business/decimal';
import type { Side } from '../../domain/business/open-items';
import { conflict } from '../../domain/errors';
import { toStored } from '../../models/business/decimal128';
import { PartyBalance } from '../../models/business/party-balance';
import type { UnitOfWork } from '../platform/unit-of-work';

export interface Party {
  organisationId: string;
  side: Side;
  partyId: number;
}

/** Changes what a party owes, in base currency; a negative change lowers it. */
export async function changeBalance(unit: UnitOfWork, party: Party, change: Decimal): Promise<void> {
  const { organisationId, side, partyId } = party;
  await PartyBalance.updateOne(
    { organisationId, side, partyId },
    { $inc: { openBase: toStored(change), version: 1 } },
    { session: unit.session, upsert: true },
  );
}

/**
 * Raises what a customer owes under the guard of the credit limit, so that two parallel invoices cannot both pass a
 * limit that has room for one.
 * @throws AppError 409 `credit_limit_exceeded`
 */
export async function raiseWithinLimit(
  unit: UnitOfWork,
  party: Party,
  raise: Decimal,
  creditLimit: Decimal,
): Promise<void> {
  const { organisationId, side, partyId } = party;
  const refused = conflict(
    'credit_limit_exceeded',
    `customerId: this invoice would take the customer above the credit limit of ${creditLimit.toFixed()}.`,
    { fields: [{ field: 'customerId', problem: 'the credit limit would be exceeded' }] },
  );
  const room = creditLimit.minus(raise);
  if (room.lt(0)) throw refused;
  await PartyBalance.updateOne(
    { organisationId, side, partyId },
    { $setOnInsert: { openBase: toStored(ZERO), version: 0 } },
    { session: unit.session, upsert: true },
  );
  const raised = await PartyBalance.updateOne(
    { organisationId, side, partyId, openBase: { $lte: toStored(room) } },
    { $inc: { openBase: toStored(raise), version: 1 } },
    { session: unit.session },
  );
  if (raised.matchedCount === 0) throw refused;
}

import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { isCredit, ITEM_KINDS, SIDES } from '../../../domain/business/payments/open-items';
import type { Side } from '../../../domain/business/payments/open-items';
import { inTransaction } from '../../../lib/mongo';
import { fromStored } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord } from '../../../models/business/payments/open-item';
import { PartyBalance } from '../../../models/business/payments/party-balance';
import type { PartyBalanceRecord } from '../../../models/business/payments/party-balance';

/** Customers or vendors looked at in one snapshot. */
const PAGE = 500;

interface PartySum {
  _id: number;
  base: AccountEntryRecord['amountBase'];
}

const byParty = (rows: readonly PartySum[]): Map<number, Decimal> =>
  new Map(rows.map(({ _id, base }) => [_id, fromStored(base)]));

const CREDITS = ITEM_KINDS.filter(isCredit);

async function lookAtPage(session: ClientSession, organisationId: string, side: Side, after: number) {
  const report = new InvariantReport();
  const balances = await PartyBalance.find({ organisationId, side, partyId: { $gt: after } })
    .sort({ partyId: 1 })
    .limit(PAGE)
    .session(session)
    .lean<PartyBalanceRecord[]>();
  const next = balances.length < PAGE ? null : (balances.at(-1)?.partyId ?? null);
  const $match = { organisationId, side, partyId: { $gt: after, ...(next === null ? {} : { $lte: next }) } };
  const owed = { $cond: [{ $in: ['$kind', CREDITS] }, { $multiply: ['$openBase', -1] }, '$openBase'] };
  const entries = byParty(
    await AccountEntry.aggregate<PartySum>([{ $match }, { $group: { _id: '$partyId', base: { $sum: '$amountBase' } } }])
      .session(session)
      .option({ allowDiskUse: true }),
  );
  const items = byParty(
    await OpenItem.aggregate<PartySum>([{ $match }, { $group: { _id: '$partyId', base: { $sum: owed } } }])
      .session(session)
      .option({ allowDiskUse: true }),
  );
  const held = new Map(balances.map(({ partyId, openBase }) => [partyId, fromStored(openBase)]));
  for (const partyId of new Set([...held.keys(), ...entries.keys(), ...items.keys()])) {
    const subject = `${side === 'receivable' ? 'customer' : 'vendor'}:${partyId}`;
    const entered = entries.get(partyId) ?? ZERO;
    const findings = report.of('party_balances');
    findings.same(subject, 'balance', entered, held.get(partyId) ?? ZERO);
    findings.same(subject, 'open documents', entered, items.get(partyId) ?? ZERO);
  }
  return { report, next };
}

/** Balances of customers and vendors against their entries and what is open of their documents. */
export async function lookAtParties(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  for (const side of SIDES) {
    let after: number | null = Number.MIN_SAFE_INTEGER;
    while (after !== null) {
      const from: number = after;
      const page = await inTransaction((session) => lookAtPage(session, organisationId, side, from));
      report.add(page.report);
      after = page.next;
    }
  }
  return report;
}

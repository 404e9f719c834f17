import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { isCredit, ITEM_KINDS, LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord } from '../../../models/business/payments/open-item';
import { PartyBalance } from '../../../models/business/payments/party-balance';
import type { PartyBalanceRecord } from '../../../models/business/payments/party-balance';
import { checkInPages, getNextPageStart } from './pages';
import type { CheckedPage } from './pages';

/** Number of customers or vendors checked in one snapshot. */
const PAGE_SIZE = 500;

interface PartySum {
  _id: number;
  base: AccountEntryRecord['amountBase'];
}

const indexByParty = (rows: readonly PartySum[]): Map<number, Decimal> =>
  new Map(rows.map(({ _id, base }) => [_id, fromDecimal128(base)]));

const CREDIT_KINDS = ITEM_KINDS.filter(isCredit);

async function checkPartyPage(
  mongoSession: ClientSession,
  organisationId: string,
  side: LedgerSide,
  after: number,
): Promise<CheckedPage> {
  const report = new InvariantReport();
  const balances = await PartyBalance.find({ organisationId, side, partyId: { $gt: after } })
    .sort({ partyId: 1 })
    .limit(PAGE_SIZE)
    .session(mongoSession)
    .lean<PartyBalanceRecord[]>();
  const next = getNextPageStart(balances, PAGE_SIZE, ({ partyId }) => partyId);
  const $match = { organisationId, side, partyId: { $gt: after, ...(next === null ? {} : { $lte: next }) } };
  const signedOpenBase = { $cond: [{ $in: ['$kind', CREDIT_KINDS] }, { $multiply: ['$openBase', -1] }, '$openBase'] };
  const entries = indexByParty(
    await AccountEntry.aggregate<PartySum>([{ $match }, { $group: { _id: '$partyId', base: { $sum: '$amountBase' } } }])
      .session(mongoSession)
      .option({ allowDiskUse: true }),
  );
  const items = indexByParty(
    await OpenItem.aggregate<PartySum>([{ $match }, { $group: { _id: '$partyId', base: { $sum: signedOpenBase } } }])
      .session(mongoSession)
      .option({ allowDiskUse: true }),
  );
  const balanceByParty = new Map(balances.map(({ partyId, openBase }) => [partyId, fromDecimal128(openBase)]));
  for (const partyId of new Set([...balanceByParty.keys(), ...entries.keys(), ...items.keys()])) {
    const subject = `${side === 'receivable' ? 'customer' : 'vendor'}:${partyId}`;
    const entered = entries.get(partyId) ?? ZERO;
    const findings = report.getFindings('party_balances');
    findings.expectEqual(subject, 'balance', entered, balanceByParty.get(partyId) ?? ZERO);
    findings.expectEqual(subject, 'open documents', entered, items.get(partyId) ?? ZERO);
  }
  return { report, next };
}

/** Compares the balances of customers and vendors with their entries and with the open amounts of their documents. */
export async function checkParties(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  for (const side of LEDGER_SIDES)
    report.merge(
      await checkInPages((mongoSession, after) => checkPartyPage(mongoSession, organisationId, side, after)),
    );
  return report;
}

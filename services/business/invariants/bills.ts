import type { ClientSession, Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import type { Findings } from '../../../domain/business/invariants/invariants';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { checkInPages, getNextPageStart } from './pages';
import type { CheckedPage } from './pages';

/** Number of bills or receipts checked in one snapshot. */
const PAGE_SIZE = 500;

type Linked = Pick<PayableRecord, 'id' | 'billId' | 'receiptIds' | 'voidedOn' | 'billedReceipts'>;

const FIELDS = { id: 1, billId: 1, receiptIds: 1, voidedOn: 1, billedReceipts: 1 } as const;

interface Replaced {
  amount: Decimal;
  base: Decimal;
}

/**
 * What bills have taken from receipts, less what their voids have restored, by receipt and bill; without bills from before
 * the entries named them.
 */
async function readReplaced(
  mongoSession: ClientSession,
  organisationId: string,
  receiptIds: readonly number[],
): Promise<Map<string, Replaced>> {
  const key = { organisationId, side: 'payable', kind: 'receipt', id: { $in: [...receiptIds] } } as const;
  const items = await OpenItem.find(key, { id: 1 }).session(mongoSession).lean<Pick<OpenItemRecord, '_id' | 'id'>[]>();
  const sums = await AccountEntry.aggregate<{
    _id: { itemId: Types.ObjectId; billId: number };
    amount: Types.Decimal128;
    base: Types.Decimal128;
    billed: number;
  }>([
    {
      $match: {
        organisationId,
        side: 'payable',
        itemId: { $in: items.map(({ _id }) => _id) },
        billId: { $exists: true },
      },
    },
    {
      $group: {
        _id: { itemId: '$itemId', billId: '$billId' },
        amount: { $sum: '$amount' },
        base: { $sum: '$amountBase' },
        billed: { $sum: { $cond: [{ $eq: ['$kind', 'billed'] }, 1, 0] } },
      },
    },
    { $match: { billed: { $gt: 0 } } },
  ]).session(mongoSession);
  const ids = new Map(items.map(({ _id, id }) => [_id.toHexString(), id]));
  return new Map(
    sums.map(({ _id, amount, base }) => [
      `${ids.get(_id.itemId.toHexString()) ?? ''}/${_id.billId}`,
      { amount: fromDecimal128(amount).neg(), base: fromDecimal128(base).neg() },
    ]),
  );
}

/** Requires that a bill that is not void, and only such a bill, has replaced what it states of its receipts. */
function compareBill(
  findings: Findings,
  bill: Linked,
  receipts: ReadonlyMap<number, Linked>,
  replaced: ReadonlyMap<string, Replaced>,
): void {
  const isActive = bill.voidedOn === undefined;
  for (const receiptId of bill.receiptIds) {
    const subject = `bill:${bill.id}/receipt:${receiptId}`;
    findings.expectEqual(subject, 'replaces the receipt', isActive, receipts.get(receiptId)?.billId === bill.id);
    const stored = bill.billedReceipts?.find((each) => each.receiptId === receiptId);
    const taken = replaced.get(`${receiptId}/${bill.id}`);
    if (stored === undefined || taken === undefined) continue;
    const sum = (parts: readonly Types.Decimal128[]): Decimal =>
      parts.reduce((total, part) => total.plus(fromDecimal128(part)), ZERO);
    const expected = isActive ? sum([stored.total, stored.taxTotal]) : ZERO;
    const expectedBase = isActive ? sum([stored.baseTotal, stored.baseTaxTotal]) : ZERO;
    findings.expectEqual(subject, 'replaced amount', expected, taken.amount);
    findings.expectEqual(subject, 'replaced amount, base currency', expectedBase, taken.base);
  }
}

async function checkPage(mongoSession: ClientSession, organisationId: string, after: number): Promise<CheckedPage> {
  const report = new InvariantReport();
  const findings = report.getFindings('billed_receipts');
  const page = await Payable.find({ organisationId, type: { $in: ['bill', 'receipt'] }, id: { $gt: after } }, FIELDS)
    .sort({ id: 1 })
    .limit(PAGE_SIZE)
    .session(mongoSession)
    .lean<Linked[]>();
  const ids = page.flatMap(({ billId, receiptIds }) => [...receiptIds, ...(billId === null ? [] : [billId])]);
  const linked = await Payable.find({ organisationId, id: { $in: [...new Set(ids)] } }, FIELDS)
    .session(mongoSession)
    .lean<Linked[]>();
  const byId = new Map(linked.map((each) => [each.id, each]));
  const receiptIds = page.flatMap((each) => each.receiptIds);
  const replaced = await readReplaced(mongoSession, organisationId, receiptIds);
  for (const each of page) {
    compareBill(findings, each, byId, replaced);
    const bill = each.billId === null ? undefined : byId.get(each.billId);
    if (each.billId === null) continue;
    const isNamed = bill?.voidedOn === undefined && bill?.receiptIds.includes(each.id) === true;
    findings.expectTrue(isNamed, `receipt:${each.id}`, 'bill', 'one that names the receipt', each.billId);
  }
  return { report, next: getNextPageStart(page, PAGE_SIZE, ({ id }) => id) };
}

/** Compares bills with the receipts that they replaced. */
export const checkBills = (organisationId: string): Promise<InvariantReport> =>
  checkInPages((mongoSession, after) => checkPage(mongoSession, organisationId, after));

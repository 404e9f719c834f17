import { reverseEntry } from '../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { postReceiptBilled } from '../../../domain/business/accounting/postings';
import { readOptions } from '../../../lib/mongo';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { onDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';
import { findBilledTotals, toPayableFacts } from './payable-facts';

/**
 * The entries of open items by which bills replace receipts, and by which their voids restore them. The day on which a bill
 * replaces a receipt is that of its entry.
 */
export const buildBilledFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  side: 'payable' as const,
  date: onDays(days),
  $or: [{ kind: 'billed' as const }, { kind: 'reversal' as const, billId: { $exists: true } }],
});

/** Reads receipts by their ids. */
export async function readReceiptsByIds(
  { organisationId, mongoSession }: JournalContext,
  ids: readonly number[],
): Promise<Map<number, PayableRecord>> {
  if (ids.length === 0) return new Map();
  const receipts = await Payable.find({ organisationId, id: { $in: [...new Set(ids)] }, type: 'receipt' })
    .setOptions(readOptions(mongoSession))
    .lean<PayableRecord[]>();
  return new Map(receipts.map((receipt) => [receipt.id, receipt]));
}

type BilledEntry = Pick<AccountEntryRecord, 'itemId' | 'date' | 'kind' | 'billId'>;
type Bill = Pick<PayableRecord, 'id' | 'receiptIds' | 'billedReceipts'>;

/** Finds the bill of an entry. */
type BillLookup = (entry: BilledEntry, receiptId: number) => Bill | undefined;

/**
 * Reads the bills of entries. Entries that were written before they named their bill belong to the first bill of their
 * receipt; as long as it is not void, the receipt itself says what was replaced.
 */
async function readBills(
  { organisationId, mongoSession }: JournalContext,
  entries: readonly BilledEntry[],
): Promise<BillLookup> {
  const named = { id: { $in: entries.flatMap(({ billId }) => billId ?? []) } };
  const isComplete = entries.every(({ billId }) => billId !== undefined);
  const selected = isComplete ? named : { $or: [named, { voidedOn: { $type: 'string' as const } }] };
  const bills = await Payable.find(
    { organisationId, type: 'bill', ...selected },
    { id: 1, receiptIds: 1, billedReceipts: 1, voidedOn: 1 },
  )
    .sort({ id: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<(Bill & Pick<PayableRecord, 'voidedOn'>)[]>();
  return ({ billId }, receiptId) =>
    bills.find(({ id, receiptIds, voidedOn }) =>
      billId === undefined ? voidedOn !== undefined && receiptIds.includes(receiptId) : id === billId,
    );
}

function postBilled(context: JournalContext, receipt: PayableRecord, entry: BilledEntry, bill?: Bill): JournalEntry {
  const { date, billId } = entry;
  const facts = { ...toPayableFacts(context, receipt), ...findBilledTotals(bill, receipt, context.baseDecimals) };
  const posted = postReceiptBilled(context.chartOn(receipt.date), facts, date);
  // A receipt whose bill was voided can be billed again.
  const key = billId === undefined ? '' : `:${billId}`;
  if (entry.kind === 'billed') return { ...posted, id: `${posted.id}${key}` };
  const { description } = posted;
  const id = `receipt_billed_void:${receipt.id}${key}`;
  return reverseEntry(posted, { id, kind: 'receipt_billed_void', date, description });
}

/** Entries of receipts that were replaced by bills, and of those that voids of bills restored. */
export async function readBilledReceipts(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { organisationId, mongoSession } = context;
  const entries = await AccountEntry.find(buildBilledFilter(context, days), { itemId: 1, date: 1, kind: 1, billId: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<BilledEntry[]>();
  if (entries.length === 0) return [];
  const items = await OpenItem.find({ organisationId, _id: { $in: entries.map(({ itemId }) => itemId) } }, { id: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<Pick<OpenItemRecord, '_id' | 'id'>[]>();
  const receiptIds = items.map(({ id }) => id);
  const receipts = await readReceiptsByIds(context, receiptIds);
  const findBill = await readBills(context, entries);
  const byItem = new Map(items.map(({ _id, id }) => [_id.toHexString(), receipts.get(id)]));
  return entries.flatMap((entry) => {
    const receipt = byItem.get(entry.itemId.toHexString());
    return receipt === undefined ? [] : [postBilled(context, receipt, entry, findBill(entry, receipt.id))];
  });
}

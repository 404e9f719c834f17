import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { BilledReceipt, PayableRecord } from '../../../models/business/purchasing/purchase-order';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { postIdempotently } from '../documents/idempotent-postings';
import { requireVoidablePeriods } from '../documents/posting-period';
import type { VoidedDocument } from '../documents/posting-period';
import { findOpenItem, reduceOpenAmount, restoreOpenAmount } from '../payments/open-items';
import { resolvePostingDate } from '../settings/company';
import { buildBilledReceipt } from './bill-receipts';
import { getPayable } from './bills';
import { rejectBillDependents, rejectCreditDependents } from './void-dependents';

export interface PayableVoid {
  /** `YYYY-MM-DD`, the day of the counter-entries. @default today */
  date?: string | undefined;
  reason: string;
}

/** The void of a payable, with its day. */
interface PostedVoid {
  date: string;
  reason: string;
  at: Date;
}

/** What corrects a document of a vendor in a locked period. */
const describeDocument = ({ type, date }: PayableRecord): VoidedDocument =>
  type === 'bill'
    ? {
        name: 'bill',
        date,
        field: 'date',
        correction: 'record a credit note of the vendor',
        route: 'POST /api/payables/credit-notes',
      }
    : { name: 'credit note', date, field: 'date', correction: 'record a bill', route: 'POST /api/payables' };

/** An open item with its document. */
interface VoidedItem {
  item: OpenItemRecord;
  payable: PayableRecord;
}

async function readItem(
  unit: UnitOfWork,
  { organisationId }: BusinessCaller,
  kind: PayableRecord['type'],
  id: number,
): Promise<VoidedItem> {
  const payable = await Payable.findOne({ organisationId, type: kind, id })
    .session(unit.mongoSession)
    .lean<PayableRecord>();
  const item = await findOpenItem(unit, { organisationId, side: 'payable', kind, id });
  if (payable === null || item === null) throw new Error('a payable has no open item');
  return { payable, item };
}

/**
 * Rejects a day before the latest entry of the items that change: on no day is more reversed than was open.
 * @throws AppError 400
 */
async function rejectEarlierDate(
  unit: UnitOfWork,
  { organisationId }: BusinessCaller,
  items: readonly VoidedItem[],
  date: string,
): Promise<void> {
  const itemId = { $in: items.map(({ item }) => item._id) };
  const latest = await AccountEntry.findOne({ organisationId, side: 'payable', itemId }, { date: 1 })
    .sort({ date: -1 })
    .session(unit.mongoSession)
    .lean<Pick<AccountEntryRecord, 'date'>>();
  if (latest !== null && date < latest.date)
    throw invalidFieldError(
      'date',
      `must not be before the latest change of the document or of its receipts, ${latest.date}`,
    );
}

/** The entry by which a bill replaced a receipt. Earlier ones do not name the bill; a receipt had only one then. */
async function readBilledEntry(
  unit: UnitOfWork,
  { organisationId, _id: itemId }: OpenItemRecord,
  billId: number,
): Promise<AccountEntryRecord> {
  const entry = await AccountEntry.findOne({
    organisationId,
    side: 'payable',
    itemId,
    kind: 'billed',
    billId: { $in: [billId, null] },
  })
    .sort({ billId: -1 })
    .session(unit.mongoSession)
    .lean<AccountEntryRecord>();
  if (entry === null) throw new Error('a billed receipt has no entry of its bill');
  return entry;
}

/** Restores the unbilled payables of the receipts that a bill replaced, with the amounts that it took from them. */
async function restoreReceipts(
  unit: UnitOfWork,
  { id: billId, organisationId }: PayableRecord,
  receipts: readonly VoidedItem[],
  { date, at }: PostedVoid,
): Promise<void> {
  for (const { item } of receipts) {
    const { amount, amountBase } = await readBilledEntry(unit, item, billId);
    const [replaced, base] = [fromDecimal128(amount).neg(), fromDecimal128(amountBase).neg()];
    await restoreOpenAmount(unit, item, 'reversed', replaced, base, { kind: 'reversal', date, at, billId });
  }
  await Payable.updateMany(
    { organisationId, type: 'receipt', billId },
    { $set: { billId: null } },
    { session: unit.mongoSession },
  );
}

/** What the receipts say is stored with a bill that does not state it, because returns change them from now on. */
const fixBilledReceipts = (
  { billedReceipts }: PayableRecord,
  receipts: readonly VoidedItem[],
  baseDecimals: number,
): { billedReceipts?: BilledReceipt[] } =>
  billedReceipts === undefined && receipts.length > 0
    ? { billedReceipts: receipts.map(({ payable }) => buildBilledReceipt(payable, baseDecimals)) }
    : {};

async function reversePayable(
  unit: UnitOfWork,
  caller: BusinessCaller,
  voided: VoidedItem,
  { date, reason, at }: PostedVoid,
): Promise<void> {
  const { payable, item } = voided;
  const { id, type, receiptIds } = payable;
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  await requireVoidablePeriods(unit, caller, describeDocument(payable), date);
  if (type === 'bill') await rejectBillDependents(unit, payable, item);
  else await rejectCreditDependents(unit, payable, item);
  const receipts: VoidedItem[] = [];
  for (const receiptId of receiptIds) receipts.push(await readItem(unit, caller, 'receipt', receiptId));
  await rejectEarlierDate(unit, caller, [voided, ...receipts], date);
  await restoreReceipts(unit, payable, receipts, { date, reason, at });
  const entry = { kind: 'void', date, at } as const;
  await reduceOpenAmount(unit, item, 'reversed', fromDecimal128(item.open), baseDecimals, entry);
  await Payable.updateOne(
    { _id: payable._id },
    {
      $set: {
        voidedOn: date,
        voidReason: reason,
        voidedId: id,
        ...fixBilledReceipts(payable, receipts, baseDecimals),
      },
    },
    { session: unit.mongoSession },
  );
  await unit.audit(caller, { actor: caller.id, action: 'payable.voided', subject: `payable:${id}`, reason });
}

/** @throws AppError 404; 409 `payable_not_voidable` for a receipt, `already_void` */
async function readVoidable(unit: UnitOfWork, caller: BusinessCaller, id: number): Promise<VoidedItem> {
  const { type, voidedOn } = await getPayable(caller, id, unit);
  if (type === 'receipt')
    throw conflictError('payable_not_voidable', 'A goods receipt is not voided: return its goods to the vendor.', {
      routes: ['POST /api/vendor-returns'],
    });
  if (voidedOn !== undefined)
    throw conflictError('already_void', `The ${type === 'bill' ? 'bill' : 'credit note'} was voided on ${voidedOn}.`);
  return readItem(unit, caller, type, id);
}

/**
 * Voids a bill or credit note of a vendor by counter-entries: the record is kept, and its number can be used again. The
 * receipts that a bill replaced are unbilled again.
 * @throws AppError 400 for a date in the future or before the latest change of the document; 404; 409 `already_void`,
 * `payable_not_voidable` naming what to reverse first, `period_locked`
 */
export function voidPayable(
  request: BusinessRequest,
  id: number,
  { date, reason }: PayableVoid,
): Promise<PayableRecord> {
  const { platform, caller } = request;
  const read = () => getPayable(caller, id);
  return postIdempotently(
    request,
    async (post) => {
      await post(async (unit) => {
        const posted = { date: resolvePostingDate(platform, caller, date), reason, at: platform.clock.now() };
        await reversePayable(unit, caller, await readVoidable(unit, caller, id), posted);
        return { id, status: 200, result: undefined };
      });
      return read();
    },
    read,
  );
}

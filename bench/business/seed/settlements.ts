import { mongo } from 'mongoose';
import { round, ZERO } from '../../../domain/business/decimal';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { AccountEntryRecord, OpenItemRecord } from '../../../models/business/payments/open-item';

const STORED_ZERO = toDecimal128(ZERO);

/** The open item of an invoice in base currency, consistent with its status, and the dated entries that explain it. */
export function buildSettlement(record: InvoiceRecord): { item: OpenItemRecord; entries: AccountEntryRecord[] } {
  const { status, organisationId, customerId: partyId, currencyCode, dueDate, issueDate: date, issuedAt } = record;
  const original = fromDecimal128(record.grandTotal);
  const decimals = record.document.currencyDecimals;
  const settledAmount =
    status === 'issued' ? ZERO : status === 'partially_paid' ? round(original.div(2), decimals) : original;
  const open = toDecimal128(original.minus(settledAmount));
  const item: OpenItemRecord = {
    _id: new mongo.ObjectId(),
    organisationId,
    side: 'receivable',
    kind: 'invoice',
    id: record.id,
    number: record.number,
    partyId,
    partyName: record.document.buyer.name,
    currencyCode,
    exchangeRate: toDecimal128(original.div(original)),
    date,
    dueDate,
    state: status === 'void' ? 'void' : open.toString() === '0' ? 'settled' : 'open',
    original: record.grandTotal,
    open,
    settled: status === 'void' ? STORED_ZERO : toDecimal128(settledAmount),
    credited: STORED_ZERO,
    reversed: status === 'void' ? toDecimal128(settledAmount) : STORED_ZERO,
    originalBase: record.grandTotal,
    openBase: open,
    tokens: buildSearchTokens([record.number, record.document.buyer.name, record.document.reference]),
    version: settledAmount.isZero() ? 1 : 2,
    createdAt: issuedAt,
    updatedAt: issuedAt,
  };
  const entry = {
    organisationId,
    side: item.side,
    itemId: item._id,
    partyId,
    currencyCode,
    dueDate,
    date,
    allocationId: null,
    postedAt: issuedAt,
  };
  const issued = { ...entry, kind: 'issue' as const, amount: item.original, amountBase: item.original };
  if (settledAmount.isZero()) return { item, entries: [{ ...issued, _id: new mongo.ObjectId() }] };
  const reduction = toDecimal128(settledAmount.neg());
  const kind = status === 'void' ? ('void' as const) : ('allocation' as const);
  const reducingEntry = { ...entry, kind, amount: reduction, amountBase: reduction };
  return { item, entries: [issued, reducingEntry].map((row) => ({ ...row, _id: new mongo.ObjectId() })) };
}

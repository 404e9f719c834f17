import { mongo } from 'mongoose';
import { round, ZERO } from '../domain/business/decimal';
import { searchTokens } from '../domain/business/search-tokens';
import { fromStored, toStored } from '../models/business/decimal128';
import type { InvoiceRecord } from '../models/business/invoices/invoice';
import type { AccountEntryRecord, OpenItemRecord } from '../models/business/payments/open-item';

const NOTHING = toStored(ZERO);

/** The open item of an invoice in base currency as its status says, and the dated entries that led there. */
export function settle(record: InvoiceRecord): { item: OpenItemRecord; entries: AccountEntryRecord[] } {
  const { status, organisationId, customerId: partyId, currencyCode, dueDate, issueDate: date, issuedAt } = record;
  const original = fromStored(record.grandTotal);
  const decimals = record.document.currencyDecimals;
  const taken = status === 'issued' ? ZERO : status === 'partially_paid' ? round(original.div(2), decimals) : original;
  const open = toStored(original.minus(taken));
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
    exchangeRate: toStored(original.div(original)),
    date,
    dueDate,
    state: status === 'void' ? 'void' : open.toString() === '0' ? 'settled' : 'open',
    original: record.grandTotal,
    open,
    settled: status === 'void' ? NOTHING : toStored(taken),
    credited: NOTHING,
    reversed: status === 'void' ? toStored(taken) : NOTHING,
    originalBase: record.grandTotal,
    openBase: open,
    tokens: searchTokens([record.number, record.document.buyer.name, record.document.reference]),
    version: taken.isZero() ? 1 : 2,
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
  if (taken.isZero()) return { item, entries: [{ ...issued, _id: new mongo.ObjectId() }] };
  const relieved = toStored(taken.neg());
  const kind = status === 'void' ? ('void' as const) : ('allocation' as const);
  const lowered = { ...entry, kind, amount: relieved, amountBase: relieved };
  return { item, entries: [issued, lowered].map((row) => ({ ...row, _id: new mongo.ObjectId() })) };
}

import type { InvariantName } from '../../../domain/business/invariants/invariants';
import { Decimal } from '../../../domain/business/decimal';
import { toDecimal128 } from '../../../models/business/decimal128';
import { DocumentCount } from '../../../models/business/documents/document-count';
import { Invoice } from '../../../models/business/invoices/invoice';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import { PartyBalance } from '../../../models/business/payments/party-balance';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import { Posting } from '../../../models/business/documents/posting';
import { Payable, PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import { StockBalance, StockLedger, StockValue } from '../../../models/business/stock/stock';

const today = new Date().toISOString().slice(0, 10);

/** Corrupts records of a company directly in the database. @returns a function that restores them */
type Corruption = (organisationId: string) => Promise<() => Promise<unknown>>;

export const decimalOne = toDecimal128(new Decimal(1));
export const decimalMinusOne = toDecimal128(new Decimal(-1));

/** Each corruption with the invariant it violates and the record that must be reported. */
export const CORRUPTIONS: [InvariantName, string, string, Corruption][] = [
  [
    'stock_balances',
    'a unit more on hand than came in',
    'product:1/warehouse:1',
    async (organisationId) => {
      const key = { organisationId, productId: 1, warehouseId: 1 };
      await StockBalance.updateOne(key, { $inc: { onHand: decimalOne } });
      return () => StockBalance.updateOne(key, { $inc: { onHand: decimalMinusOne } });
    },
  ],
  [
    'stock_balances',
    'a balance of a product that never moved',
    'product:999/warehouse:1',
    async (organisationId) => {
      const key = { organisationId, productId: 999, warehouseId: 1 };
      await StockBalance.create({ ...key, onHand: decimalOne });
      return () => StockBalance.deleteOne(key);
    },
  ],
  [
    'stock_reservations',
    'a unit reserved that no order needs',
    'product:1/warehouse:1',
    async (organisationId) => {
      const key = { organisationId, productId: 1, warehouseId: 1 };
      await StockBalance.updateOne(key, { $inc: { reserved: decimalOne } });
      return () => StockBalance.updateOne(key, { $inc: { reserved: decimalMinusOne } });
    },
  ],
  [
    'stock_values',
    'a value that no movement made',
    'product:1',
    async (organisationId) => {
      await StockValue.updateOne({ organisationId, productId: 1 }, { $inc: { value: decimalOne } });
      return () => StockValue.updateOne({ organisationId, productId: 1 }, { $inc: { value: decimalMinusOne } });
    },
  ],
  [
    'stock_ledger',
    'a movement whose running total was changed',
    'product:1/movement:2',
    async (organisationId) => {
      const key = { organisationId, productId: 1, sequence: 2 };
      await StockLedger.updateOne(key, { $inc: { valueAfter: decimalOne } });
      return () => StockLedger.updateOne(key, { $inc: { valueAfter: decimalMinusOne } });
    },
  ],
  [
    'stock_ledger',
    'a movement taken out',
    'product:1/movement:3',
    async (organisationId) => {
      const row = await StockLedger.findOneAndDelete({ organisationId, productId: 1, sequence: 2 }).orFail().lean();
      return () => StockLedger.create(row);
    },
  ],
  [
    'open_items',
    'an amount settled out of nothing',
    'invoice:1',
    async (organisationId) => {
      const key = { organisationId, side: 'receivable', kind: 'invoice', id: 1 } as const;
      await OpenItem.updateOne(key, { $inc: { settled: decimalOne } });
      return () => OpenItem.updateOne(key, { $inc: { settled: decimalMinusOne } });
    },
  ],
  [
    'account_entries',
    'an entry taken out',
    'receivable-payment:1',
    async (organisationId) => {
      const entry = await AccountEntry.findOneAndDelete({ organisationId, kind: 'refund' }).orFail().lean();
      return () => AccountEntry.create(entry);
    },
  ],
  [
    'item_documents',
    'an invoice called paid that is not',
    'invoice:2',
    async (organisationId) => {
      await Invoice.updateOne({ organisationId, id: 2 }, { $set: { status: 'paid' } });
      return () => Invoice.updateOne({ organisationId, id: 2 }, { $set: { status: 'issued' } });
    },
  ],
  [
    'item_documents',
    'an invoice without its receivable',
    'invoice:2',
    async (organisationId) => {
      const key = { organisationId, side: 'receivable', kind: 'invoice', id: 2 } as const;
      const item = await OpenItem.findOneAndDelete(key).orFail().lean();
      return () => OpenItem.create(item);
    },
  ],
  [
    'settlements',
    'an allocation of more than was settled',
    'invoice:1',
    async (organisationId) => {
      const key = { organisationId, side: 'receivable', id: 1 } as const;
      await Allocation.updateOne(key, { $inc: { settled: decimalOne } });
      return () => Allocation.updateOne(key, { $inc: { settled: decimalMinusOne } });
    },
  ],
  [
    'settlements',
    'a refund that the credit does not know',
    'receivable-payment:1',
    async (organisationId) => {
      const key = { organisationId, side: 'receivable', type: 'refund' } as const;
      await Payment.updateOne(key, { $inc: { amount: decimalOne } });
      return () => Payment.updateOne(key, { $inc: { amount: decimalMinusOne } });
    },
  ],
  [
    'party_balances',
    'a customer who owes more than was invoiced',
    'customer:1',
    async (organisationId) => {
      const key = { organisationId, side: 'receivable', partyId: 1 } as const;
      await PartyBalance.updateOne(key, { $inc: { openBase: decimalOne } });
      return () => PartyBalance.updateOne(key, { $inc: { openBase: decimalMinusOne } });
    },
  ],
  [
    'party_balances',
    'a vendor who is owed less than was billed',
    'vendor:1',
    async (organisationId) => {
      const key = { organisationId, side: 'payable', partyId: 1 } as const;
      await PartyBalance.updateOne(key, { $inc: { openBase: decimalMinusOne } });
      return () => PartyBalance.updateOne(key, { $inc: { openBase: decimalOne } });
    },
  ],
  [
    'numbering',
    'an invoice taken out',
    `series:1/year:${today.slice(0, 4)}/number:3`,
    async (organisationId) => {
      const record = await Invoice.findOneAndDelete({ organisationId, sequence: 2 }).orFail().lean();
      return () => Invoice.create(record);
    },
  ],
  [
    'numbering',
    'an issued document changed',
    `series:1/year:${today.slice(0, 4)}/number:1`,
    async (organisationId) => {
      const { document } = await Invoice.findOne({ organisationId, id: 1 }).orFail().lean();
      const key = { organisationId, id: 1 };
      await Invoice.updateOne(key, { $set: { document: { ...document, notes: 'Changed afterwards' } } });
      return () => Invoice.updateOne(key, { $set: { document } });
    },
  ],
  [
    'numbering',
    'a number given out that no document has',
    `series:1/year:${today.slice(0, 4)}`,
    async (organisationId) => {
      const last = `series.s1.years.y${today.slice(0, 4)}.last`;
      await Posting.updateOne({ _id: organisationId }, { $inc: { [last]: 1 } });
      return () => Posting.updateOne({ _id: organisationId }, { $inc: { [last]: -1 } });
    },
  ],
  [
    'document_counts',
    'an invoice counted twice',
    `list:invoices/${today}/issued`,
    async (organisationId) => {
      const row = { organisationId, list: 'invoices', status: 'issued', day: today, count: 1, baseTotal: decimalOne };
      const { _id } = await DocumentCount.create({ ...row, folded: false });
      return () => DocumentCount.deleteOne({ _id });
    },
  ],
  [
    'order_receipts',
    'a unit received that no receipt names',
    'purchase-order:1/product:1',
    async (organisationId) => {
      await PurchaseOrder.updateOne({ organisationId, id: 1 }, { $inc: { 'lines.0.received': decimalOne } });
      return () =>
        PurchaseOrder.updateOne({ organisationId, id: 1 }, { $inc: { 'lines.0.received': decimalMinusOne } });
    },
  ],
  [
    'billed_receipts',
    'a receipt that is unbilled although its bill is not void',
    'bill:3/receipt:1',
    async (organisationId) => {
      const key = { organisationId, type: 'receipt', id: 1 } as const;
      await Payable.updateOne(key, { $set: { billId: null } });
      return () => Payable.updateOne(key, { $set: { billId: 3 } });
    },
  ],
  [
    'billed_receipts',
    'a receipt of a bill that is void',
    'receipt:1',
    async (organisationId) => {
      const key = { organisationId, type: 'bill', id: 3 } as const;
      await Payable.updateOne(key, { $set: { voidedOn: today } });
      return () => Payable.updateOne(key, { $unset: { voidedOn: 1 } });
    },
  ],
  [
    'vendor_returns',
    'a unit returned by no return',
    'receipt:1/line:1',
    async (organisationId) => {
      const key = { organisationId, type: 'receipt', id: 1 } as const;
      await Payable.updateOne(key, { $inc: { 'lines.0.returned': decimalOne } });
      return () => Payable.updateOne(key, { $inc: { 'lines.0.returned': decimalMinusOne } });
    },
  ],
  [
    'journal_balance',
    'an invoice whose total is not an amount of its currency',
    'invoice:2',
    async (organisationId) => {
      const { document } = await Invoice.findOne({ organisationId, id: 2 }).orFail().lean();
      const changed = new Decimal(document.total).plus('0.005').toFixed();
      await Invoice.updateOne({ organisationId, id: 2 }, { $set: { 'document.total': changed } });
      return () => Invoice.updateOne({ organisationId, id: 2 }, { $set: { 'document.total': document.total } });
    },
  ],
  [
    'journal_ledgers',
    'an invoice whose base amount differs from its receivable',
    'days:1900-01-01/9998-12-31',
    async (organisationId) => {
      const { document } = await Invoice.findOne({ organisationId, id: 2 }).orFail().lean();
      const changed = new Decimal(document.baseTotal).plus(1).toFixed();
      await Invoice.updateOne({ organisationId, id: 2 }, { $set: { 'document.baseTotal': changed } });
      return () => Invoice.updateOne({ organisationId, id: 2 }, { $set: { 'document.baseTotal': document.baseTotal } });
    },
  ],
];

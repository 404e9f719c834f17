import type { ClientSession } from 'mongoose';
import type { InvoiceStatus } from '../../../domain/business/invoices/invoice';
import type { ItemKind, LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { PaymentRecord } from '../../../models/business/payments/payment';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';

type StoredDecimal = OpenItemRecord['original'];

/** The facts of an issued document that its receivable or payable must match. */
export interface PostedDocument {
  id: number;
  partyId: number;
  currencyCode: string;
  amount: StoredDecimal;
  base: StoredDecimal;
  /** True for a voided document, and for a receipt that has been billed or returned completely. */
  undone: boolean;
  /** Status of an invoice; null for other documents. */
  status: InvoiceStatus | null;
}

/** The ids of one page. */
export interface IdRange {
  organisationId: string;
  id: { $gt: number; $lte?: number };
}

const toInvoiceFacts = (record: InvoiceRecord): PostedDocument => ({
  id: record.id,
  partyId: record.customerId,
  currencyCode: record.currencyCode,
  amount: record.grandTotal,
  base: record.baseGrandTotal,
  undone: record.status === 'void',
  status: record.status,
});

const toCreditNoteFacts = (record: CreditNoteRecord): PostedDocument => ({
  id: record.id,
  partyId: record.customerId,
  currencyCode: record.currencyCode,
  amount: record.grandTotal,
  base: record.baseGrandTotal,
  undone: false,
  status: null,
});

const toPaymentFacts = (record: PaymentRecord): PostedDocument => ({
  id: record.id,
  partyId: record.partyId,
  currencyCode: record.currencyCode,
  amount: record.amount,
  base: record.amountBase,
  undone: record.status === 'void',
  status: null,
});

/** Whether everything of a receipt was returned before its bill. Free goods leave nothing open that returns could reverse. */
const isCompletelyReturned = ({ unbilledReturns: returned, total, taxTotal, grandTotal }: PayableRecord): boolean =>
  returned !== undefined &&
  !fromDecimal128(grandTotal).isZero() &&
  fromDecimal128(returned.total).eq(fromDecimal128(total)) &&
  fromDecimal128(returned.taxTotal).eq(fromDecimal128(taxTotal));

const toPayableFacts = (record: PayableRecord): PostedDocument => ({
  id: record.id,
  partyId: record.vendorId,
  currencyCode: record.currencyCode,
  amount: record.grandTotal,
  base: record.baseGrandTotal,
  undone: record.billId !== null || record.voidedOn !== undefined || isCompletelyReturned(record),
  status: null,
});

const HEAD_FIELDS = { id: 1, customerId: 1, currencyCode: 1, grandTotal: 1, baseGrandTotal: 1, status: 1 } as const;

/** The issued documents of a page that must have an item of this side and kind. */
export async function listIssuedDocuments(
  mongoSession: ClientSession,
  side: LedgerSide,
  kind: ItemKind,
  range: IdRange,
): Promise<PostedDocument[]> {
  if (kind === 'payment')
    return (
      await Payment.find({ ...range, side, type: 'payment' })
        .session(mongoSession)
        .lean<PaymentRecord[]>()
    ).map(toPaymentFacts);
  if (side === 'payable')
    return kind === 'invoice'
      ? []
      : (
          await Payable.find({ ...range, type: kind }, { lines: 0 })
            .session(mongoSession)
            .lean<PayableRecord[]>()
        ).map(toPayableFacts);
  if (kind === 'invoice')
    // Drafts have no receivable.
    return (
      await Invoice.find({ ...range, status: { $ne: 'draft' } }, HEAD_FIELDS)
        .session(mongoSession)
        .lean<InvoiceRecord[]>()
    ).map(toInvoiceFacts);
  return kind === 'credit_note'
    ? (await CreditNote.find(range, HEAD_FIELDS).session(mongoSession).lean<CreditNoteRecord[]>()).map(
        toCreditNoteFacts,
      )
    : [];
}

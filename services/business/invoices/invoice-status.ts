import type { IssuedStatus } from '../../../domain/business/invoices/invoice';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { emitEvent } from '../../platform/webhooks/events';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { recordCountChanges } from '../documents/document-counts';
import { INVOICE_LIST } from './invoice-lists';

/** Computes the status of an invoice from its open item. */
export function computeInvoiceStatus(item: Pick<OpenItemRecord, 'state' | 'open' | 'original'>): IssuedStatus {
  if (item.state === 'void') return 'void';
  const open = fromDecimal128(item.open);
  if (open.isZero()) return 'paid';
  return open.lt(fromDecimal128(item.original)) ? 'partially_paid' : 'issued';
}

/**
 * Updates the status of the invoice whose open item changed, with list counts and event; ignores other kinds of items.
 */
export async function updateInvoiceStatus(
  unit: UnitOfWork,
  caller: BusinessCaller,
  item: OpenItemRecord,
  at: Date,
): Promise<void> {
  if (item.kind !== 'invoice') return;
  const { organisationId } = caller;
  const status = computeInvoiceStatus(item);
  const before = await Invoice.findOneAndUpdate(
    { organisationId, id: item.id, status: { $ne: status } },
    { $set: { status, updatedAt: at }, $inc: { version: 1 } },
    { session: unit.mongoSession },
  ).lean<InvoiceRecord>();
  if (before === null) return;
  const counted = { organisationId, list: INVOICE_LIST, day: before.issueDate };
  const baseTotal = fromDecimal128(before.baseTotal);
  await recordCountChanges(unit, [
    { ...counted, status: before.status, count: -1, baseTotal: baseTotal.neg() },
    { ...counted, status, count: 1, baseTotal },
  ]);
  if (status !== 'paid' && status !== 'void') return;
  const subjectId = before._id.toHexString();
  const type = status === 'paid' ? 'invoice.paid' : 'invoice.voided';
  await emitEvent(
    unit,
    { organisationId, mode: 'live' },
    {
      type,
      data: {
        invoiceId: before.id,
        number: before.number,
        status,
        customerId: before.customerId,
        issueDate: before.issueDate,
        currencyCode: before.currencyCode,
        grandTotal: fromDecimal128(before.grandTotal).toNumber(),
      },
      key: `${type}:${subjectId}:${before.version + 1}`,
      subjectId,
      at,
    },
  );
}

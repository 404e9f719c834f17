import type { IssuedStatus } from '../../../domain/business/invoices/invoice';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { emitEvent } from '../../platform/webhooks/events';
import type { DomainEvent } from '../../platform/webhooks/events';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { recordCountChanges } from '../documents/document-counts';
import { INVOICE_LIST } from './invoice-lists';

/** Computes the status of an invoice from its open item. Only what is settled counts as paid, not what is credited. */
export function computeInvoiceStatus(
  item: Pick<OpenItemRecord, 'state' | 'open' | 'settled' | 'credited'>,
): IssuedStatus {
  if (item.state === 'void') return 'void';
  const isSettled = !fromDecimal128(item.settled).isZero();
  if (!fromDecimal128(item.open).isZero()) return isSettled ? 'partially_paid' : 'issued';
  return isSettled || fromDecimal128(item.credited).isZero() ? 'paid' : 'credited';
}

/** Builds the event of an invoice. */
export const buildInvoiceEvent = (
  type: 'invoice.issued' | 'invoice.paid' | 'invoice.voided',
  record: InvoiceRecord,
  fields: { status: IssuedStatus; key: string; at: Date },
): DomainEvent => {
  const { status, key, at } = fields;
  const subjectId = record._id.toHexString();
  return {
    type,
    data: {
      invoiceId: record.id,
      number: record.number,
      status,
      customerId: record.customerId,
      issueDate: record.issueDate,
      currencyCode: record.currencyCode,
      grandTotal: fromDecimal128(record.grandTotal).toNumber(),
    },
    key: `${type}:${subjectId}${key}`,
    subjectId,
    at,
  };
};

/** Writes a status with the list counts. @returns the record before; null if it had the status already */
export async function writeInvoiceStatus(
  unit: UnitOfWork,
  { organisationId, id }: Pick<OpenItemRecord, 'organisationId' | 'id'>,
  status: IssuedStatus,
  at: Date,
): Promise<InvoiceRecord | null> {
  const before = await Invoice.findOneAndUpdate(
    { organisationId, id, status: { $ne: status } },
    { $set: { status, updatedAt: at }, $inc: { version: 1 } },
    { session: unit.mongoSession },
  ).lean<InvoiceRecord>();
  if (before === null) return null;
  const counted = { organisationId, list: INVOICE_LIST, day: before.issueDate };
  const baseTotal = fromDecimal128(before.baseTotal);
  await recordCountChanges(unit, [
    { ...counted, status: before.status, count: -1, baseTotal: baseTotal.neg() },
    { ...counted, status, count: 1, baseTotal },
  ]);
  return before;
}

/**
 * Updates the status of the invoice whose open item changed, with list counts and event; ignores other kinds of items.
 */
export async function updateInvoiceStatus(unit: UnitOfWork, item: OpenItemRecord, at: Date): Promise<void> {
  if (item.kind !== 'invoice') return;
  const status = computeInvoiceStatus(item);
  const before = await writeInvoiceStatus(unit, item, status, at);
  if (before === null || (status !== 'paid' && status !== 'void')) return;
  const type = status === 'paid' ? 'invoice.paid' : 'invoice.voided';
  const event = buildInvoiceEvent(type, before, { status, key: `:${before.version + 1}`, at });
  await emitEvent(unit, { organisationId: item.organisationId, mode: 'live' }, event);
}

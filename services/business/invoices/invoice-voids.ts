import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import { conflictError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { listActiveAllocations } from '../payments/allocations';
import { listActiveDeductions } from '../payments/deductions';
import { getCompanyToday } from '../settings/company';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { cancelInvoiceMessages } from '../messages/message-endings';
import { reopenInvoicedOrder } from '../orders/sales-order-reopening';
import { getInvoice, getIssuedInvoice, notIssuedError } from './invoice-lists';
import { buildReturnedLines } from './invoice-returns';
import { rejectDeductedDeposit, releaseDeposits } from './prepaid';
import { updateInvoiceStatus } from './invoice-status';
import { findOpenItem, reduceOpenAmount } from '../payments/open-items';
import { requireVoidablePeriods } from '../documents/posting-period';
import { postIdempotently } from '../documents/idempotent-postings';
import { returnStock } from '../stock/stock-movements';

/** @throws AppError 409 `invoice_not_voidable` listing payments and credit notes, and the routes that reverse them */
async function rejectWithDependents(unit: UnitOfWork, invoice: InvoiceRecord, item: OpenItemRecord): Promise<void> {
  const { organisationId, id } = invoice;
  const allocations = await listActiveAllocations({ debitItemId: item._id }, unit);
  const notes = await CreditNote.find({ organisationId, invoiceId: id }, { id: 1 })
    .session(unit.mongoSession)
    .lean<{ id: number }[]>();
  const writeOffs = await listActiveDeductions(unit, { organisationId, itemId: item._id, kind: 'write_off' });
  if (allocations.length === 0 && notes.length === 0 && writeOffs.length === 0) return;
  const ownCreditNoteIds = new Set(notes.map((note) => note.id));
  const selectByKind = (kind: AllocationRecord['creditKind']) =>
    allocations.filter(({ creditKind }) => creditKind === kind);
  const paymentIds = [...new Set(selectByKind('payment').map(({ creditId }) => creditId))];
  // Credit of other invoices may have been applied to this one.
  const applied = selectByKind('credit_note').map(({ creditId }) => creditId);
  const creditNoteIds = [...new Set([...ownCreditNoteIds, ...applied])];
  const reversible = allocations.filter(
    ({ creditKind, creditId }) => creditKind === 'payment' || !ownCreditNoteIds.has(creditId),
  );
  throw conflictError(
    'invoice_not_voidable',
    'The invoice has payments, write-offs or credit notes: void the payments and write-offs, or reverse the allocations of the payments; to undo a credit note, issue a new invoice.',
    {
      paymentIds,
      allocationIds: reversible.map((allocation) => allocation.id),
      creditNoteIds,
      ...(writeOffs.length === 0 ? {} : { writeOffIds: writeOffs.map((writeOff) => writeOff.id) }),
      routes: [
        'POST /api/receivables/payments/:id/void',
        'POST /api/receivables/allocations/:id/reverse',
        ...(writeOffs.length === 0 ? [] : ['POST /api/receivables/write-offs/:id/void']),
      ],
    },
  );
}

async function reverseInvoice(
  unit: UnitOfWork,
  caller: BusinessCaller,
  invoice: InvoiceRecord,
  reason: string | null,
): Promise<void> {
  const { organisationId, id } = invoice;
  const today = getCompanyToday(unit.platform, caller);
  const document = {
    name: 'invoice',
    date: invoice.issueDate,
    field: 'issueDate',
    correction: 'issue a credit note',
    route: 'POST /api/credit-notes',
  };
  await requireVoidablePeriods(unit, caller, document, today);
  const item = await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id });
  if (item === null) throw new Error('an issued invoice has no receivable');
  await rejectWithDependents(unit, invoice, item);
  await rejectDeductedDeposit(unit, invoice);
  await releaseDeposits(unit, item, today, reason);
  const at = unit.platform.clock.now();
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const units = invoice.document.lines.map(({ lineId, quantity }) => ({
    lineId,
    quantity: new Decimal(quantity),
    field: 'lines',
  }));
  const posting = { organisationId, kind: 'void', invoiceId: id, baseDecimals, at } as const;
  await returnStock(unit, posting, await buildReturnedLines(unit, invoice, units, baseDecimals));
  await reopenInvoicedOrder(unit, caller, id, at);
  const entry = { kind: 'void', date: today, at } as const;
  const released = (await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id })) ?? item;
  const open = fromDecimal128(released.open);
  const reversed = await reduceOpenAmount(unit, released, 'reversed', open, baseDecimals, entry);
  await Invoice.updateOne(
    { _id: invoice._id },
    { $set: { voidedOn: today, voidReason: reason } },
    { session: unit.mongoSession },
  );
  await updateInvoiceStatus(unit, reversed.item, at);
  await cancelInvoiceMessages(unit, organisationId, id);
  await unit.audit(caller, {
    actor: caller.id,
    action: 'invoice.voided',
    subject: `invoice:${id}`,
    ...(reason === null ? {} : { reason }),
  });
}

/**
 * Voids an invoice: the number is kept, stock and receivable are reversed today at original cost and rate. The order
 * that it was issued from is confirmed again.
 * @throws AppError 404; 409 `invoice_not_issued` for a draft, `invoice_not_voidable` listing payments and credit notes,
 * `already_void`, `period_locked`; 503 `busy`
 */
export function voidInvoice(request: BusinessRequest, id: number, reason: string | null): Promise<InvoiceRecord> {
  const { caller } = request;
  const read = () => getIssuedInvoice(caller, id);
  return postIdempotently(
    request,
    async (post) => {
      await post(async (unit) => {
        const invoice = await getInvoice(caller, id, unit);
        if (invoice.status === 'draft')
          throw notIssuedError('A draft cannot be voided; delete it.', 'DELETE /api/invoices/:id');
        if (invoice.status === 'void')
          throw conflictError('already_void', `The invoice was voided on ${invoice.voidedOn ?? ''}.`);
        await reverseInvoice(unit, caller, invoice, reason);
        return { id, status: 200, result: undefined };
      });
      return read();
    },
    read,
  );
}

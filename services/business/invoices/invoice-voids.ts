import { currencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import { conflict } from '../../../domain/errors';
import { fromStored } from '../../../models/business/decimal128';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { allocationsOf } from '../payments/allocations';
import { companyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { getInvoice, getIssuedInvoice, notIssued } from './invoice-lists';
import { returnsOf } from './invoice-returns';
import { followInvoice } from './invoice-status';
import { itemOf, takeFromItem } from '../payments/open-items';

import { passPeriodLock } from '../documents/posting-period';
import { inPostingTurn, TURN_DEADLINE_MS } from '../documents/posting-queue';
import { returnStock } from '../stock/stock-movements';

/** Payments and credit notes stand in the way of voiding; the answer names them and the routes that undo them. */
async function refuseUnderOthers(unit: UnitOfWork, invoice: InvoiceRecord, item: OpenItemRecord): Promise<void> {
  const { organisationId, id } = invoice;
  const allocations = await allocationsOf({ debitItemId: item._id }, unit);
  const notes = await CreditNote.find({ organisationId, invoiceId: id }, { id: 1 })
    .session(unit.session)
    .lean<{ id: number }[]>();
  if (allocations.length === 0 && notes.length === 0) return;
  const own = new Set(notes.map((note) => note.id));
  const ofKind = (kind: AllocationRecord['creditKind']) => allocations.filter(({ creditKind }) => creditKind === kind);
  const paymentIds = [...new Set(ofKind('payment').map(({ creditId }) => creditId))];
  // Credit of other invoices may have been applied to this one.
  const applied = ofKind('credit_note').map(({ creditId }) => creditId);
  const creditNoteIds = [...new Set([...own, ...applied])];
  const reversible = allocations.filter(({ creditKind, creditId }) => creditKind === 'payment' || !own.has(creditId));
  throw conflict(
    'invoice_not_voidable',
    'The invoice has payments or credit notes: void the payments, or reverse their allocations; what is credited already is undone by a new invoice.',
    {
      paymentIds,
      allocationIds: reversible.map((allocation) => allocation.id),
      creditNoteIds,
      routes: ['POST /api/receivables/payments/:id/void', 'POST /api/receivables/allocations/:id/reverse'],
    },
  );
}

/** @throws AppError 409 naming the credit note as the way out of a locked period */
async function passLocks(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { issueDate }: InvoiceRecord,
  today: string,
): Promise<void> {
  try {
    await passPeriodLock(unit, caller, issueDate, 'issueDate');
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'period_locked') throw error;
    throw conflict(
      'period_locked',
      `The invoice is dated ${issueDate}, in a locked period; issue a credit note instead.`,
      {
        route: 'POST /api/credit-notes',
      },
    );
  }
  await passPeriodLock(unit, caller, today, 'date');
}

async function undo(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  invoice: InvoiceRecord,
  reason: string,
): Promise<void> {
  const { organisationId, id } = invoice;
  const today = companyToday(platform, caller);
  await passLocks(unit, caller, invoice, today);
  const item = await itemOf(unit, { organisationId, side: 'receivable', kind: 'invoice', id });
  if (item === null) throw new Error('an issued invoice has no receivable');
  await refuseUnderOthers(unit, invoice, item);
  const at = platform.clock.now();
  const baseDecimals = currencyDecimals(caller.company.baseCurrencyCode);
  const units = invoice.document.lines.map(({ lineId, quantity }) => ({
    lineId,
    quantity: new Decimal(quantity),
    field: 'lines',
  }));
  const posting = { organisationId, kind: 'void', invoiceId: id, baseDecimals, at } as const;
  await returnStock(unit, posting, await returnsOf(unit, invoice, units, baseDecimals));
  const why = { kind: 'void', date: today, at } as const;
  const reversed = await takeFromItem(unit, item, 'reversed', fromStored(item.open), baseDecimals, why);
  await Invoice.updateOne(
    { _id: invoice._id },
    { $set: { voidedOn: today, voidReason: reason } },
    { session: unit.session },
  );
  await followInvoice(unit, caller, reversed.item, at);
  await unit.audit(caller, { actor: caller.id, action: 'invoice.voided', subject: `invoice:${id}`, reason });
}

/**
 * Voids an invoice: the number is kept, stock and receivable are reversed today at original cost and rate.
 * @throws AppError 404; 409 `invoice_not_voidable` naming what stands in the way, `already_void`, `period_locked`
 */
export async function voidInvoice(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  reason: string,
): Promise<InvoiceRecord> {
  const { organisationId } = caller;
  await inPostingTurn(organisationId, Date.now() + TURN_DEADLINE_MS, () =>
    transact(platform, async (unit) => {
      const invoice = await getInvoice(caller, id, unit);
      if (invoice.status === 'draft') throw notIssued('A draft is deleted, not voided.', 'DELETE /api/invoices/:id');
      if (invoice.status === 'void')
        throw conflict('already_void', `The invoice was voided on ${invoice.voidedOn ?? ''}.`);
      await undo(platform, unit, caller, invoice, reason);
    }),
  );
  return getIssuedInvoice(caller, id);
}

import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal, ZERO } from '../../../domain/business/decimal';
import { applyCreditToDocument } from '../../../domain/business/payments/settlement';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { emitEvent } from '../../platform/webhooks/events';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { allocate } from '../payments/allocations';
import type { BusinessCaller } from '../access/caller';
import { buildReturnedLines } from '../invoices/invoice-returns';
import { getOpenAmounts, postItem } from '../payments/open-items';
import { returnStock } from '../stock/stock-movements';

/**
 * Applies the credit to the open amount of its invoice; the rest remains available for other invoices or a refund.
 * @param reserveAllocation reserves the number of the allocation; called only if there is one, so that no number is missing
 */
export async function postCredit(
  unit: UnitOfWork,
  caller: BusinessCaller,
  record: CreditNoteRecord,
  debit: OpenItemRecord,
  reserveAllocation: () => Promise<number>,
): Promise<void> {
  const [amount, base] = [fromDecimal128(record.grandTotal), fromDecimal128(record.baseGrandTotal)];
  const { applied, ...fixedBase } = applyCreditToDocument(getOpenAmounts(debit), { amount, base });
  const credit = await postItem(unit, {
    organisationId: caller.organisationId,
    side: 'receivable',
    kind: 'credit_note',
    id: record.id,
    number: record.number,
    partyId: record.customerId,
    partyName: record.document.buyer.name,
    currencyCode: record.currencyCode,
    exchangeRate: new Decimal(record.document.exchangeRate),
    date: record.issueDate,
    dueDate: record.issueDate,
    amount,
    amountBase: base,
    at: record.createdAt,
  });
  if (applied.isZero()) return;
  const allocationRequest = {
    id: await reserveAllocation(),
    credit,
    debit,
    amount: applied,
    settled: applied,
    date: record.issueDate,
    field: 'lines',
    fixedBase,
  };
  await allocate(unit, caller, allocationRequest);
}

/** Returns credited units of goods to stock, if the credit note requests it. */
export async function restock(
  unit: UnitOfWork,
  caller: BusinessCaller,
  invoice: InvoiceRecord,
  record: CreditNoteRecord,
): Promise<void> {
  if (!record.restock) return;
  const baseDecimals = getCurrencyDecimals(caller.company.baseCurrencyCode);
  const units = record.lines.map(({ invoiceLineId, quantity }, index) => ({
    lineId: invoiceLineId,
    quantity: quantity === null ? ZERO : fromDecimal128(quantity),
    field: `lines[${index}].quantity`,
  }));
  const posting = {
    organisationId: caller.organisationId,
    kind: 'restock',
    invoiceId: invoice.id,
    baseDecimals,
    at: record.createdAt,
  } as const;
  await returnStock(unit, posting, await buildReturnedLines(unit, invoice, units, baseDecimals));
}

/** Writes the event and the audit row. */
export async function emitCreditNoteIssued(
  unit: UnitOfWork,
  caller: BusinessCaller,
  record: CreditNoteRecord,
): Promise<void> {
  const scope = { organisationId: caller.organisationId, mode: 'live' } as const;
  const subjectId = record._id.toHexString();
  await emitEvent(unit, scope, {
    type: 'credit_note.issued',
    data: {
      creditNoteId: record.id,
      number: record.number,
      invoiceId: record.invoiceId,
      customerId: record.customerId,
      issueDate: record.issueDate,
      currencyCode: record.currencyCode,
      grandTotal: fromDecimal128(record.grandTotal).toNumber(),
    },
    key: `credit_note.issued:${subjectId}`,
    subjectId,
    at: record.issuedAt,
  });
  const subject = `credit-note:${record.id}`;
  await unit.audit(scope, {
    actor: caller.id,
    action: 'credit_note.issued',
    subject,
    reason: record.document.reason ?? '',
  });
}

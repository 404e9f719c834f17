import { Types } from 'mongoose';
import { searchTokens } from '../../../domain/business/search-tokens';
import { conflict, invalidField } from '../../../domain/errors';
import { isDuplicateKey } from '../../../lib/mongo';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { toStored } from '../../../models/business/decimal128';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { nextNumber } from '../../platform/transactions/counters';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { rehearse, transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { afterToday, companyToday } from '../settings/company';
import type { BusinessCaller } from '../access/caller';
import { getCreditNote } from './credit-note-lists';
import { workOutCredit } from './credit-note-preparation';
import type { CreditNoteLineInput, WorkedOutCredit } from './credit-note-preparation';
import { postCredit, restock, tellCreditNote } from './credit-note-posting';
import { creditNoteSnapshot } from './credit-note-snapshot';
import { refuseUnfit } from '../documents/einvoices';
import { findInvoice, notIssued } from '../invoices/invoice-lists';
import { contentHashOf } from '../invoices/invoice-snapshot';
import { allocateNumber, chainHashOf, recordChainHash } from '../documents/numbering';
import type { AllocatedNumber } from '../documents/numbering';
import { itemOf } from '../payments/open-items';
import { counterOf } from '../payments/payments';
import { inPostingTurn, TURN_DEADLINE_MS } from '../documents/posting-queue';

export interface CreditNoteInput {
  invoiceId: number;
  /** In words for the customer. */
  reason: string;
  /** Undefined: everything that is left of the invoice. */
  lines?: CreditNoteLineInput[] | undefined;
  /** Brings credited units of goods back into stock. */
  restock: boolean;
  /** `YYYY-MM-DD`. @default today */
  issueDate?: string | undefined;
  notes?: string | undefined;
}

interface Identity {
  _id: Types.ObjectId;
  id: number;
  allocation: number;
}

interface Place extends AllocatedNumber {
  seriesId: number;
  issueDate: string;
}

function recordOf(
  caller: BusinessCaller,
  invoice: InvoiceRecord,
  worked: WorkedOutCredit,
  input: CreditNoteInput,
  identity: Identity,
  place: Place,
  at: Date,
): CreditNoteRecord {
  const { calculation, base } = worked;
  const document = creditNoteSnapshot(invoice, worked, input, { number: place.number, issueDate: place.issueDate, at });
  const contentHash = contentHashOf(document);
  return {
    _id: identity._id,
    id: identity.id,
    organisationId: caller.organisationId,
    invoiceId: invoice.id,
    seriesId: place.seriesId,
    year: place.year,
    sequence: place.sequence,
    number: place.number,
    issueDate: place.issueDate,
    issuedAt: at,
    customerId: invoice.customerId,
    currencyCode: invoice.currencyCode,
    total: toStored(calculation.total),
    taxTotal: toStored(calculation.taxTotal),
    grandTotal: toStored(calculation.grandTotal),
    baseTotal: toStored(base.total),
    baseTaxTotal: toStored(base.taxTotal),
    baseGrandTotal: toStored(base.grandTotal),
    lines: calculation.lines.map(({ lineId, quantity, payable }) => ({
      invoiceLineId: lineId,
      quantity: quantity === null ? null : toStored(quantity),
      payable: toStored(payable),
    })),
    restock: input.restock,
    document,
    contentHash,
    chainHash: chainHashOf(place.previousChainHash, place.number, contentHash),
    tokens: searchTokens([place.number, document.precedingInvoice.number, document.buyer.name, document.buyer.code]),
    createdBy: caller.id,
    createdAt: at,
  };
}

async function seriesOf(caller: BusinessCaller): Promise<DocumentSeriesRecord> {
  const { organisationId } = caller;
  const filter = { organisationId, documentType: 'credit_note', active: true } as const;
  const series = await DocumentSeries.findOne(filter).sort({ id: 1 }).lean<DocumentSeriesRecord>();
  if (series === null) throw conflict('no_series', 'The company has no active series of credit notes.');
  return series;
}

/** The invoice to be credited, read in this transaction. @throws AppError 400, 409 */
async function creditableInvoice(
  unit: UnitOfWork,
  caller: BusinessCaller,
  id: number,
  issueDate: string,
): Promise<InvoiceRecord> {
  const invoice = await findInvoice(caller, id, unit);
  if (invoice === null) throw invalidField('invoiceId', 'is not an invoice of the company');
  if (invoice.status === 'draft')
    throw notIssued(
      'invoiceId: a draft is changed or deleted, not credited.',
      'PUT /api/invoices/:id',
      'DELETE /api/invoices/:id',
    );
  if (invoice.status === 'void')
    throw conflict('invoice_void', 'invoiceId: the invoice is void; nothing is left to credit.');
  if (issueDate < invoice.issueDate)
    throw invalidField('issueDate', `must not be before ${invoice.issueDate}, the day of the invoice`);
  return invoice;
}

/** Writes everything a credit note means, in one transaction whose first write takes the number. */
async function writeCreditNote(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  input: CreditNoteInput,
  series: DocumentSeriesRecord,
  identity: Identity,
): Promise<CreditNoteRecord> {
  const { organisationId } = caller;
  const at = platform.clock.now();
  const today = companyToday(platform, caller);
  const issueDate = input.issueDate ?? today;
  if (issueDate > today) throw invalidField('issueDate', afterToday(today));
  const number = await allocateNumber(unit, caller, series, issueDate);
  const invoice = await creditableInvoice(unit, caller, input.invoiceId, issueDate);
  const worked = await workOutCredit(unit, invoice, input.lines);
  const record = recordOf(caller, invoice, worked, input, identity, { ...number, seriesId: series.id, issueDate }, at);
  refuseUnfit(caller.company, record.document);
  await CreditNote.create([record], { session: unit.session });
  await recordChainHash(unit, organisationId, series.id, record.year, record.chainHash);
  const debit = await itemOf(unit, { organisationId, side: 'receivable', kind: 'invoice', id: invoice.id });
  if (debit === null) throw new Error('an issued invoice has no receivable');
  await postCredit(platform, unit, caller, record, debit, identity.allocation);
  await restock(unit, caller, invoice, record);
  await tellCreditNote(unit, caller, record);
  return record;
}

/** Issues under an identity chosen before: meeting it again means that an earlier commit did take effect. */
async function issueOnce(
  platform: Platform,
  _id: Types.ObjectId,
  issue: () => Promise<CreditNoteRecord>,
): Promise<CreditNoteRecord> {
  try {
    return await issue();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const existing = await CreditNote.findById(_id).lean<CreditNoteRecord>();
    if (existing === null) throw error;
    return existing;
  }
}

/**
 * Issues a credit note on an invoice: number, receivable, stock where asked, event and audit in one transaction.
 * @throws AppError 400, also `einvoice_invalid`; 409 `credit_exceeds_invoice`, `invoice_void`, `period_locked`, `issue_date_before_latest`
 */
export async function createCreditNote(
  platform: Platform,
  caller: BusinessCaller,
  input: CreditNoteInput,
  use: IdempotentUse | undefined,
): Promise<CreditNoteRecord> {
  const { organisationId } = caller;
  return idempotently(
    platform,
    use,
    async (claim) => {
      const series = await seriesOf(caller);
      const identity = {
        _id: new Types.ObjectId(),
        id: await nextNumber(organisationId, 'credit-notes'),
        allocation: await nextNumber(organisationId, counterOf('receivable', 'allocations')),
      };
      const issue = () =>
        transact(platform, async (unit) => {
          const record = await writeCreditNote(platform, unit, caller, input, series, identity);
          await claim(unit, String(record.id), 201);
          return record;
        });
      return inPostingTurn(organisationId, Date.now() + TURN_DEADLINE_MS, () =>
        issueOnce(platform, identity._id, issue),
      );
    },
    (recordId) => getCreditNote(caller, Number(recordId)),
  );
}

/** What `createCreditNote` would issue, with the same refusals; writes nothing and takes no number. */
export async function trialCreditNote(
  platform: Platform,
  caller: BusinessCaller,
  input: CreditNoteInput,
): Promise<CreditNoteRecord> {
  const series = await seriesOf(caller);
  const identity = { _id: new Types.ObjectId(), id: 0, allocation: 0 };
  return rehearse(platform, (unit) => writeCreditNote(platform, unit, caller, input, series, identity));
}

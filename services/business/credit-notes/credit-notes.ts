import { Types } from 'mongoose';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { CreditNote } from '../../../models/business/credit-notes/credit-note';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { toDecimal128 } from '../../../models/business/decimal128';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { resolvePostingDate } from '../settings/company';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { getCreditNote } from './credit-note-lists';
import { prepareCreditNote } from './credit-note-preparation';
import type { CreditNoteLineInput, PreparedCreditNote } from './credit-note-preparation';
import { postCredit, restock, emitCreditNoteIssued } from './credit-note-posting';
import { buildCreditNoteSnapshot } from './credit-note-snapshot';
import { rejectNoncompliantDocument } from '../documents/einvoices';
import { findInvoice, notIssuedError } from '../invoices/invoice-lists';
import { computeContentHash } from '../invoices/invoice-snapshot';
import { allocateNumber, computeChainHash, recordChainHash } from '../documents/numbering';
import type { AllocatedNumber } from '../documents/numbering';
import { toStoredTotals } from '../documents/stored-totals';
import { findOpenItem } from '../payments/open-items';
import { rejectDeductedDeposit } from '../invoices/prepaid';
import { buildCounterName } from '../payments/payments';
import { postIdempotently } from '../documents/idempotent-postings';

export interface CreditNoteInput {
  invoiceId: number;
  /** Reason printed on the document, for the customer. */
  reason: string;
  /** If undefined, everything that is not credited yet. */
  lines?: CreditNoteLineInput[] | undefined;
  /** Whether credited units of goods return to stock. */
  restock: boolean;
  /** `YYYY-MM-DD`. @default today */
  issueDate?: string | undefined;
  notes?: string | undefined;
  /** @default the active series of credit notes with the lowest id */
  seriesId?: number | undefined;
}

interface CreditNoteIds {
  _id: Types.ObjectId;
  id: number;
  reserveAllocation: () => Promise<number>;
}

interface CreditNotePosition extends AllocatedNumber {
  seriesId: number;
  issueDate: string;
}

/** What the record of a credit note is built from. */
interface NewCreditNote {
  invoice: InvoiceRecord;
  prepared: PreparedCreditNote;
  input: CreditNoteInput;
  ids: CreditNoteIds;
  position: CreditNotePosition;
  at: Date;
}

function buildCreditNoteRecord(
  caller: BusinessCaller,
  { invoice, prepared, input, ids, position, at }: NewCreditNote,
): CreditNoteRecord {
  const { calculation, base } = prepared;
  const document = buildCreditNoteSnapshot(invoice, prepared, input, {
    number: position.number,
    issueDate: position.issueDate,
    at,
  });
  const contentHash = computeContentHash(document);
  return {
    _id: ids._id,
    id: ids.id,
    organisationId: caller.organisationId,
    invoiceId: invoice.id,
    seriesId: position.seriesId,
    year: position.year,
    sequence: position.sequence,
    number: position.number,
    issueDate: position.issueDate,
    issuedAt: at,
    customerId: invoice.customerId,
    currencyCode: invoice.currencyCode,
    ...toStoredTotals(calculation, base.totals),
    lines: calculation.lines.map(({ lineId, quantity, payable }) => ({
      invoiceLineId: lineId,
      quantity: quantity === null ? null : toDecimal128(quantity),
      payable: toDecimal128(payable),
    })),
    restock: input.restock,
    document,
    contentHash,
    chainHash: computeChainHash(position.previousChainHash, position.number, contentHash),
    tokens: buildSearchTokens([
      position.number,
      document.precedingInvoice.number,
      document.buyer.name,
      document.buyer.code,
    ]),
    createdBy: caller.id,
    createdAt: at,
  };
}

/** The series that a credit note names, or the default. @throws AppError 400; 409 `no_series` */
async function findCreditNoteSeries(
  { organisationId }: BusinessCaller,
  { seriesId }: CreditNoteInput,
): Promise<DocumentSeriesRecord> {
  const active = { organisationId, documentType: 'credit_note', active: true } as const;
  const filter = seriesId === undefined ? active : { ...active, id: seriesId };
  const series = await DocumentSeries.findOne(filter).sort({ id: 1 }).lean<DocumentSeriesRecord>();
  if (series === null && seriesId !== undefined)
    throw invalidFieldError('seriesId', 'is not an active series of credit notes of the company');
  if (series === null) throw conflictError('no_series', 'The company has no active series of credit notes.');
  return series;
}

/** Returns the invoice to credit, read in this transaction. @throws AppError 400, 409 */
async function getCreditableInvoice(
  unit: UnitOfWork,
  caller: BusinessCaller,
  id: number,
  issueDate: string,
): Promise<InvoiceRecord> {
  const invoice = await findInvoice(caller, id, unit);
  if (invoice === null) throw invalidFieldError('invoiceId', 'is not an invoice of the company');
  if (invoice.status === 'draft')
    throw notIssuedError(
      'invoiceId: a draft cannot be credited; change or delete it.',
      'PUT /api/invoices/:id',
      'DELETE /api/invoices/:id',
    );
  if (invoice.status === 'void')
    throw conflictError('invoice_void', 'invoiceId: the invoice is void and cannot be credited.');
  if (issueDate < invoice.issueDate)
    throw invalidFieldError('issueDate', `must not be before ${invoice.issueDate}, the issue date of the invoice`);
  return invoice;
}

/** Writes a credit note with all its effects. The first write of the transaction allocates the number. */
async function writeCreditNote(
  unit: UnitOfWork,
  caller: BusinessCaller,
  input: CreditNoteInput,
  { series, ids }: { series: DocumentSeriesRecord; ids: CreditNoteIds },
): Promise<CreditNoteRecord> {
  const { organisationId } = caller;
  const at = unit.platform.clock.now();
  const issueDate = resolvePostingDate(unit.platform, caller, input.issueDate, 'issueDate');
  const number = await allocateNumber(unit, { caller, series, issueDate });
  const invoice = await getCreditableInvoice(unit, caller, input.invoiceId, issueDate);
  await rejectDeductedDeposit(unit, invoice);
  const prepared = await prepareCreditNote(unit, invoice, input);
  const position = { ...number, seriesId: series.id, issueDate };
  const record = buildCreditNoteRecord(caller, { invoice, prepared, input, ids, position, at });
  rejectNoncompliantDocument(caller.company, record.document);
  await CreditNote.create([record], { session: unit.mongoSession });
  await recordChainHash(unit, record);
  const debit = await findOpenItem(unit, { organisationId, side: 'receivable', kind: 'invoice', id: invoice.id });
  if (debit === null) throw new Error('an issued invoice has no receivable');
  await postCredit(unit, caller, record, debit, ids.reserveAllocation);
  await restock(unit, caller, invoice, record);
  await emitCreditNoteIssued(unit, caller, record);
  return record;
}

/** Issues under an `_id` chosen before: a duplicate key means that an earlier commit of unknown outcome succeeded. */
async function issueOnce(_id: Types.ObjectId, issue: () => Promise<CreditNoteRecord>): Promise<CreditNoteRecord> {
  try {
    return await issue();
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    const existing = await CreditNote.findById(_id).lean<CreditNoteRecord>();
    if (existing === null) throw error;
    return existing;
  }
}

/**
 * Issues a credit note for an invoice: number, receivable, stock if requested, event and audit row in one transaction.
 * @throws AppError 400, also `einvoice_invalid`; 409 `credit_exceeds_invoice`, `invoice_void`, `period_locked`,
 * `issue_date_before_latest`
 */
export async function createCreditNote(request: BusinessRequest, input: CreditNoteInput): Promise<CreditNoteRecord> {
  const { caller } = request;
  const { organisationId } = caller;
  return postIdempotently(
    request,
    async (post) => {
      const series = await findCreditNoteSeries(caller, input);
      const _id = new Types.ObjectId();
      const issue = () =>
        post(async (unit) => {
          const reserve = (counter: string) => reserveNumberInTransaction(unit.mongoSession, organisationId, counter);
          const id = await reserve('credit-notes');
          const reserveAllocation = () => reserve(buildCounterName('receivable', 'allocations'));
          const ids = { _id, id, reserveAllocation };
          const result = await writeCreditNote(unit, caller, input, { series, ids });
          return { id, status: 201, result };
        });
      return issueOnce(_id, issue);
    },
    (id) => getCreditNote(caller, id),
  );
}

/** Computes what `createCreditNote` would issue, with the same errors; writes nothing and allocates no number. */
export async function dryRunCreditNote(
  platform: Platform,
  caller: BusinessCaller,
  input: CreditNoteInput,
): Promise<CreditNoteRecord> {
  const series = await findCreditNoteSeries(caller, input);
  const ids = { _id: new Types.ObjectId(), id: 0, reserveAllocation: () => Promise.resolve(0) };
  return dryRunTransaction(platform, (unit) => writeCreditNote(unit, caller, input, { series, ids }));
}

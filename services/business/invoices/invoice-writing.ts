import type { Types } from 'mongoose';
import { getYear } from '../../../domain/business/calendar';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal, round, sum, ZERO } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import { emitEvents } from '../../platform/webhooks/events';
import type { DomainEvent } from '../../platform/webhooks/events';
import type { Claim } from '../../platform/transactions/idempotency';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { recordCountChanges } from '../documents/document-counts';
import { buildInvoiceContent, buildStockLines } from './invoice-content';
import { INVOICE_LIST } from './invoice-lists';
import { buildInvoiceEvent } from './invoice-status';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { computeContentHash } from './invoice-snapshot';
import { appendToSeries, computeChainHash, buildSeriesPosition } from '../documents/numbering';
import type { SeriesEnd, SeriesPosition } from '../documents/numbering';
import { applyPrepaid } from './prepaid';
import { postItems } from '../payments/open-items';
import type { NewOpenItem } from '../payments/open-items';
import { issueStocks } from '../stock/stock-movements';
import type { StockIssue } from '../stock/stock-movements';

/** The draft that an issued invoice replaces: the record keeps the draft's id. */
export interface DraftReplacement {
  id: number;
  /** Writes the record and returns it as written. */
  write: (unit: UnitOfWork, record: InvoiceRecord) => Promise<InvoiceRecord>;
}

/** An invoice to issue, with the data of its request. */
export interface InvoiceOrder {
  caller: BusinessCaller;
  input: InvoiceInput;
  prepared: PreparedInvoice;
  /** Chosen before the transaction: a retry after a commit of unknown outcome finds this id instead of issuing twice. */
  _id: Types.ObjectId;
  claim: Claim;
  /** Id of the request, for its audit row. */
  requestId: string | undefined;
  /** @default the invoice becomes a new record under the next id */
  replacement?: DraftReplacement;
}

/** An invoice with its number and hashes, whose id is not reserved yet. */
type ChainedInvoice = Omit<InvoiceRecord, 'id'>;

/** Builds the record of an invoice, without its id. */
function buildInvoiceRecord(
  { caller, prepared, _id }: InvoiceOrder,
  position: SeriesPosition,
  previousChainHash: string,
  now: Date,
): ChainedInvoice {
  const content = buildInvoiceContent(caller, prepared, position.number, now);
  const contentHash = computeContentHash(content.document);
  return {
    ...content,
    _id,
    organisationId: caller.organisationId,
    status: prepared.calculation.grandTotal.isZero() ? 'paid' : 'issued',
    year: position.year,
    sequence: position.sequence,
    number: position.number,
    issuedAt: now,
    contentHash,
    chainHash: computeChainHash(previousChainHash, position.number, contentHash),
    voidedOn: null,
    voidReason: null,
    issueAttempt: null,
    version: 1,
    createdBy: caller.id,
    createdAt: now,
  };
}

interface WrittenInvoice {
  order: InvoiceOrder;
  record: InvoiceRecord;
}

/** Inserts new records in one call; records that replace a draft are written one by one. */
async function writeRecords(unit: UnitOfWork, written: readonly WrittenInvoice[]): Promise<WrittenInvoice[]> {
  const inserts = written.filter(({ order }) => order.replacement === undefined).map(({ record }) => record);
  if (inserts.length > 0) await Invoice.insertMany(inserts, { session: unit.mongoSession, lean: true });
  const stored: WrittenInvoice[] = [];
  for (const { order, record } of written)
    stored.push({
      order,
      record: order.replacement === undefined ? record : await order.replacement.write(unit, record),
    });
  return stored;
}

/** Chains the invoices to the end of their series, in order. */
function chainInvoices(
  orders: readonly InvoiceOrder[],
  year: number,
  start: SeriesEnd,
  now: Date,
): { documents: { order: InvoiceOrder; record: ChainedInvoice }[]; chainHash: string } {
  let { chainHash } = start;
  const documents = orders.map((order, index) => {
    const position = buildSeriesPosition(order.prepared.series, year, start.sequence + index + 1);
    const record = buildInvoiceRecord(order, position, chainHash, now);
    ({ chainHash } = record);
    return { order, record };
  });
  return { documents, chainHash };
}

/** Allocates the numbers and writes the invoices, each chained to the previous one. */
async function numberAndInsert(
  unit: UnitOfWork,
  { caller, prepared: { series, issueDate } }: InvoiceOrder,
  orders: readonly InvoiceOrder[],
  now: Date,
): Promise<WrittenInvoice[]> {
  const { organisationId } = caller;
  const year = getYear(issueDate);
  const chained = await appendToSeries(unit, { caller, series, issueDate }, orders.length, (start) =>
    chainInvoices(orders, year, start, now),
  );
  const newIds = orders.filter(({ replacement }) => replacement === undefined).length;
  let nextId =
    newIds === 0 ? 0 : await reserveNumberInTransaction(unit.mongoSession, organisationId, 'invoices', newIds);
  const written = chained.map(({ order, record }) => ({
    order,
    record: { ...record, id: order.replacement?.id ?? nextId++ },
  }));
  return writeRecords(unit, written);
}

const buildStockIssue = ({ order: { caller, prepared }, record }: WrittenInvoice): StockIssue => ({
  posting: {
    organisationId: record.organisationId,
    kind: 'invoice',
    invoiceId: record.id,
    baseDecimals: getCurrencyDecimals(caller.company.baseCurrencyCode),
    at: record.issuedAt,
  },
  lines: buildStockLines(prepared),
  products: prepared.lines.flatMap(({ product }) => product ?? []),
});

/** What the deposits of an invoice deduct of its receivable, in base currency. */
function computeDeducted({ prepaid, calculation, base }: PreparedInvoice, baseDecimals: number): Decimal {
  const deposits = sum((prepaid?.deposits ?? []).map(({ total }) => new Decimal(total)));
  if (deposits.isZero()) return ZERO;
  return round(base.grandTotal.times(deposits).div(calculation.grandTotal), baseDecimals);
}

function buildReceivable({ order: { caller, prepared }, record }: WrittenInvoice): NewOpenItem {
  const { creditLimit } = prepared.customer;
  return {
    organisationId: record.organisationId,
    side: 'receivable',
    kind: 'invoice',
    id: record.id,
    number: record.number,
    partyId: record.customerId,
    partyName: prepared.customer.name,
    reference: prepared.reference,
    currencyCode: record.currencyCode,
    exchangeRate: prepared.exchangeRate,
    date: record.issueDate,
    dueDate: record.dueDate,
    amount: prepared.calculation.grandTotal,
    amountBase: prepared.base.grandTotal,
    creditLimit: creditLimit === null ? null : fromDecimal128(creditLimit),
    deducted: computeDeducted(prepared, getCurrencyDecimals(caller.company.baseCurrencyCode)),
    ...(prepared.isDeposit ? { isDeposit: true as const } : {}),
    at: record.issuedAt,
  };
}

const buildEvents = (type: 'invoice.issued' | 'invoice.paid', written: readonly WrittenInvoice[]): DomainEvent[] =>
  written.map(({ record }) => buildInvoiceEvent(type, record, { status: record.status, key: '', at: record.issuedAt }));

/** Writes the events and the audit rows. */
async function emitInvoicesIssued(
  unit: UnitOfWork,
  organisationId: string,
  written: readonly WrittenInvoice[],
): Promise<void> {
  const scope = { organisationId, mode: 'live' } as const;
  await emitEvents(unit, scope, 'invoice.issued', buildEvents('invoice.issued', written));
  // An invoice without an amount is paid when it is issued.
  const paid = written.filter(({ record }) => record.status === 'paid');
  if (paid.length > 0) await emitEvents(unit, scope, 'invoice.paid', buildEvents('invoice.paid', paid));
  const entries = written.map(({ order: { caller, requestId }, record }) => ({
    actor: caller.id,
    action: 'invoice.issued',
    subject: `invoice:${record.id}`,
    requestId,
  }));
  await unit.auditAll(scope, entries);
}

/**
 * Writes invoices of one organisation, base currency, series and day with all their effects. The first write of the
 * transaction allocates the numbers. Rows of each kind are written in one call for all invoices, so that ten together
 * cost little more than one.
 * @throws AppError if any invoice is rejected; none is issued then
 */
export async function writeInvoices(unit: UnitOfWork, orders: readonly InvoiceOrder[]): Promise<InvoiceRecord[]> {
  const [leading] = orders;
  if (leading === undefined) return [];
  const { organisationId } = leading.caller;
  const written = await numberAndInsert(unit, leading, orders, unit.platform.clock.now());
  await issueStocks(unit, organisationId, written.map(buildStockIssue));
  const items = await postItems(unit, written.map(buildReceivable));
  await recordCountChanges(
    unit,
    written.map(({ order: { prepared }, record: { status, issueDate: day } }) => {
      return { organisationId, list: INVOICE_LIST, status, day, count: 1, baseTotal: prepared.base.total };
    }),
  );
  await emitInvoicesIssued(unit, organisationId, written);
  for (const { order, record } of written) await order.claim(unit, String(record.id), 201);
  for (const [index, { order }] of written.entries()) {
    const { caller, prepared } = order;
    const item = items[index];
    if (prepared.prepaid !== null && item !== undefined) await applyPrepaid(unit, caller, item, prepared.prepaid);
  }
  return written.map(({ record }) => record);
}

import type { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord, LineWarehouse } from '../../../models/business/invoices/invoice';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import { emitEvents } from '../../platform/webhooks/events';
import type { DomainEvent } from '../../platform/webhooks/events';
import type { Claim } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { recordCountChanges } from '../documents/document-counts';
import { INVOICE_LIST } from './invoice-lists';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { computeContentHash, buildInvoiceSnapshot } from './invoice-snapshot';
import { allocateNumbers, computeChainHash, buildSeriesPosition, recordChainHash } from '../documents/numbering';
import type { SeriesPosition } from '../documents/numbering';
import { postItems } from '../payments/open-items';
import type { NewOpenItem } from '../payments/open-items';
import { issueStocks } from '../stock/stock-movements';
import type { StockIssue } from '../stock/stock-movements';
import type { StockLine } from '../stock/stock-balances';

/** Where an invoice comes to stand that was a draft: under the draft's id, in its place. */
export interface DraftReplacement {
  id: number;
  /** Writes the record and gives it as it was written. */
  write: (unit: UnitOfWork, record: InvoiceRecord) => Promise<InvoiceRecord>;
}

/** An invoice to be issued, with everything that its request brings. */
export interface InvoiceOrder {
  caller: BusinessCaller;
  input: InvoiceInput;
  prepared: PreparedInvoice;
  /** Chosen before the transaction: a retry after an unknown commit meets it instead of issuing twice. */
  _id: Types.ObjectId;
  claim: Claim;
  /** Of the request, for its audit row. */
  requestId: string | undefined;
  /** @default a record of its own under the next id */
  replacement?: DraftReplacement;
}

/** The goods of an invoice; services move none. */
export const buildStockLines = (prepared: PreparedInvoice): StockLine[] =>
  prepared.lines.flatMap((line, index) =>
    line.warehouse === null
      ? []
      : {
          lineId: index + 1,
          field: `lines[${index}].quantity`,
          productId: line.product.id,
          productCode: line.product.code,
          productName: line.product.name,
          warehouseId: line.warehouse.id,
          quantity: line.quantity,
        },
  );

export const listLineWarehouses = (prepared: PreparedInvoice): LineWarehouse[] =>
  prepared.lines.map((line, index) => ({ lineId: index + 1, warehouseId: line.warehouse?.id ?? null }));

/** Words that find an invoice; a draft has no number. */
export const buildInvoiceTokens = ({ customer, reference }: PreparedInvoice, number: string | null): string[] =>
  buildSearchTokens([number, customer.name, customer.code, customer.taxId, reference]);

function buildInvoiceRecord(
  { caller, prepared, _id }: InvoiceOrder,
  id: number,
  position: SeriesPosition,
  previousChainHash: string,
  now: Date,
): InvoiceRecord {
  const { calculation, base, customer } = prepared;
  const document = buildInvoiceSnapshot(caller.company, prepared, position.number, now);
  const contentHash = computeContentHash(document);
  return {
    _id,
    id,
    organisationId: caller.organisationId,
    status: calculation.grandTotal.isZero() ? 'paid' : 'issued',
    seriesId: prepared.series.id,
    year: position.year,
    sequence: position.sequence,
    number: position.number,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    issuedAt: now,
    customerId: customer.id,
    currencyCode: prepared.currencyCode,
    total: toDecimal128(calculation.total),
    taxTotal: toDecimal128(calculation.taxTotal),
    grandTotal: toDecimal128(calculation.grandTotal),
    baseTotal: toDecimal128(base.total),
    baseTaxTotal: toDecimal128(base.taxTotal),
    baseGrandTotal: toDecimal128(base.grandTotal),
    lineWarehouses: listLineWarehouses(prepared),
    document,
    contentHash,
    chainHash: computeChainHash(previousChainHash, position.number, contentHash),
    tokens: buildInvoiceTokens(prepared, position.number),
    voidedOn: null,
    voidReason: null,
    issueAttempt: null,
    version: 1,
    createdBy: caller.id,
    createdAt: now,
    updatedAt: now,
  };
}

interface WrittenInvoice {
  order: InvoiceOrder;
  record: InvoiceRecord;
}

/** Writes the records: those of their own at once, the others each in its place. */
async function writeRecords(unit: UnitOfWork, written: readonly WrittenInvoice[]): Promise<WrittenInvoice[]> {
  const own = written.filter(({ order }) => order.replacement === undefined).map(({ record }) => record);
  if (own.length > 0) await Invoice.insertMany(own, { session: unit.mongoSession, lean: true });
  const stored: WrittenInvoice[] = [];
  for (const { order, record } of written)
    stored.push({
      order,
      record: order.replacement === undefined ? record : await order.replacement.write(unit, record),
    });
  return stored;
}

/** Numbers the invoices and writes them, each linked to the one before. */
async function numberAndInsert(
  unit: UnitOfWork,
  { caller, prepared: { series, issueDate } }: InvoiceOrder,
  orders: readonly InvoiceOrder[],
  now: Date,
): Promise<WrittenInvoice[]> {
  const { organisationId } = caller;
  const { length } = orders;
  const { year, first, previousChainHash } = await allocateNumbers(unit, caller, series, issueDate, length);
  const fresh = orders.filter(({ replacement: place }) => place === undefined).length;
  let nextId = fresh === 0 ? 0 : await reserveNumberInTransaction(unit.mongoSession, organisationId, 'invoices', fresh);
  let chainHash = previousChainHash;
  const written = orders.map((order, index) => {
    const id = order.replacement?.id ?? nextId++;
    const record = buildInvoiceRecord(order, id, buildSeriesPosition(series, year, first + index), chainHash, now);
    ({ chainHash } = record);
    return { order, record };
  });
  const stored = await writeRecords(unit, written);
  await recordChainHash(unit, organisationId, series.id, year, chainHash);
  return stored;
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
});

function buildReceivable({ order: { prepared }, record }: WrittenInvoice): NewOpenItem {
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
    at: record.issuedAt,
  };
}

const buildIssuedEvent = ({ order, record }: WrittenInvoice): DomainEvent => ({
  type: 'invoice.issued',
  data: {
    invoiceId: record.id,
    number: record.number,
    status: record.status,
    customerId: record.customerId,
    issueDate: record.issueDate,
    currencyCode: record.currencyCode,
    grandTotal: fromDecimal128(record.grandTotal).toNumber(),
  },
  key: `invoice.issued:${record._id.toHexString()}`,
  subjectId: record._id.toHexString(),
  at: record.issuedAt,
  requestId: order.requestId,
});

/** The events and the audit rows. */
async function emitInvoicesIssued(
  unit: UnitOfWork,
  organisationId: string,
  written: readonly WrittenInvoice[],
): Promise<void> {
  const scope = { organisationId, mode: 'live' } as const;
  await emitEvents(unit, scope, 'invoice.issued', written.map(buildIssuedEvent));
  const entries = written.map(({ order: { caller, requestId }, record }) => ({
    actor: caller.id,
    action: 'invoice.issued',
    subject: `invoice:${record.id}`,
    requestId,
  }));
  await unit.auditAll(scope, entries);
}

/**
 * Writes everything that invoices of one organisation, base currency, series and day mean, in one transaction whose first write takes
 * their numbers. Each kind of row is written once for all of them, so that ten together cost little more than one.
 * @throws AppError when any of them is refused; none is issued then
 */
export async function writeInvoices(
  platform: Platform,
  unit: UnitOfWork,
  orders: readonly InvoiceOrder[],
): Promise<InvoiceRecord[]> {
  const [leading] = orders;
  if (leading === undefined) return [];
  const { organisationId } = leading.caller;
  const written = await numberAndInsert(unit, leading, orders, platform.clock.now());
  await issueStocks(unit, organisationId, written.map(buildStockIssue));
  await postItems(unit, written.map(buildReceivable));
  await recordCountChanges(
    unit,
    written.map(({ order: { prepared }, record: { status, issueDate: day } }) => {
      return { organisationId, list: INVOICE_LIST, status, day, count: 1, baseTotal: prepared.base.total };
    }),
  );
  await emitInvoicesIssued(unit, organisationId, written);
  for (const { order, record } of written) await order.claim(unit, String(record.id), 201);
  return written.map(({ record }) => record);
}

import type { Types } from 'mongoose';
import { currencyDecimals } from '../../../domain/business/currencies';
import { searchTokens } from '../../../domain/business/search-tokens';
import { fromStored, toStored } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord, LineWarehouse } from '../../../models/business/invoices/invoice';
import { nextNumberWithin } from '../../platform/transactions/counters';
import { emitEvents } from '../../platform/webhooks/events';
import type { DomainEvent } from '../../platform/webhooks/events';
import type { Claim } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { noteCounts } from '../documents/document-counts';
import { INVOICE_LIST } from './invoice-lists';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { contentHashOf, snapshotOf } from './invoice-snapshot';
import { allocateNumbers, chainHashOf, placeOf, recordChainHash } from '../documents/numbering';
import type { DocumentPlace } from '../documents/numbering';
import { postItems } from '../payments/open-items';
import type { NewItem } from '../payments/open-items';
import { issueStocks } from '../stock/stock-movements';
import type { StockIssue } from '../stock/stock-movements';
import type { StockLine } from '../stock/stock-balances';

/** Where an invoice comes to stand that was a draft: under the draft's id, in its place. */
export interface InvoicePlace {
  id: number;
  /** Writes the record and gives it as it was written. */
  put: (unit: UnitOfWork, record: InvoiceRecord) => Promise<InvoiceRecord>;
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
  place?: InvoicePlace;
}

/** The goods of an invoice; services move none. */
export const stockLines = (prepared: PreparedInvoice): StockLine[] =>
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

export const lineWarehousesOf = (prepared: PreparedInvoice): LineWarehouse[] =>
  prepared.lines.map((line, index) => ({ lineId: index + 1, warehouseId: line.warehouse?.id ?? null }));

/** Words that find an invoice; a draft has no number. */
export const tokensOf = ({ customer, reference }: PreparedInvoice, number: string | null): string[] =>
  searchTokens([number, customer.name, customer.code, customer.taxId, reference]);

function recordOf(
  { caller, prepared, _id }: InvoiceOrder,
  id: number,
  place: DocumentPlace,
  previousChainHash: string,
  now: Date,
): InvoiceRecord {
  const { calculation, base, customer } = prepared;
  const document = snapshotOf(caller.company, prepared, place.number, now);
  const contentHash = contentHashOf(document);
  return {
    _id,
    id,
    organisationId: caller.organisationId,
    status: calculation.grandTotal.isZero() ? 'paid' : 'issued',
    seriesId: prepared.series.id,
    year: place.year,
    sequence: place.sequence,
    number: place.number,
    issueDate: prepared.issueDate,
    dueDate: prepared.dueDate,
    issuedAt: now,
    customerId: customer.id,
    currencyCode: prepared.currencyCode,
    total: toStored(calculation.total),
    taxTotal: toStored(calculation.taxTotal),
    grandTotal: toStored(calculation.grandTotal),
    baseTotal: toStored(base.total),
    baseTaxTotal: toStored(base.taxTotal),
    baseGrandTotal: toStored(base.grandTotal),
    lineWarehouses: lineWarehousesOf(prepared),
    document,
    contentHash,
    chainHash: chainHashOf(previousChainHash, place.number, contentHash),
    tokens: tokensOf(prepared, place.number),
    voidedOn: null,
    voidReason: null,
    issueAttempt: null,
    version: 1,
    createdBy: caller.id,
    createdAt: now,
    updatedAt: now,
  };
}

interface Written {
  order: InvoiceOrder;
  record: InvoiceRecord;
}

/** Writes the records: those of their own at once, the others each in its place. */
async function putRecords(unit: UnitOfWork, written: readonly Written[]): Promise<Written[]> {
  const own = written.filter(({ order }) => order.place === undefined).map(({ record }) => record);
  if (own.length > 0) await Invoice.insertMany(own, { session: unit.session, lean: true });
  const standing: Written[] = [];
  for (const { order, record } of written)
    standing.push({ order, record: order.place === undefined ? record : await order.place.put(unit, record) });
  return standing;
}

/** Numbers the invoices and writes them, each linked to the one before. */
async function numberAndInsert(
  unit: UnitOfWork,
  { caller, prepared: { series, issueDate } }: InvoiceOrder,
  orders: readonly InvoiceOrder[],
  now: Date,
): Promise<Written[]> {
  const { organisationId } = caller;
  const { length } = orders;
  const { year, first, previousChainHash } = await allocateNumbers(unit, caller, series, issueDate, length);
  const fresh = orders.filter(({ place }) => place === undefined).length;
  let nextId = fresh === 0 ? 0 : await nextNumberWithin(unit.session, organisationId, 'invoices', fresh);
  let chainHash = previousChainHash;
  const written = orders.map((order, index) => {
    const id = order.place?.id ?? nextId++;
    const record = recordOf(order, id, placeOf(series, year, first + index), chainHash, now);
    ({ chainHash } = record);
    return { order, record };
  });
  const standing = await putRecords(unit, written);
  await recordChainHash(unit, organisationId, series.id, year, chainHash);
  return standing;
}

const stockIssueOf = ({ order: { caller, prepared }, record }: Written): StockIssue => ({
  posting: {
    organisationId: record.organisationId,
    kind: 'invoice',
    invoiceId: record.id,
    baseDecimals: currencyDecimals(caller.company.baseCurrencyCode),
    at: record.issuedAt,
  },
  lines: stockLines(prepared),
});

function receivableOf({ order: { prepared }, record }: Written): NewItem {
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
    creditLimit: creditLimit === null ? null : fromStored(creditLimit),
    at: record.issuedAt,
  };
}

const eventOf = ({ order, record }: Written): DomainEvent => ({
  type: 'invoice.issued',
  data: {
    invoiceId: record.id,
    number: record.number,
    status: record.status,
    customerId: record.customerId,
    issueDate: record.issueDate,
    currencyCode: record.currencyCode,
    grandTotal: fromStored(record.grandTotal).toNumber(),
  },
  key: `invoice.issued:${record._id.toHexString()}`,
  subjectId: record._id.toHexString(),
  at: record.issuedAt,
  requestId: order.requestId,
});

/** The events and the audit rows. */
async function tell(unit: UnitOfWork, organisationId: string, written: readonly Written[]): Promise<void> {
  const scope = { organisationId, mode: 'live' } as const;
  await emitEvents(unit, scope, 'invoice.issued', written.map(eventOf));
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
  await issueStocks(unit, organisationId, written.map(stockIssueOf));
  await postItems(unit, written.map(receivableOf));
  await noteCounts(
    unit,
    written.map(({ order: { prepared }, record: { status, issueDate: day } }) => {
      return { organisationId, list: INVOICE_LIST, status, day, count: 1, baseTotal: prepared.base.total };
    }),
  );
  await tell(unit, organisationId, written);
  for (const { order, record } of written) await order.claim(unit, String(record.id), 201);
  return written.map(({ record }) => record);
}

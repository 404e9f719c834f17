import { Types } from 'mongoose';
import { calendarDateAt } from '../../domain/business/calendar';
import { currencyDecimals } from '../../domain/business/currencies';
import { searchTokens } from '../../domain/business/search-tokens';
import { AppError } from '../../domain/errors';
import { isDuplicateKey } from '../../lib/mongo';
import { fromStored, toStored } from '../../models/business/decimal128';
import { Invoice } from '../../models/business/invoice';
import type { InvoiceRecord, LineWarehouse } from '../../models/business/invoice';
import { nextNumber } from '../platform/counters';
import { emitEvent } from '../platform/events';
import { idempotently } from '../platform/idempotency';
import type { Claim, IdempotentUse } from '../platform/idempotency';
import type { Platform } from '../platform/platform';
import { transact } from '../platform/unit-of-work';
import type { UnitOfWork } from '../platform/unit-of-work';
import type { BusinessCaller } from './caller';
import { foldCounts, noteCount } from './document-counts';
import { refuseUnfitInvoice } from './einvoices';
import { getInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput, PreparedInvoice } from './invoice-preparation';
import { contentHashOf, snapshotOf } from './invoice-snapshot';
import { allocateNumber, chainHashOf, recordChainHash } from './numbering';
import { postItem } from './open-items';
import { inPostingTurn, TURN_DEADLINE_MS } from './posting-queue';
import { findShortages, insufficientStock, issueStock } from './stock';
import type { StockLine } from './stock';

/** Every so many documents of a series the list's count rows are folded. */
const FOLD_EVERY = 500;

const stockLines = (prepared: PreparedInvoice): StockLine[] =>
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

const lineWarehousesOf = (prepared: PreparedInvoice): LineWarehouse[] =>
  prepared.lines.map((line, index) => ({ lineId: index + 1, warehouseId: line.warehouse?.id ?? null }));

interface Identity {
  _id: Types.ObjectId;
  id: number;
}

function recordOf(
  caller: BusinessCaller,
  prepared: PreparedInvoice,
  identity: Identity,
  place: { year: number; sequence: number; number: string; previousChainHash: string },
  now: Date,
): InvoiceRecord {
  const { calculation, base, customer } = prepared;
  const document = snapshotOf(caller.company, prepared, place.number, now);
  const contentHash = contentHashOf(document);
  return {
    ...identity,
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
    chainHash: chainHashOf(place.previousChainHash, place.number, contentHash),
    tokens: searchTokens([place.number, customer.name, customer.code, customer.taxId, prepared.reference]),
    voidedOn: null,
    voidReason: null,
    version: 1,
    createdBy: caller.id,
    createdAt: now,
    updatedAt: now,
  };
}

/** Writes everything an invoice means, in one transaction whose first write takes the number. */
async function writeInvoice(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  prepared: PreparedInvoice,
  identity: Identity,
): Promise<InvoiceRecord> {
  const { organisationId, company } = caller;
  const place = await allocateNumber(unit, organisationId, prepared.series, prepared.issueDate);
  const now = platform.clock.now();
  const record = recordOf(caller, prepared, identity, place, now);
  await Invoice.create([record], { session: unit.session });
  await recordChainHash(unit, organisationId, record.seriesId, record.year, record.chainHash);
  const baseDecimals = currencyDecimals(company.baseCurrencyCode);
  const posting = { organisationId, kind: 'invoice', invoiceId: record.id, baseDecimals, at: now } as const;
  await issueStock(unit, posting, stockLines(prepared));
  const { creditLimit } = prepared.customer;
  await postItem(unit, {
    organisationId,
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
    at: now,
  });
  const counted = { organisationId, list: INVOICE_LIST, status: record.status, day: record.issueDate };
  await noteCount(unit, { ...counted, count: 1, baseTotal: prepared.base.total });
  await tell(unit, caller, record);
  return record;
}

/** The event and the audit row. */
async function tell(unit: UnitOfWork, caller: BusinessCaller, record: InvoiceRecord): Promise<void> {
  const scope = { organisationId: caller.organisationId, mode: 'live' } as const;
  const subjectId = record._id.toHexString();
  await emitEvent(unit, scope, {
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
    key: `invoice.issued:${subjectId}`,
    subjectId,
    at: record.issuedAt,
  });
  await unit.audit(scope, { actor: caller.id, action: 'invoice.issued', subject: `invoice:${record.id}` });
}

/** Issues under an identity chosen before: meeting it again means that an earlier commit did take effect. */
async function issueOnce(
  platform: Platform,
  caller: BusinessCaller,
  prepared: PreparedInvoice,
  identity: Identity,
  claim: Claim,
): Promise<InvoiceRecord> {
  try {
    return await transact(platform, async (unit) => {
      const record = await writeInvoice(platform, unit, caller, prepared, identity);
      await claim(unit, String(record.id), 201);
      return record;
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    const existing = await Invoice.findById(identity._id).lean<InvoiceRecord>();
    if (existing === null) throw error;
    return existing;
  }
}

const isLateDate = (error: unknown): boolean => error instanceof AppError && error.code === 'issue_date_before_latest';

/** Issues what was prepared; a default date that midnight overtook meanwhile is taken again once. */
async function issuePrepared(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
  prepared: PreparedInvoice,
  identity: Identity,
  claim: Claim,
): Promise<InvoiceRecord> {
  try {
    return await issueOnce(platform, caller, prepared, identity, claim);
  } catch (error) {
    const now = platform.clock.now();
    const overtaken = calendarDateAt(now, caller.company.timeZone) !== prepared.issueDate;
    if (!isLateDate(error) || input.issueDate !== undefined || !overtaken) throw error;
    return issueOnce(platform, caller, await prepareInvoice(caller, input, now), identity, claim);
  }
}

function foldNowAndThen(platform: Platform, record: InvoiceRecord): void {
  if (record.sequence % FOLD_EVERY !== 0) return;
  foldCounts(record.organisationId, INVOICE_LIST).catch((error: unknown) => {
    platform.logger.warn({ err: error }, 'Count rows were not folded; the next fold takes them too');
  });
}

/**
 * Issues an invoice: number, tax, stock, receivable, count, event, audit and idempotency rows in one transaction.
 * @throws AppError 400 naming every wrong field, or `einvoice_invalid` naming every broken rule; 409 `insufficient_stock`, `credit_limit_exceeded`, `period_locked`,
 * `issue_date_before_latest`, `series_year_closed`; 503 when its turn does not come within 30 s.
 */
export async function createInvoice(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
  use: IdempotentUse | undefined,
): Promise<InvoiceRecord> {
  const deadline = Date.now() + TURN_DEADLINE_MS;
  return idempotently(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(caller, input, now);
      refuseUnfitInvoice(caller.company, prepared, now);
      const identity = { _id: new Types.ObjectId(), id: await nextNumber(caller.organisationId, 'invoices') };
      const record = await inPostingTurn(caller.organisationId, deadline, () =>
        issuePrepared(platform, caller, input, prepared, identity, claim),
      );
      foldNowAndThen(platform, record);
      return record;
    },
    (recordId) => getInvoice(caller, Number(recordId)),
  );
}

/**
 * Works an invoice out as `createInvoice` would, with the same refusals for wrong fields and missing stock. Writes
 * nothing and takes no number.
 */
export async function trialInvoice(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> {
  const now = platform.clock.now();
  const prepared = await prepareInvoice(caller, input, now);
  refuseUnfitInvoice(caller.company, prepared, now);
  const shortages = await findShortages(caller.organisationId, stockLines(prepared));
  if (shortages.length > 0) throw insufficientStock(shortages);
  return { document: snapshotOf(caller.company, prepared, '', now), lineWarehouses: lineWarehousesOf(prepared) };
}

import { Types } from 'mongoose';
import { getLogContext } from '../../../lib/context';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { compactCountsPeriodically } from '../documents/document-counts';
import { rejectUnissuableInvoice } from '../documents/completeness';
import { InvoiceBatcher } from './invoice-batcher';
import { getIssuedInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput } from './invoice-preparation';
import { buildInvoiceSnapshot } from './invoice-snapshot';
import { buildStockLines, listLineWarehouses } from './invoice-content';
import { FIRST_VERSION } from '../payments/open-items';
import type { Outstanding } from '../payments/open-items';
import { POSTING_LOCK_TIMEOUT_MS } from '../documents/posting-lock';
import { findShortages } from '../stock/stock-balances';
import { insufficientStockError } from '../stock/stock-shortages';

/** An issued invoice; its outstanding amount is known without reading it if this request has just issued it. */
export interface CreatedInvoice {
  record: InvoiceRecord;
  outstanding?: Outstanding;
}

/**
 * Issues an invoice: number, tax, stock, receivable, count, event, audit and idempotency rows in one transaction.
 * @throws AppError 400 naming every invalid field, `document_incomplete` or `einvoice_invalid` naming every violated rule; 409 `insufficient_stock`,
 * `credit_limit_exceeded`, `period_locked`, `issue_date_before_latest`, `series_year_closed`; 503 `busy` when the posting lock is not acquired within 30 s.
 */
export async function createInvoice(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
  use: IdempotentUse | undefined,
): Promise<CreatedInvoice> {
  const deadlineMs = Date.now() + POSTING_LOCK_TIMEOUT_MS;
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(platform, caller, input, now);
      rejectUnissuableInvoice(caller.company, prepared, now);
      const { requestId } = getLogContext();
      const order = { caller, input, prepared, _id: new Types.ObjectId(), claim, requestId };
      const record = await platform.singletons.get(InvoiceBatcher).issue(platform, order, deadlineMs);
      compactCountsPeriodically(platform, caller.organisationId, INVOICE_LIST, record.sequence);
      // What was paid before has changed status and open amount.
      if (prepared.prepaid !== null) return { record: await getIssuedInvoice(caller, record.id) };
      return { record, outstanding: { open: fromDecimal128(record.grandTotal), version: FIRST_VERSION } };
    },
    async (recordId) => ({ record: await getIssuedInvoice(caller, Number(recordId)) }),
  );
}

/**
 * Computes the invoice that `createInvoice` would issue, with the same errors for invalid fields and missing stock.
 * Writes nothing and allocates no number.
 */
export async function dryRunInvoice(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> {
  const now = platform.clock.now();
  const prepared = await prepareInvoice(platform, caller, input, now);
  rejectUnissuableInvoice(caller.company, prepared, now);
  const shortages = await findShortages(caller.organisationId, buildStockLines(prepared));
  if (shortages.length > 0) throw insufficientStockError(shortages);
  return {
    document: buildInvoiceSnapshot(caller.company, prepared, '', now),
    lineWarehouses: listLineWarehouses(prepared),
  };
}

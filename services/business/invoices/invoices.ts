import { Types } from 'mongoose';
import { getLogContext } from '../../../lib/context';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { compactCounts } from '../documents/document-counts';
import { rejectNoncompliantInvoice } from '../documents/einvoices';
import { issueWithPostingLock } from './invoice-issuing';
import { getIssuedInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput } from './invoice-preparation';
import { buildInvoiceSnapshot } from './invoice-snapshot';
import { listLineWarehouses, buildStockLines } from './invoice-writing';
import { FIRST_VERSION } from '../payments/open-items';
import type { Outstanding } from '../payments/open-items';
import { POSTING_LOCK_TIMEOUT_MS } from '../documents/posting-queue';
import { findShortages } from '../stock/stock-balances';
import { insufficientStockError } from '../stock/stock-shortages';

/** Every so many documents of a series the list's count rows are folded. */
const COMPACTION_INTERVAL_DOCUMENTS = 500;

/** Folds the list's count rows at every so many documents. */
export function compactCountsPeriodically(platform: Platform, organisationId: string, count: number): void {
  if (count % COMPACTION_INTERVAL_DOCUMENTS !== 0) return;
  compactCounts(organisationId, INVOICE_LIST).catch((error: unknown) => {
    platform.logger.warn({ err: error }, 'Count rows were not folded; the next fold takes them too');
  });
}

/** An invoice and, where this request has just issued it, what is open of it: all. */
export interface CreatedInvoice {
  record: InvoiceRecord;
  outstanding?: Outstanding;
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
): Promise<CreatedInvoice> {
  const deadline = Date.now() + POSTING_LOCK_TIMEOUT_MS;
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(caller, input, now);
      rejectNoncompliantInvoice(caller.company, prepared, now);
      const { requestId } = getLogContext();
      const order = { caller, input, prepared, _id: new Types.ObjectId(), claim, requestId };
      const record = await issueWithPostingLock(platform, order, deadline);
      compactCountsPeriodically(platform, caller.organisationId, record.sequence);
      return { record, outstanding: { open: fromDecimal128(record.grandTotal), version: FIRST_VERSION } };
    },
    async (recordId) => ({ record: await getIssuedInvoice(caller, Number(recordId)) }),
  );
}

/**
 * Works an invoice out as `createInvoice` would, with the same refusals for wrong fields and missing stock. Writes
 * nothing and takes no number.
 */
export async function dryRunInvoice(
  platform: Platform,
  caller: BusinessCaller,
  input: InvoiceInput,
): Promise<Pick<InvoiceRecord, 'document' | 'lineWarehouses'>> {
  const now = platform.clock.now();
  const prepared = await prepareInvoice(caller, input, now);
  rejectNoncompliantInvoice(caller.company, prepared, now);
  const shortages = await findShortages(caller.organisationId, buildStockLines(prepared));
  if (shortages.length > 0) throw insufficientStockError(shortages);
  return {
    document: buildInvoiceSnapshot(caller.company, prepared, '', now),
    lineWarehouses: listLineWarehouses(prepared),
  };
}

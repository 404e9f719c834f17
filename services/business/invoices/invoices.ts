import { Types } from 'mongoose';
import { currentContext } from '../../../lib/context';
import { fromStored } from '../../../models/business/decimal128';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { foldCounts } from '../documents/document-counts';
import { refuseUnfitInvoice } from '../documents/einvoices';
import { issueInTurn } from './invoice-issuing';
import { getIssuedInvoice, INVOICE_LIST } from './invoice-lists';
import { prepareInvoice } from './invoice-preparation';
import type { InvoiceInput } from './invoice-preparation';
import { snapshotOf } from './invoice-snapshot';
import { lineWarehousesOf, stockLines } from './invoice-writing';
import { FIRST_VERSION } from '../payments/open-items';
import type { Outstanding } from '../payments/open-items';
import { TURN_DEADLINE_MS } from '../documents/posting-queue';
import { findShortages } from '../stock/stock-balances';
import { insufficientStock } from '../stock/stock-shortages';

/** Every so many documents of a series the list's count rows are folded. */
const FOLD_EVERY = 500;

/** Folds the list's count rows at every so many documents. */
export function foldNowAndThen(platform: Platform, organisationId: string, count: number): void {
  if (count % FOLD_EVERY !== 0) return;
  foldCounts(organisationId, INVOICE_LIST).catch((error: unknown) => {
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
  const deadline = Date.now() + TURN_DEADLINE_MS;
  return idempotently(
    platform,
    use,
    async (claim) => {
      const now = platform.clock.now();
      const prepared = await prepareInvoice(caller, input, now);
      refuseUnfitInvoice(caller.company, prepared, now);
      const { requestId } = currentContext();
      const order = { caller, input, prepared, _id: new Types.ObjectId(), claim, requestId };
      const record = await issueInTurn(platform, order, deadline);
      foldNowAndThen(platform, caller.organisationId, record.sequence);
      return { record, outstanding: { open: fromStored(record.grandTotal), version: FIRST_VERSION } };
    },
    async (recordId) => ({ record: await getIssuedInvoice(caller, Number(recordId)) }),
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

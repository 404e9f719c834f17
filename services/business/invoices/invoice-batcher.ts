import { AppError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { busyError, PostingLocks } from '../documents/posting-lock';
import { getCompanyToday } from '../settings/company';
import { prepareInvoice } from './invoice-preparation';
import { writeInvoices } from './invoice-writing';
import type { InvoiceOrder } from './invoice-writing';

/** Maximum number of invoices in one transaction: enough to share its cost, few enough to hold the lock briefly. */
const MAX_BATCH_SIZE = 16;
/** Maximum number of lines in one transaction, unless a single invoice has more. */
const MAX_BATCH_LINES = 200;

interface WaitingOrder {
  order: InvoiceOrder;
  /** Epoch milliseconds. */
  deadlineMs: number;
  settle: (outcome: Promise<InvoiceRecord>) => void;
}

/**
 * Whether issuing failed because midnight passed meanwhile: the issue date defaulted to the day that was then today,
 * and another process has issued the first invoice of the new day.
 * @param defaultedDate null if the client named the issue date
 */
export const wasOvertakenByMidnight = (
  platform: Platform,
  caller: BusinessCaller,
  defaultedDate: string | null,
  error: unknown,
): boolean =>
  error instanceof AppError &&
  error.code === 'issue_date_before_latest' &&
  defaultedDate !== null &&
  getCompanyToday(platform, caller) !== defaultedDate;

/** The invoice of an order whose earlier transaction was committed although its acknowledgement was lost; null if none was. */
const findIssued = ({ caller: { organisationId }, _id }: InvoiceOrder): Promise<InvoiceRecord | null> =>
  Invoice.findOne({ organisationId, _id }).lean<InvoiceRecord>();

/** @throws AppError 503 `busy` if no earlier transaction has issued the invoice */
async function requireIssued(order: InvoiceOrder): Promise<InvoiceRecord> {
  const existing = await findIssued(order);
  if (existing === null) throw busyError();
  return existing;
}

/** Issues an invoice in its own transaction. */
async function issueSingly(platform: Platform, order: InvoiceOrder): Promise<InvoiceRecord> {
  try {
    const [record] = await runTransaction(platform, (unit) => writeInvoices(unit, [order]));
    if (record === undefined) throw new Error('an invoice was issued without its record');
    return record;
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    const existing = await findIssued(order);
    if (existing === null) throw error;
    return existing;
  }
}

async function issueSinglyOrRedate(platform: Platform, order: InvoiceOrder): Promise<InvoiceRecord> {
  const { caller, input, prepared } = order;
  try {
    return await issueSingly(platform, order);
  } catch (error) {
    const defaultedDate = input.issueDate === undefined ? prepared.issueDate : null;
    if (!wasOvertakenByMidnight(platform, caller, defaultedDate, error)) throw error;
    return issueSingly(platform, {
      ...order,
      prepared: await prepareInvoice(platform, caller, input, platform.clock.now()),
    });
  }
}

/** Orders can share a transaction if they have the same series, day and base currency. */
const buildBatchKey = ({ order: { caller, prepared } }: WaitingOrder): string =>
  [prepared.series.id, prepared.issueDate, caller.company.baseCurrencyCode].join('/');

/**
 * Issues the invoices of an organisation one batch at a time under its posting lock. Orders that wait for the lock at
 * the same time share a transaction. One instance per platform: `platform.singletons.get(InvoiceBatcher)`.
 */
export class InvoiceBatcher {
  /** Waiting orders by organisation, oldest first. */
  private readonly queues = new Map<string, WaitingOrder[]>();

  /**
   * Issues an invoice, together with others of its organisation that wait for the posting lock.
   * @throws AppError the reason why this invoice is rejected; 503 `busy` if the lock is acquired only after the deadline
   */
  issue(platform: Platform, order: InvoiceOrder, deadlineMs: number): Promise<InvoiceRecord> {
    const { organisationId } = order.caller;
    return new Promise<InvoiceRecord>((resolve, reject) => {
      const settle = (outcome: Promise<InvoiceRecord>): void => void outcome.then(resolve, reject);
      this.queues.set(organisationId, [...(this.queues.get(organisationId) ?? []), { order, deadlineMs, settle }]);
      // The lock is acquired once per order. If an earlier batch included this order, its own run may find none waiting.
      const locks = platform.singletons.get(PostingLocks);
      locks.run(organisationId, () => this.issueNextBatch(platform, organisationId)).catch(reject);
    });
  }

  /** Issues the next batch; orders past their deadline are rejected without delaying the others. */
  private async issueNextBatch(platform: Platform, organisationId: string): Promise<void> {
    const batch = this.takeBatch(organisationId).filter(({ deadlineMs, settle }) => {
      if (Date.now() < deadlineMs) return true;
      settle(Promise.reject(busyError()));
      return false;
    });
    if (batch.length > 1 && (await this.issueTogether(platform, batch))) return;
    for (const { order, deadlineMs, settle } of batch) {
      // The shared transaction may have failed in a long outage, after which the client of the order no longer waits.
      const isLate = Date.now() >= deadlineMs;
      const outcome = isLate ? requireIssued(order) : issueSinglyOrRedate(platform, order);
      settle(outcome);
      if (!isLate) await outcome.catch(() => undefined);
    }
  }

  /** Removes the oldest waiting order from the queue, and with it those that can share its transaction. */
  private takeBatch(organisationId: string): WaitingOrder[] {
    const batch: WaitingOrder[] = [];
    const remaining: WaitingOrder[] = [];
    let lines = 0;
    for (const waiting of this.queues.get(organisationId) ?? []) {
      const [first = waiting] = batch;
      const count = waiting.order.prepared.lines.length;
      const fits = batch.length === 0 || (batch.length < MAX_BATCH_SIZE && lines + count <= MAX_BATCH_LINES);
      if (fits && buildBatchKey(waiting) === buildBatchKey(first)) {
        batch.push(waiting);
        lines += count;
      } else remaining.push(waiting);
    }
    if (remaining.length > 0) this.queues.set(organisationId, remaining);
    else this.queues.delete(organisationId);
    return batch;
  }

  /**
   * Issues a batch in one transaction.
   * @returns false if it failed for any reason, such as the rejection of one order or a lost acknowledgement of the
   * commit. Each order is then issued singly, so that it gets its own result, unless its deadline has passed.
   */
  private async issueTogether(platform: Platform, batch: readonly WaitingOrder[]): Promise<boolean> {
    const orders = batch.map(({ order }) => order);
    const records = await runTransaction(platform, (unit) => writeInvoices(unit, orders)).catch(() => null);
    records?.forEach((record, index) => batch[index]?.settle(Promise.resolve(record)));
    return records !== null;
  }
}

import { AppError } from '../../../domain/errors';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';
import { prepareInvoice } from './invoice-preparation';
import { writeInvoices } from './invoice-writing';
import type { InvoiceOrder } from './invoice-writing';
import { withPostingLock, busyError } from '../documents/posting-queue';

/** Invoices issued in one transaction at most: enough to share its cost, few enough to keep the turn short. */
const MAX_GROUP_SIZE = 16;
/** Lines of one transaction at most, unless a single invoice has more. */
const MAX_GROUP_LINES = 200;

interface QueuedInvoice {
  order: InvoiceOrder;
  deadline: number;
  settle: (outcome: Promise<InvoiceRecord>) => void;
}

/** Invoices of each organisation that wait for its turn. */
const queues = new Map<string, QueuedInvoice[]>();

/** Issues in a transaction of its own; an order met again was issued by a commit whose answer was lost. */
async function issueOnce(platform: Platform, order: InvoiceOrder): Promise<InvoiceRecord> {
  try {
    const [record] = await runTransaction(platform, (unit) => writeInvoices(platform, unit, [order]));
    if (record === undefined) throw new Error('an invoice was issued without its record');
    return record;
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    const existing = await Invoice.findById(order._id).lean<InvoiceRecord>();
    if (existing === null) throw error;
    return existing;
  }
}

const isBeforeLatestDate = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'issue_date_before_latest';

/**
 * Issues, and once more when midnight overtook the day that was taken for today: another process may have issued the
 * first invoice of the new day meanwhile.
 * @param day null where the date was given
 */
export async function retryAcrossMidnight(
  platform: Platform,
  caller: BusinessCaller,
  day: string | null,
  issue: () => Promise<InvoiceRecord>,
  retry: () => Promise<InvoiceRecord>,
): Promise<InvoiceRecord> {
  try {
    return await issue();
  } catch (error) {
    if (day === null || !isBeforeLatestDate(error) || getCompanyToday(platform, caller) === day) throw error;
    return retry();
  }
}

const issueAlone = (platform: Platform, order: InvoiceOrder): Promise<InvoiceRecord> => {
  const { caller, input, prepared } = order;
  return retryAcrossMidnight(
    platform,
    caller,
    input.issueDate === undefined ? prepared.issueDate : null,
    () => issueOnce(platform, order),
    async () => issueOnce(platform, { ...order, prepared: await prepareInvoice(caller, input, platform.clock.now()) }),
  );
};

/**
 * Issues a group in one transaction. Whatever goes wrong with it, a refusal of one of them or a commit whose answer was
 * lost, each is then issued by itself and gets the answer that is its own.
 */
async function issueGroup(platform: Platform, group: readonly QueuedInvoice[]): Promise<void> {
  const orders = group.map(({ order }) => order);
  if (orders.length > 1) {
    const records = await runTransaction(platform, (unit) => writeInvoices(platform, unit, orders)).catch(() => null);
    if (records !== null) {
      records.forEach((record, index) => group[index]?.settle(Promise.resolve(record)));
      return;
    }
  }
  for (const { order, settle } of group) {
    const outcome = issueAlone(platform, order);
    settle(outcome);
    await outcome.catch(() => undefined);
  }
}

const buildGroupKey = ({ order: { caller, prepared } }: QueuedInvoice): string =>
  [prepared.series.id, prepared.issueDate, caller.company.baseCurrencyCode].join('/');

/** Takes the first that waits, and with it others of its series and day. */
function takeGroup(organisationId: string): QueuedInvoice[] {
  const group: QueuedInvoice[] = [];
  const left: QueuedInvoice[] = [];
  let lines = 0;
  for (const each of queues.get(organisationId) ?? []) {
    const [first = each] = group;
    const count = each.order.prepared.lines.length;
    const fits = group.length === 0 || (group.length < MAX_GROUP_SIZE && lines + count <= MAX_GROUP_LINES);
    if (fits && buildGroupKey(each) === buildGroupKey(first)) {
      group.push(each);
      lines += count;
    } else left.push(each);
  }
  if (left.length > 0) queues.set(organisationId, left);
  else queues.delete(organisationId);
  return group;
}

/** Those whose turn came too late are refused, so that the others need not share their fate. */
async function issueNext(platform: Platform, organisationId: string): Promise<void> {
  const inTime = takeGroup(organisationId).filter(({ deadline, settle }) => {
    if (Date.now() < deadline) return true;
    settle(Promise.reject(busyError()));
    return false;
  });
  if (inTime.length > 0) await issueGroup(platform, inTime);
}

/**
 * Issues an invoice when the turn of its organisation comes, together with others that wait for the same.
 * @param deadline epoch milliseconds
 * @throws AppError what the invoice is refused for; 503 when its turn does not come in time
 */
export function issueWithPostingLock(
  platform: Platform,
  order: InvoiceOrder,
  deadline: number,
): Promise<InvoiceRecord> {
  const { organisationId } = order.caller;
  return new Promise<InvoiceRecord>((resolve, reject) => {
    const settle = (outcome: Promise<InvoiceRecord>): void => void outcome.then(resolve, reject);
    queues.set(organisationId, [...(queues.get(organisationId) ?? []), { order, deadline, settle }]);
    // One turn for each that waits: who was taken along by another finds nobody left, and passes its turn on.
    withPostingLock(organisationId, Number.POSITIVE_INFINITY, () => issueNext(platform, organisationId)).catch(reject);
  });
}

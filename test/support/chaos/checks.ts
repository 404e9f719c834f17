import { MockActivityEnvironment } from '@temporalio/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { createMaintenanceActivities } from '../../../activities/records/maintenance';
import { downloadInvoice, EXPECTED_OUTCOMES } from '../../../bench/load/operations';
import type { Sale, SessionPlan, Shop } from '../../../bench/load/operations';
import type { RetryingClient } from '../../../bench/load/retrying-client';
import { DAY_MS } from '../../../domain/durations';
import { Check } from '../../../models/identity/checks/check';
import { Outbox } from '../../../models/platform/transactions/outbox';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { Platform } from '../../../services/platform/platform';
import type { Receiver } from '../receiver';
import { EVENT_LIMIT_MS } from '../limits';

/** What the service has reported to the load as done. */
export interface Accepted {
  organisationId: string;
  sessions: ReadonlyMap<string, SessionPlan>;
  sales: readonly Sale[];
  shop: Shop;
}

export interface Clients {
  identity: RetryingClient;
  business: RetryingClient;
}

const POLL_MS = 250;

/** Polls until `list` returns nothing. @returns what it returned last */
async function waitUntilEmpty<T>(list: () => Promise<T[]>): Promise<T[]> {
  const deadline = Date.now() + EVENT_LIMIT_MS;
  for (;;) {
    const left = await list();
    if (left.length === 0 || Date.now() > deadline) return left;
    await delay(POLL_MS);
  }
}

/** Sessions whose status differs from that of their plan, or whose reviewer decided another number of times. */
export async function listWrongSessions({ identity }: Clients, { sessions }: Accepted): Promise<object[]> {
  const wrong: object[] = [];
  for (const [id, plan] of sessions) {
    const { body } = await identity.request('GET', `/v1/sessions/${id}`);
    const { status, reviews } = body['session'] as { status: string; reviews: unknown[] };
    const decisions = plan === 'reviewed' ? 1 : 0;
    if (status !== EXPECTED_OUTCOMES[plan].status || reviews.length !== decisions)
      wrong.push({ id, plan, status, decisions: reviews.length });
  }
  return wrong;
}

/** Checks that ended without a result. */
export const listFailedChecks = ({ organisationId }: Accepted): Promise<object[]> =>
  Check.find({ organisationId, status: { $ne: 'completed' } }, { kind: 1, status: 1, error: 1 }).lean();

interface InvoiceRow {
  id: number;
  number: string;
  grandTotal: number;
  open?: number;
}

async function listRows(client: RetryingClient, path: string): Promise<InvoiceRow[]> {
  const rows: InvoiceRow[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await client.request('GET', `${path}pageSize=100&page=${page}`);
    rows.push(...(body['data'] as InvoiceRow[]));
    if (rows.length >= Number(body['totalCount'])) return rows;
  }
}

const pickInvoice = ({ id, number, grandTotal }: InvoiceRow) => ({ id, number, grandTotal });

/** The invoices that exist, and those that were accepted: both must be the same. */
export async function compareInvoices({ business }: Clients, { sales }: Accepted) {
  const found = await listRows(business, '/api/invoices?sortBy=id&sortDir=asc&');
  const accepted = [...sales].sort((a, b) => a.id - b.id).map(pickInvoice);
  return { found: found.map(pickInvoice), accepted };
}

/** Sequence numbers of the accepted invoices. */
export const listSequences = ({ sales }: Accepted): number[] =>
  sales.map(({ number }) => Number(/(\d+)$/.exec(number)?.[1])).sort((a, b) => a - b);

/** Differences of stock, open amounts and invariants from what was accepted. */
export async function listLedgerDifferences({ business }: Clients, { sales, shop }: Accepted): Promise<object[]> {
  const product = (await business.request('GET', `/api/products/${shop.productId}`)).body['data'] as { stock: number };
  const sold = sales.reduce((sum, { quantity }) => sum + quantity, 0);
  const differences: object[] = [];
  if (product.stock !== shop.initialStock - sold) differences.push({ stock: product.stock, sold });
  const open = new Map((await listRows(business, '/api/receivables?state=all&')).map((row) => [row.id, row.open]));
  for (const { id, grandTotal, paid } of sales) {
    const expected = paid ? 0 : grandTotal;
    if (open.get(id) !== expected) differences.push({ invoice: id, open: open.get(id), expected });
  }
  let reply = await business.request('POST', '/api/admin/invariants');
  while (reply.status === 202) reply = await business.request('POST', '/api/admin/invariants');
  const { invariants } = reply.body['data'] as { invariants: { violations: number }[] };
  return [...differences, ...invariants.filter(({ violations }) => violations > 0)];
}

/** Subjects without their event, or with deliveries of several events. */
export async function listWrongEvents(receiver: Receiver, { sales, sessions }: Accepted): Promise<object[]> {
  const subjects = [
    ...sales.map(({ number }) => ({ type: 'invoice.issued', subject: number })),
    ...[...sessions].map(([id, plan]) => ({ type: EXPECTED_OUTCOMES[plan].event, subject: id })),
  ];
  const isDelivered = ({ type, subject }: { type: string; subject: string }): boolean => {
    const matching = receiver.requests.filter(({ body }) => body.includes(`"${subject}"`));
    const ids = new Set(matching.map(({ headers }) => headers['webhook-id']));
    return ids.size === 1 && matching.every(({ body }) => (JSON.parse(body) as { type: string }).type === type);
  };
  return waitUntilEmpty(() => Promise.resolve(subjects.filter((each) => !isDelivered(each))));
}

/** Rows of the outbox and deliveries that have not ended, and workflows that run or have failed. */
export async function listUnfinished(platform: Platform, { organisationId }: Accepted): Promise<object[]> {
  const listWorkflows = async (query: string): Promise<object[]> => {
    const found: object[] = [];
    for await (const { workflowId, type, status } of platform.temporal.workflow.list({ query }))
      found.push({ workflowId, type, status: status.name });
    return found;
  };
  const pending = await waitUntilEmpty(async () => [
    ...(await Outbox.find({ organisationId, doneAt: null }, { name: 1, attempts: 1, lastError: 1 }).lean()),
    ...(await WebhookDelivery.find({ organisationId, status: 'pending' }, { eventType: 1, nextAttemptAt: 1 }).lean()),
    ...(await listWorkflows(`VouchOrg = '${organisationId}' AND ExecutionStatus = 'Running'`)),
  ]);
  const failed = await WebhookDelivery.find({ organisationId, status: 'failed' }, { eventType: 1, reason: 1 }).lean();
  const ended = `ExecutionStatus IN ('Failed', 'TimedOut', 'Terminated')`;
  return [...pending, ...failed, ...(await listWorkflows(`VouchOrg = '${organisationId}' AND ${ended}`))];
}

/**
 * Removes uploads of transactions that did not commit, as the schedule does a day later.
 * @returns how many there were
 */
export async function sweepOrphans(platform: Platform): Promise<number> {
  const clock = { now: () => new Date(platform.clock.now().getTime() + 2 * DAY_MS) };
  const { sweepUnnamedObjects } = createMaintenanceActivities({ ...platform, clock });
  return new MockActivityEnvironment().run(sweepUnnamedObjects);
}

/** Invoices whose PDF cannot be downloaded. */
export async function listUnreadableInvoices({ business }: Clients, { sales }: Accepted): Promise<object[]> {
  const unreadable: object[] = [];
  for (const sale of sales)
    await downloadInvoice(business, sale).catch((error: unknown) => unreadable.push({ sale, error: String(error) }));
  return unreadable;
}

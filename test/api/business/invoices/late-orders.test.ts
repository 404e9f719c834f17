import mongoose from 'mongoose';
import { Invoice } from '../../../../models/business/invoices/invoice';
import { PostingLocks, POSTING_LOCK_TIMEOUT_MS } from '../../../../services/business/documents/posting-lock';
import { InvoiceBatcher } from '../../../../services/business/invoices/invoice-batcher';
import { addCustomer, addService, createBusinessClient, getData } from '../../../support/business/client';
import { startOwnApi } from '../../../support/business/own-api';
import type { OwnApi } from '../../../support/business/own-api';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

/** Invoices that share a transaction, which ends after the time for which their clients wait. */
const ORDERS = 5;

let own: OwnApi;
beforeAll(async () => {
  own = await startOwnApi();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await own.close();
  await closeTestPlatform();
});

/**
 * Sends invoices of different quantities while the posting lock is held, so that they wait for it together.
 * @param commitFirst what the commit of their shared transaction does before it fails
 */
async function issueTogether(commitFirst: (commit: () => Promise<void>) => Promise<void>) {
  const client = await createBusinessClient();
  const { organisationId } = client.tenant;
  const [customerId, productId] = [await addCustomer(client), await addService(client)];
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  void own.platform.singletons.get(PostingLocks).run(organisationId, () => held);
  const batcher = own.platform.singletons.get(InvoiceBatcher);
  const issue = batcher.issue.bind(batcher);
  let waiting = 0;
  jest.spyOn(batcher, 'issue').mockImplementation((...order) => {
    const outcome = issue(...order);
    waiting += 1;
    if (waiting === ORDERS) release();
    return outcome;
  });
  const commits = failNextCommit(commitFirst);
  const responses = await Promise.all(
    Array.from({ length: ORDERS }, (_, index) =>
      call('POST', '/api/invoices', {
        json: { customerId, lines: [{ productId, quantity: index + 1, unitPrice: 1 }] },
        token: client.token,
        api: own.url,
      }),
    ),
  );
  const records = await Invoice.find({ organisationId }).sort({ sequence: 1 }).lean();
  return { responses, records, commits: commits.count() };
}

/** Lets the next commit fail. Then the deadline of every waiting order has passed. */
function failNextCommit(commitFirst: (commit: () => Promise<void>) => Promise<void>): { count: () => number } {
  const sessions = mongoose.mongo.ClientSession.prototype;
  const commit = Object.getOwnPropertyDescriptor(sessions, 'commitTransaction')?.value as (
    ...options: unknown[]
  ) => Promise<void>;
  const readClock = Date.now.bind(Date);
  let count = 0;
  jest.spyOn(sessions, 'commitTransaction').mockImplementation(async function (this: unknown, ...options: unknown[]) {
    count += 1;
    if (count > 1) return commit.apply(this, options);
    await commitFirst(() => commit.apply(this, options));
    jest.spyOn(Date, 'now').mockImplementation(() => readClock() + POSTING_LOCK_TIMEOUT_MS);
    throw new mongoose.mongo.MongoServerError({ message: 'the server shuts down', code: 91 });
  });
  return { count: () => count };
}

test('orders whose shared transaction failed after their deadline are rejected as busy, and none is tried again', async () => {
  const { responses, records, commits } = await issueTogether(() => Promise.resolve());
  expect(responses.map(({ status, body }) => [status, body['code']])).toEqual(responses.map(() => [503, 'busy']));
  expect(responses.map(({ headers }) => headers.get('retry-after'))).toEqual(responses.map(() => '5'));
  expect(commits).toBe(1);
  expect(records).toEqual([]);
});

test('orders whose shared transaction was committed get their own invoice after their deadline, too', async () => {
  const { responses, records, commits } = await issueTogether((commit) => commit());
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
  const quantities = responses.map((response) => (getData(response)['lines'] as { quantity: number }[])[0]?.quantity);
  expect(quantities).toEqual(responses.map((_, index) => index + 1));
  expect(commits).toBe(1);
  expect(records.map(({ sequence }) => sequence)).toEqual(responses.map((_, index) => index + 1));
  expect(new Set(responses.map((response) => getData(response)['id']))).toEqual(new Set(records.map(({ id }) => id)));
});

import { Decimal } from '../../../../domain/business/decimal';
import { withPostingLock } from '../../../../services/business/documents/posting-lock';
import { applyCredit, reverseAllocation } from '../../../../services/business/payments/credits';
import { voidWriteOff, writeOff } from '../../../../services/business/payments/write-offs';
import type { BusinessRequest } from '../../../../services/business/access/caller';
import { addCustomer, addService, createBusinessClient, getCreatedId } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';
import { readCaller } from '../../../support/business/caller';

/** Postings that wait for the posting lock beyond midnight have the day on which they are posted. */

const DAY_MS = 86_400_000;
const toDay = (at: Date): string => at.toISOString().slice(0, 10);
let client: BusinessClient;
let documentId: number;
let paymentId: number;

beforeAll(async () => {
  await getTestPlatform();
  client = await createBusinessClient('Midnight');
  await client.put('/api/config/company', { writeOffLimit: 50 });
  const customerId = await addCustomer(client);
  const lines = [{ productId: await addService(client), quantity: 1, unitPrice: 100 }];
  documentId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  const payment = { customerId, amount: 10, allocations: [] };
  paymentId = getCreatedId(await client.post('/api/receivables/payments', payment));
});
afterAll(closeTestPlatform);

/** Starts a posting while another one holds the lock; the day ends before that releases it. */
async function postAfterMidnight<T>(
  before: Date,
  post: (request: BusinessRequest) => Promise<T>,
): Promise<{ posted: T; day: string }> {
  let now = before;
  const platform = { ...(await getTestPlatform()), clock: { now: () => now } };
  const caller = await readCaller(client);
  const started = await withPostingLock(platform, caller.organisationId, () => {
    const posting = post({ platform, caller, use: undefined });
    now = new Date(before.getTime() + DAY_MS);
    return Promise.resolve({ posting });
  });
  return { posted: await started.posting, day: toDay(now) };
}

test('write-offs and allocations, and what takes them back', async () => {
  const today = new Date();
  const written = await postAfterMidnight(today, (request) =>
    writeOff(request, 'receivable', {
      documentId,
      amount: new Decimal(1),
      reason: 'Cents',
    }),
  );
  expect(written.posted.date).toBe(written.day);
  const applied = await postAfterMidnight(today, (request) =>
    applyCredit(request, 'receivable', { paymentId, documentId, amount: new Decimal(10) }),
  );
  expect(applied.posted.date).toBe(applied.day);
  const tomorrow = new Date(today.getTime() + DAY_MS);
  const voided = await postAfterMidnight(tomorrow, (request) =>
    voidWriteOff(request, 'receivable', written.posted.id, 'Paid'),
  );
  expect(voided.posted.reversedOn).toBe(voided.day);
  const reversed = await postAfterMidnight(tomorrow, (request) =>
    reverseAllocation(request, 'receivable', applied.posted.id, 'Mistake'),
  );
  expect(reversed.posted.reversedOn).toBe(reversed.day);
});

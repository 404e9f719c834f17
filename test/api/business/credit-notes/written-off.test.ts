import { addCustomer, addService, createBusinessClient, getCreatedId, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { closeTestPlatform } from '../../../support/tenant';
import { readVat } from '../../../support/business/reports';

/** Credit notes for invoices of which a part was written off. All amounts are computed by hand. */

let client: BusinessClient;
let customerId: number;
let lines: object[];

beforeAll(async () => {
  client = await createBusinessClient('Written & credited');
  await client.put('/api/config/accounting', { preset: 'skr03' });
  await client.put('/api/config/company', { writeOffLimit: 50 });
  const addRate = async (percent: number): Promise<number> =>
    getCreatedId(await client.post('/api/config/tax-rates', { name: `Rate ${percent}`, category: 'S', percent }));
  const [standard, reduced] = [await addRate(19), await addRate(7)];
  const productId = await addService(client);
  customerId = await addCustomer(client);
  lines = [
    { productId, quantity: 1, unitPrice: 100, taxRateId: standard },
    { productId, quantity: 1, unitPrice: 100, taxRateId: reduced },
  ];
});
afterEach(async () => {
  expect(getData(await client.post('/api/admin/invariants', undefined))).toMatchObject({ violations: 0 });
});
afterAll(closeTestPlatform);

/** Issues an invoice of 226.00, pays all but 22.60 and writes off the rest. */
async function writeOffRest(): Promise<{ invoiceId: number; writeOffId: number }> {
  const invoiceId = getCreatedId(await client.post('/api/invoices', { customerId, lines }));
  await client.post('/api/receivables/payments', { customerId, amount: 203.4 });
  const writeOff = await client.post('/api/receivables/write-offs', { documentId: invoiceId, reason: 'Disputed' });
  expect([writeOff.status, getData(writeOff)['amount']]).toEqual([201, 22.6]);
  return { invoiceId, writeOffId: getCreatedId(writeOff) };
}

const credit = (invoiceId: number, fields: object = {}, query = '') =>
  client.post(`/api/credit-notes${query}`, { invoiceId, reason: 'Returned', ...fields });

test('what was written off is not credited as well: the write-off is voided before, and nothing remains', async () => {
  const before = await readVat(client);
  const { invoiceId, writeOffId } = await writeOffRest();
  for (const query of ['?dryRun=true', '']) {
    const refused = await credit(invoiceId, {}, query);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({
        code: 'credit_exceeds_invoice',
        details: { writeOffIds: [writeOffId], routes: ['POST /api/receivables/write-offs/:id/void'] },
      }),
    ]);
  }
  const voided = await client.post(`/api/receivables/write-offs/${writeOffId}/void`, { reason: 'Returned' });
  expect(voided.status).toBe(200);
  const note = await credit(invoiceId);
  expect([note.status, getData(note)['grandTotal']]).toEqual([201, 226]);
  const refund = { creditNoteId: getCreatedId(note), amount: 203.4 };
  expect((await client.post('/api/receivables/refunds', refund)).status).toBe(201);
  expect(await readVat(client)).toEqual(before);
});

test('at each rate, what was not written off can be credited', async () => {
  const { invoiceId } = await writeOffRest();
  // Of 22.60, 11.90 were written off at 19 %.
  const whole = await credit(invoiceId, { lines: [{ invoiceLineId: 1, quantity: 1 }] });
  expect([whole.status, whole.body['code']]).toEqual([409, 'credit_exceeds_invoice']);
  const tooMuch = await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 90.01 }] });
  expect(tooMuch.status).toBe(409);
  const part = await credit(invoiceId, { lines: [{ invoiceLineId: 1, amount: 90 }] });
  expect([part.status, getData(part)['grandTotal']]).toEqual([201, 107.1]);
});

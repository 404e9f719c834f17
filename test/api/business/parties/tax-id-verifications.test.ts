import type { z } from 'zod';
import { taxIdVerificationSchema } from '../../../../api/business/parties/tax-id-fields';
import { WebhookEvent } from '../../../../models/platform/webhooks/webhook-event';
import { addCustomer, addProduct, createBusinessClient, getData, getRows } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { CompanyRegisters } from '../../../support/identity/company-registers';
import { CONSULTATION_NUMBER } from '../../../support/identity/registers/vies';
import { pollUntilFound } from '../../../support/poll';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

type Verification = z.infer<typeof taxIdVerificationSchema>;

const SPANISH = { taxId: 'ESB76543214', address: { country: 'ES' } };
/** Check digits are right, but no company has it. */
const UNREGISTERED = 'FR83404833048';
/** Ireland cannot be queried. */
const IRISH = 'IE6388047V';

let registers: CompanyRegisters;
let client: BusinessClient;

beforeAll(async () => {
  registers = await CompanyRegisters.start();
  await getTestPlatform();
  client = await createBusinessClient('Verifier GmbH');
  await client.put('/api/config/company', { address: { country: 'DE' } });
  await client.post('/api/config/tax-sets', { country: 'DE' });
});
afterAll(async () => {
  await registers.stop();
  await closeTestPlatform();
});

const readVerification = async (path: string): Promise<Verification | null> =>
  taxIdVerificationSchema.nullable().parse(getData(await client.get(path))['taxIdVerification']);

const waitForStatus = (path: string, status: Verification['status']): Promise<Verification> =>
  pollUntilFound(async () => {
    const verification = await readVerification(path);
    return verification?.status === status ? verification : undefined;
  });

const listSentTo = (number: string): unknown[] =>
  registers.requests
    .filter(({ register, body }) => register === 'vies' && body.includes(number))
    .map(({ path, body }): unknown => ({ path, ...(JSON.parse(body) as object) }));

/** The data of the events of a verification. */
async function listEventData(verificationId: string): Promise<unknown[]> {
  const { organisationId } = client.tenant;
  const events = await WebhookEvent.find({ organisationId, subjectId: verificationId, type: 'tax_id.verified' }).lean();
  return events.map(({ body }) => (JSON.parse(body ?? '{}') as { data?: unknown }).data);
}

describe('the VAT identifier of a customer in another member state', () => {
  test('is verified when it is set, and a valid one makes its supplies intra-Community ones', async () => {
    const id = await addCustomer(client, SPANISH);
    const verification = await waitForStatus(`/api/customers/${id}`, 'valid');
    expect(verification).toMatchObject({ taxId: 'ESB76543214', reason: null, consultationNumber: null });
    expect(verification.checkedAt).not.toBeNull();
    expect(listSentTo('B76543214')).toEqual([{ path: '/check-vat-number', countryCode: 'ES', vatNumber: 'B76543214' }]);
    const data = { verificationId: verification.id, holder: 'customer', holderId: id, status: 'valid' };
    expect(await listEventData(verification.id)).toEqual([data]);
    const productId = await addProduct(client, { type: 'service' });
    const lines = [{ productId, quantity: 1, unitPrice: 100 }];
    const invoice = await client.post('/api/invoices?dryRun=true', { customerId: id, lines });
    expect(getData(invoice)).toMatchObject({ taxTotal: 0, grandTotal: 100 });
  });

  test('is taxed as domestic while it is not verified: invalid, or not answered', async () => {
    const productId = await addProduct(client, { type: 'service' });
    const taxOf = async (customerId: number): Promise<unknown> => {
      const lines = [{ productId, quantity: 1, unitPrice: 100 }];
      return getData(await client.post('/api/invoices?dryRun=true', { customerId, lines }))['taxTotal'];
    };
    const wrong = await addCustomer(client, { taxId: UNREGISTERED, address: { country: 'FR' } });
    const verification = await waitForStatus(`/api/customers/${wrong}`, 'invalid');
    const data = { verificationId: verification.id, holder: 'customer', holderId: wrong, status: 'invalid' };
    expect(await listEventData(verification.id)).toEqual([data]);
    expect(await taxOf(wrong)).toBe(19);
    const irish = await addCustomer(client, { taxId: IRISH, address: { country: 'IE' } });
    const unanswered = await waitForStatus(`/api/customers/${irish}`, 'unavailable');
    expect(unanswered).toMatchObject({ reason: 'vies_ms_unavailable', consultationNumber: null });
    expect(await listEventData(unanswered.id)).toEqual([]);
    expect(await taxOf(irish)).toBe(19);
    await client.put(`/api/customers/${irish}`, { taxIdVerifiedOn: '2026-11-01' });
    expect(await taxOf(irish)).toBe(0);
  });

  test('is verified again once it changes, and the previous result does not count', async () => {
    const path = `/api/customers/${await addCustomer(client, SPANISH)}`;
    const first = await waitForStatus(path, 'valid');
    await client.put(path, { name: 'Renamed' });
    expect(await readVerification(path)).toEqual(first);
    const changed = await client.put(path, { taxId: UNREGISTERED });
    expect(getData(changed)['taxIdVerification']).toMatchObject({ status: 'pending', taxId: UNREGISTERED });
    const second = await waitForStatus(path, 'invalid');
    const rows = getRows(await client.get(`${path}/tax-id-verifications`));
    expect(rows.map(({ id, status }) => [id, status])).toEqual([
      [second.id, 'invalid'],
      [first.id, 'valid'],
    ]);
    expect(getData(await client.put(path, { taxId: null }))['taxIdVerification']).toBeNull();
  });

  test('is queried again after an outage of VIES, which delays nothing else', async () => {
    registers.markUnavailable('vies');
    const customer = await client.post('/api/customers', { name: 'Iberia', ...SPANISH });
    expect(customer.status).toBe(201);
    const path = `/api/customers/${String(getData(customer)['id'])}`;
    expect(await waitForStatus(path, 'unavailable')).toMatchObject({ reason: 'register_error' });
    registers.markAvailable('vies');
    expect(await waitForStatus(path, 'valid')).toMatchObject({ reason: null });
  });

  test('does not conflict with a change by a client that read the customer before the result', async () => {
    const created = await client.post('/api/customers', { name: 'Iberia', ...SPANISH });
    const etag = created.headers.get('etag') ?? '';
    const read = getData(created);
    const path = `/api/customers/${String(read['id'])}`;
    await waitForStatus(path, 'valid');
    expect((await client.get(path)).headers.get('etag')).not.toBe(etag);
    const changed = await client.put(path, { ...read, phone: '+34 1' }, { 'if-match': etag });
    expect([changed.status, getData(changed)['taxIdVerification']]).toMatchObject([200, { status: 'valid' }]);
  });

  test('is not queried if it is domestic, or confirmed in the same request', async () => {
    const domestic = await addCustomer(client, { taxId: 'DE136695976', address: { country: 'DE' } });
    expect(await readVerification(`/api/customers/${domestic}`)).toBeNull();
    const confirmed = await addCustomer(client, { ...SPANISH, taxIdVerifiedOn: '2026-11-01' });
    expect(await readVerification(`/api/customers/${confirmed}`)).toBeNull();
  });
});

describe('a verification on request', () => {
  test('has a consultation number if the company has a valid VAT identifier itself', async () => {
    await client.put('/api/config/company', { taxId: 'DE136695976' });
    await waitForStatus('/api/config/company', 'valid');
    const id = await addCustomer(client, { ...SPANISH, taxId: 'EL094259216', address: { country: 'GR' } });
    const path = `/api/customers/${id}`;
    await waitForStatus(path, 'valid');
    const requested = await client.post(`${path}/tax-id-verifications`, {});
    expect([requested.status, getData(requested)['status']]).toEqual([202, 'pending']);
    const { id: latest } = taxIdVerificationSchema.parse(getData(requested));
    const verification = await pollUntilFound(async () => {
      const found = await readVerification(path);
      return found?.id === latest && found.status === 'valid' ? found : undefined;
    });
    expect(verification).toMatchObject({ consultationNumber: CONSULTATION_NUMBER, name: 'ΛΙΜΑΝΙ ΑΕ' });
    expect(listSentTo('094259216').at(-1)).toMatchObject({
      requesterMemberStateCode: 'DE',
      requesterNumber: '136695976',
    });
  });

  test('replaces one that waits for its next query', async () => {
    const path = `/api/customers/${await addCustomer(client, { taxId: IRISH, address: { country: 'IE' } })}`;
    const first = await waitForStatus(path, 'unavailable');
    await client.post(`${path}/tax-id-verifications`, {});
    const rows = getRows(await client.get(`${path}/tax-id-verifications`));
    expect(rows.find(({ id }) => id === first.id)).toMatchObject({ status: 'replaced' });
  });

  test('is made without the number of the requester if VIES does not know it', async () => {
    const other = await createBusinessClient('Unregistered GmbH');
    await other.put('/api/config/company', { address: { country: 'DE' }, taxId: 'DE123456788' });
    const created = await other.post('/api/vendors', { name: 'Puerto SL', ...SPANISH });
    const vendorId = String(getData(created)['id']);
    const verification = await pollUntilFound(async () => {
      const vendor = getData(await other.get(`/api/vendors/${vendorId}`));
      const found = taxIdVerificationSchema.nullable().parse(vendor['taxIdVerification']);
      return found?.status === 'valid' ? found : undefined;
    });
    expect(verification.consultationNumber).toBeNull();
    const again = await other.post(`/api/vendors/${vendorId}/tax-id-verifications`, {});
    expect(again.status).toBe(202);
    expect(getRows(await other.get(`/api/vendors/${vendorId}/tax-id-verifications`))).toHaveLength(2);
  });

  test('of the company itself is kept with the earlier ones', async () => {
    const requested = await client.post('/api/config/company/tax-id-verifications', {});
    expect(requested.status).toBe(202);
    await waitForStatus('/api/config/company', 'valid');
    expect(getRows(await client.get('/api/config/company/tax-id-verifications')).length).toBeGreaterThanOrEqual(2);
  });

  test('needs a VAT identifier that VIES can know', async () => {
    const id = await addCustomer(client, { taxId: '12/345/67890' });
    const response = await client.post(`/api/customers/${id}/tax-id-verifications`, {});
    expect([response.status, response.body['code']]).toEqual([409, 'tax_id_not_verifiable']);
    const unknown = await client.get('/api/customers/999999/tax-id-verifications');
    expect(unknown.status).toBe(404);
  });
});

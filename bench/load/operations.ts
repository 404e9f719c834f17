import type { DemoImages } from '../../scripts/demo/images';
import type { RetryingClient } from './retrying-client';

export type SessionPlan = 'holder' | 'another_person' | 'reviewed';

/** Expected status and event of each plan. */
export const EXPECTED_OUTCOMES: Record<SessionPlan, { status: string; event: string }> = {
  holder: { status: 'approved', event: 'session.completed' },
  another_person: { status: 'declined', event: 'session.declined' },
  reviewed: { status: 'approved', event: 'session.completed' },
};

const readSession = (body: Record<string, unknown>) => body['session'] as { id: string; status: string };
const readData = <T>(body: Record<string, unknown>): T => body['data'] as T;

/** Runs a session from creation to its final status. @returns its id */
export async function verifySession(client: RetryingClient, plan: SessionPlan, images: DemoImages): Promise<string> {
  // Sessions with the same external id belong to the same person, so that the repeated face is no duplicate.
  const externalId = 'holder';
  const json = plan === 'reviewed' ? { externalId, expected: { lastName: 'Another-Name' } } : { externalId };
  const { id } = readSession((await client.expect([201], 'POST', '/v1/sessions', { json })).body);
  const selfie = plan === 'another_person' ? images.otherSelfie : images.selfie;
  const accepted = [200, 201, 202];
  await Promise.all([
    client.expect(accepted, 'POST', '/v1/documents/id-verification?wait=0', {
      form: { sessionId: id, frontImage: images.passport },
    }),
    client.expect(accepted, 'POST', '/v1/biometrics/liveness?wait=0', { form: { sessionId: id, image: selfie } }),
  ]);
  const status = await client.pollUntil(`/v1/sessions/${id}`, (body) => {
    const { status: current } = readSession(body);
    return ['approved', 'declined', 'in_review'].includes(current) ? current : null;
  });
  if (status === 'in_review') {
    await client.expect([200], 'POST', `/v1/sessions/${id}/decision`, {
      json: { decision: 'approve', reason: 'Known under both names.' },
    });
  }
  return id;
}

/** Customer and product that the load sells to and sells. */
export interface Shop {
  customerId: number;
  productId: number;
  initialStock: number;
}

/** Creates a customer and a product of 19.90 with stock at a cost of 10 each. @param initialStock units on hand */
export async function openShop(client: RetryingClient, initialStock: number): Promise<Shop> {
  const create = async (path: string, json: object): Promise<number> =>
    readData<{ id: number }>((await client.expect([201], 'POST', path, { json })).body).id;
  const goods = {
    name: 'Sturdy goods',
    type: 'goods',
    price: 19.9,
    initialStock: { quantity: initialStock, unitCost: 10 },
  };
  const productId = await create('/api/products', goods);
  return { productId, customerId: await create('/api/customers', { name: 'Patient Customer' }), initialStock };
}

export interface Sale {
  id: number;
  number: string;
  quantity: number;
  grandTotal: number;
  paid: boolean;
}

/** Sells two pieces on an invoice. */
export async function issueInvoice(client: RetryingClient, { customerId, productId }: Shop): Promise<Sale> {
  const quantity = 2;
  const json = { customerId, lines: [{ productId, quantity }] };
  const { body } = await client.expect([201], 'POST', '/api/invoices', { json });
  const { id, number, grandTotal } = readData<{ id: number; number: string; grandTotal: number }>(body);
  return { id, number, quantity, grandTotal, paid: false };
}

/** Downloads the PDF of an invoice. */
export async function downloadInvoice(client: RetryingClient, { id }: Pick<Sale, 'id'>): Promise<Buffer> {
  const { bytes } = await client.expect([200], 'GET', `/api/invoices/${id}/pdf`);
  if (!bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('The file is not a PDF.');
  return bytes;
}

/** Records the payment of an invoice. */
export async function payInvoice(client: RetryingClient, { customerId }: Shop, sale: Sale): Promise<void> {
  const json = {
    customerId,
    amount: sale.grandTotal,
    allocations: [{ documentId: sale.id, amount: sale.grandTotal }],
  };
  await client.expect([201], 'POST', '/api/receivables/payments', { json });
  sale.paid = true;
}

/** Exports the invoices as CSV. @returns the numbers of the rows in the file */
export async function exportInvoices(client: RetryingClient): Promise<Set<string>> {
  const json = { resource: 'invoices', format: 'csv' };
  const { id } = readData<{ id: number }>((await client.expect([202], 'POST', '/api/exports', { json })).body);
  const ended = await client.pollUntil(`/api/exports/${id}`, (body) => {
    const record = readData<{ state: string; failure: string | null; download: { url: string } | null }>(body);
    return ['queued', 'running'].includes(record.state) ? null : record;
  });
  if (ended.download === null) throw new Error(`Export ${id} ended ${ended.state}: ${String(ended.failure)}`);
  const { pathname, search } = new URL(ended.download.url);
  const { bytes } = await client.expect([200], 'GET', pathname + search);
  const [header = '', ...rows] = bytes.toString('utf8').trim().split(/\r?\n/);
  const column = header.replace('\ufeff', '').split(',').indexOf('number');
  return new Set(rows.map((row) => row.split(',')[column] ?? ''));
}

import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { call } from '../support/client';
import type { ApiResponse, RequestOptions } from '../support/client';
import type { OwnStack } from '../support/stack';
import type { DemoImages } from '../../scripts/demo/images';

/** Statuses after which a client retries with the same Idempotency-Key. */
const RETRYABLE_STATUSES = [409, 429, 500, 502, 503];
const RETRY_MS = 250;
const GIVE_UP_AFTER_MS = 240_000;

/** A client that retries failed requests as the documentation recommends: with the same key and body. */
export class RetryingClient {
  constructor(
    private readonly stack: Pick<OwnStack, 'run'>,
    private readonly credential: Pick<RequestOptions, 'key' | 'token'>,
  ) {}

  async requestWithRetries(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const headers = { ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}), ...options.headers };
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const response = await call(method, path, {
        ...options,
        ...this.credential,
        headers,
        api: this.stack.run().api,
      }).catch(() => null);
      const retryable =
        response === null || (RETRYABLE_STATUSES.includes(response.status) && !isFinalConflict(response));
      if (response !== null && !retryable) return response;
      if (Date.now() > deadline)
        throw new Error(`${method} ${path} received no final response: ${JSON.stringify(response?.body ?? null)}`);
      await delay(RETRY_MS);
    }
  }

  /** Repeats a GET request until `fits` returns a value. */
  async pollUntil<T>(path: string, fits: (body: Record<string, unknown>) => T | null): Promise<T> {
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const { body } = await this.requestWithRetries('GET', path);
      const found = fits(body);
      if (found !== null) return found;
      if (Date.now() > deadline) throw new Error(`${path} never reached the expected state: ${JSON.stringify(body)}`);
      await delay(RETRY_MS);
    }
  }
}

/** A 409 that a retry does not change, unlike that of a request still in progress. */
const isFinalConflict = (response: ApiResponse): boolean =>
  response.status === 409 && !JSON.stringify(response.body).includes('idempotency_in_progress');

export type SessionPlan = 'holder' | 'another_person' | 'reviewed';

/** Expected status and event of each plan. */
export const EXPECTED_OUTCOMES: Record<SessionPlan, { status: string; event: string }> = {
  holder: { status: 'approved', event: 'session.completed' },
  another_person: { status: 'declined', event: 'session.declined' },
  reviewed: { status: 'approved', event: 'session.completed' },
};

interface SessionBody {
  session: { id: string; status: string; reviews: unknown[] };
}
const getSessionBody = (body: Record<string, unknown>): SessionBody['session'] =>
  (body as unknown as SessionBody).session;

function expectStatus(response: ApiResponse, accepted: number[]): ApiResponse {
  if (!accepted.includes(response.status))
    throw new Error(`Unexpected status ${response.status}: ${JSON.stringify(response.body)}`);
  return response;
}

/** Runs a session from creation to its final status. @returns its id */
export async function verifySession(client: RetryingClient, plan: SessionPlan, images: DemoImages): Promise<string> {
  // Sessions with the same external id belong to the same person, so that the repeated face is no duplicate.
  const externalId = 'holder';
  const json = plan === 'reviewed' ? { externalId, expected: { lastName: 'Another-Name' } } : { externalId };
  const { id } = getSessionBody(
    expectStatus(await client.requestWithRetries('POST', '/v1/sessions', { json }), [201]).body,
  );
  const selfie = plan === 'another_person' ? images.otherSelfie : images.selfie;
  const [document, face] = await Promise.all([
    client.requestWithRetries('POST', '/v1/documents/id-verification?wait=0', {
      form: { sessionId: id, frontImage: images.passport },
    }),
    client.requestWithRetries('POST', '/v1/biometrics/liveness?wait=0', { form: { sessionId: id, image: selfie } }),
  ]);
  expectStatus(document, [200, 201, 202]);
  expectStatus(face, [200, 201, 202]);
  const matchStatus = (statuses: readonly string[]) => (body: Record<string, unknown>) => {
    const { status } = getSessionBody(body);
    return statuses.includes(status) ? status : null;
  };
  const first = await client.pollUntil(`/v1/sessions/${id}`, matchStatus(['approved', 'declined', 'in_review']));
  if (first === 'in_review') {
    expectStatus(
      await client.requestWithRetries('POST', `/v1/sessions/${id}/decision`, {
        json: { decision: 'approve', reason: 'Known under both names.' },
      }),
      [200],
    );
  }
  return id;
}

interface InvoiceBody {
  data: { id: number; number: string; grandTotal: number };
}

/** Issues an invoice and downloads its PDF twice. @returns its number */
export async function issueInvoice(client: RetryingClient, customerId: number, productId: number): Promise<string> {
  const json = {
    customerId,
    paymentTerms: 'NET30',
    currencyCode: 'EUR',
    lines: [{ productId, quantity: 2, unitPrice: 19.9 }],
    notes: '',
  };
  const { data } = expectStatus(await client.requestWithRetries('POST', '/api/invoices', { json }), [201])
    .body as unknown as InvoiceBody;
  const first = expectStatus(await client.requestWithRetries('GET', `/api/invoices/${data.id}/pdf`), [200]);
  const second = expectStatus(await client.requestWithRetries('GET', `/api/invoices/${data.id}/pdf`), [200]);
  if (!first.bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('The file is not a PDF.');
  if (!first.bytes.equals(second.bytes)) throw new Error('Two downloads of one invoice differ.');
  return data.number;
}

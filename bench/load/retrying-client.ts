import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { sendRequest } from './http';
import type { ApiResponse, RequestOptions } from './http';

const RETRY_MS = 250;
const ATTEMPT_TIMEOUT_MS = 40_000;
const GIVE_UP_AFTER_MS = 240_000;

export type Credential = Pick<RequestOptions, 'key' | 'token'>;

/** How often each status was received; `lost` counts requests without a response. */
export type ResponseCounts = Map<number | 'lost', number>;

export interface RetryingClientOptions {
  /** Base URL of the API; it is read for every request. */
  api: () => string;
  /** Called for the first request, and again after a 401. */
  signIn: () => Promise<Credential> | Credential;
  /** @default 250 */
  retryMs?: number;
  /** A request without a response after this time is lost, and repeated. @default 40000 */
  attemptTimeoutMs?: number;
}

/** A 409 that a retry does not change, unlike that of a request still in progress. */
const isFinalConflict = ({ status, bytes }: ApiResponse): boolean =>
  status === 409 && !bytes.includes('idempotency_in_progress');

const isRetryable = (response: ApiResponse): boolean =>
  [409, 429, 500, 502, 503].includes(response.status) && !isFinalConflict(response);

/** A client that retries failed requests as the documentation recommends: with the same key and body. */
export class RetryingClient {
  /** Responses received so far. */
  readonly responses: ResponseCounts = new Map();
  private credential: Promise<Credential> | null = null;

  constructor(private readonly options: RetryingClientOptions) {}

  private async sendOnce(method: string, path: string, options: RequestOptions): Promise<ApiResponse | null> {
    this.credential ??= Promise.resolve(this.options.signIn());
    const credential = await this.credential.catch(() => null);
    const signal = AbortSignal.timeout(this.options.attemptTimeoutMs ?? ATTEMPT_TIMEOUT_MS);
    const response =
      credential === null
        ? null
        : await sendRequest(this.options.api(), method, path, { ...options, ...credential, signal }).catch(() => null);
    const status = response?.status ?? 'lost';
    this.responses.set(status, (this.responses.get(status) ?? 0) + 1);
    if (credential === null || status === 401) this.credential = null;
    return response;
  }

  /**
   * Repeats a request until it has a final response.
   * @throws Error if there is none within four minutes
   */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
    const headers = { ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}), ...options.headers };
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    for (let signedInAgain = false; ;) {
      const response = await this.sendOnce(method, path, { ...options, headers });
      const renews: boolean = response?.status === 401 && !signedInAgain;
      if (response !== null && !renews && !isRetryable(response)) return response;
      signedInAgain ||= renews;
      if (Date.now() > deadline)
        throw new Error(`${method} ${path} received no final response: ${response?.bytes.toString('utf8') ?? 'none'}`);
      await delay(this.options.retryMs ?? RETRY_MS);
    }
  }

  /** As `request`. @throws Error unless the response has one of these statuses */
  async expect(
    statuses: readonly number[],
    method: string,
    path: string,
    options?: RequestOptions,
  ): Promise<ApiResponse> {
    const response = await this.request(method, path, options);
    if (statuses.includes(response.status)) return response;
    throw new Error(`${method} ${path}: status ${response.status}: ${response.bytes.toString('utf8').slice(0, 2000)}`);
  }

  /** Repeats a GET request until `find` returns a value. */
  async pollUntil<T>(path: string, find: (body: Record<string, unknown>) => T | null): Promise<T> {
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    for (;;) {
      const { body } = await this.request('GET', path);
      const found = find(body);
      if (found !== null) return found;
      if (Date.now() > deadline) throw new Error(`${path} never reached the expected state: ${JSON.stringify(body)}`);
      await delay(this.options.retryMs ?? RETRY_MS);
    }
  }
}

/** Signs in to the business API. */
export async function signIn(api: string, admin: { email: string; password: string }): Promise<Credential> {
  const { status, body } = await sendRequest(api, 'POST', '/api/auth/login', { json: admin });
  if (status !== 200) throw new Error(`The sign-in received status ${status}.`);
  return { token: (body['data'] as { token: string }).token };
}

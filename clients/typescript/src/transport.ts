import type { Call } from './calls';
import { ConnectionError, toInvalidResponseError, toVouchError } from './errors';
import type { VouchError } from './errors';
import { buildMultipart } from './uploads';

/** How a client reaches the service. */
export interface ClientOptions {
  /** Address of the service, such as `https://vouch.example.com`. */
  baseUrl: string;
  /** `vk_live_…` or `vk_test_…`; omitted in a page that sends its cookie instead. */
  apiKey?: string;
  /**
   * Retries after 429, 503 and failed connections, where repeating is safe.
   * @default 2
   */
  maxRetries?: number;
  /**
   * With a longer `Retry-After` the error is thrown instead of waiting.
   * @default 60
   */
  maxRetryAfterSeconds?: number;
  /**
   * Limit of one attempt; longer than the service waits for a check (60 s at most).
   * @default 90
   */
  timeoutSeconds?: number;
  /** Sent with every request, such as `X-CSRF-Token`. */
  headers?: Record<string, string>;
  /** @default the `fetch` of the runtime */
  fetch?: typeof fetch;
}

const INITIAL_BACKOFF_SECONDS = 0.5;

function buildUrl(baseUrl: string, { path, query }: Call): URL {
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [name, value] of Object.entries<unknown>({ ...query })) {
    if (Array.isArray(value)) url.searchParams.set(name, value.join(','));
    else if (['string', 'number', 'boolean'].includes(typeof value)) url.searchParams.set(name, `${value as string}`);
  }
  return url;
}

export const wait = (seconds: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('Aborted.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });

const parseJson = (text: string): { body: unknown } | null => {
  try {
    return { body: text === '' ? null : JSON.parse(text) };
  } catch {
    return null;
  }
};

/**
 * Reads a successful response.
 * @throws Error if the connection ends within the body, which is therefore no response
 */
async function readSuccess(call: Call, response: Response): Promise<{ body: unknown } | { error: VouchError }> {
  const isFile = call.isFile === true && response.status !== 202;
  const read = isFile ? { body: await response.blob() } : parseJson(await response.text());
  if (read === null) return { error: toInvalidResponseError(response.status, response.headers) };
  call.options.onResponse?.(response);
  return read;
}

/** Sends calls and retries them where that is safe. */
export class Transport {
  constructor(private readonly options: ClientOptions) {}

  /** @throws VouchError */
  async send<T>(call: Call): Promise<T> {
    const { maxRetries = 2 } = this.options;
    const headers = this.buildHeaders(call);
    const body =
      call.files === undefined
        ? call.body === undefined
          ? undefined
          : JSON.stringify(call.body)
        : await buildMultipart(call.body ?? {}, call.files);
    for (let attempt = 0; ; attempt += 1) {
      const outcome = await this.attempt(call, headers, body);
      if ('body' in outcome) return outcome.body as T;
      const { error } = outcome;
      const delaySeconds = this.retryDelaySeconds(call, error, attempt);
      if (attempt >= maxRetries || delaySeconds === null) throw error;
      await wait(delaySeconds, call.options.signal);
    }
  }

  private buildHeaders({ idempotent, options, body, files }: Call): Record<string, string> {
    const { apiKey, headers } = this.options;
    return {
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...(idempotent === true ? { 'idempotency-key': options.idempotencyKey ?? globalThis.crypto.randomUUID() } : {}),
      ...(body === undefined || files !== undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
      ...options.headers,
    };
  }

  private async attempt(
    call: Call,
    headers: Record<string, string>,
    body: string | FormData | undefined,
  ): Promise<{ body: unknown } | { error: VouchError }> {
    const { baseUrl, timeoutSeconds = 90, fetch: send = globalThis.fetch } = this.options;
    const { signal } = call.options;
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000);
    try {
      const response = await send(buildUrl(baseUrl, call), {
        method: call.method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        credentials: 'include',
        redirect: 'error',
      });
      if (response.ok) return await readSuccess(call, response);
      const responseBody: unknown = await response.json().catch(() => null);
      // A body that was cut off by the caller is no response.
      signal?.throwIfAborted();
      return { error: toVouchError(response.status, response.headers, responseBody) };
    } catch (cause) {
      if (signal?.aborted === true) throw cause;
      const message = timeout.aborted ? `No response within ${timeoutSeconds} s.` : 'The service could not be reached.';
      const code = timeout.aborted ? 'timeout' : 'connection_failed';
      const failure = { status: 0, code, message, details: {}, requestId: null, retryAfterSeconds: null };
      return { error: new ConnectionError(failure, { cause }) };
    }
  }

  /** Seconds until the next attempt; null if the call must not be repeated. */
  private retryDelaySeconds(call: Call, error: VouchError, attempt: number): number | null {
    const rejected = error.status === 429 || error.code === 'idempotency_in_progress';
    // A request that was not rejected may have taken effect: it is repeated only if a repeat changes nothing.
    const isSafe = call.method === 'GET' || call.idempotent === true;
    const mayRetry = rejected || (isSafe && (error.status === 503 || error.status === 0));
    if (!mayRetry) return null;
    const { maxRetryAfterSeconds = 60 } = this.options;
    if (error.retryAfterSeconds !== null) {
      return error.retryAfterSeconds <= maxRetryAfterSeconds ? error.retryAfterSeconds : null;
    }
    return INITIAL_BACKOFF_SECONDS * 2 ** attempt * (1 + Math.random() / 2);
  }
}

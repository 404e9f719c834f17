import type { z } from 'zod';
import { AppError } from '../../domain/errors';
import { parseRetryAfter } from '../../domain/platform/webhooks/retry-schedule';
import type { Clock } from '../clock';
import type { Egress } from '../egress/egress';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** If a register asks to wait longer than this, the query is not retried. */
const MAX_WAIT_SECONDS = 300;

/** The register is unavailable, overloaded or responds in an unknown format. Retried a limited number of times. */
export const registerUnavailableError = (code: string, retryAfterSeconds?: number): AppError =>
  new AppError(code, 503, 'The register could not be queried.', {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.min(retryAfterSeconds, MAX_WAIT_SECONDS) }),
  });

const isOverloaded = (status: number): boolean => status === 408 || status === 429 || status >= 500;

/**
 * The error of a response that is no answer. A register that rejects the query or the key (4xx) is not queried again,
 * because the result would be the same; a redirect or another success than 200 is a response in an unknown format.
 */
function toStatusError(status: number): AppError {
  if (status < 400) return registerUnavailableError('register_answer_invalid');
  return status === 401 || status === 403
    ? new AppError('register_refused_key', 403, 'Refused.')
    : new AppError('register_refused_question', 403, 'Refused.');
}

/** Queries registers that respond in JSON over HTTP. */
export class RegisterClient {
  /** @param baseUrl without a trailing slash */
  constructor(
    private readonly egress: Egress,
    private readonly clock: Clock,
    private readonly baseUrl: string,
    private readonly headers: Record<string, string>,
  ) {}

  /**
   * @returns null if the register responds with 404
   * @throws AppError 503 `register_…`, which may be retried; 403, which may not
   */
  get<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    return this.request(path, schema, undefined);
  }

  /** Like {@link get}, with a query in JSON. */
  post<T>(path: string, query: object, schema: z.ZodType<T>): Promise<T | null> {
    return this.request(path, schema, JSON.stringify(query));
  }

  private async request<T>(path: string, schema: z.ZodType<T>, body: string | undefined): Promise<T | null> {
    const response = await this.egress.request({
      url: `${this.baseUrl}${path}`,
      headers: {
        'user-agent': 'Vouch/1',
        ...this.headers,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? { method: 'GET' } : { method: 'POST', body }),
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: MAX_RESPONSE_BYTES,
    });
    const { status } = response;
    if (status === 404) return null;
    if (isOverloaded(status)) {
      const retryAfterSeconds = parseRetryAfter(response.headers['retry-after'], this.clock.now().getTime());
      throw registerUnavailableError(status === 429 ? 'register_rate_limited' : 'register_error', retryAfterSeconds);
    }
    if (status !== 200) throw toStatusError(status);
    return parseResponse(response.bodyStart, response.truncated, schema);
  }
}

function parseResponse<T>(body: Buffer, truncated: boolean, schema: z.ZodType<T>): T {
  if (truncated) throw registerUnavailableError('register_answer_too_long');
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw registerUnavailableError('register_answer_invalid');
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw registerUnavailableError('register_answer_invalid');
  return parsed.data;
}

import type { z } from 'zod';
import { AppError } from '../../../domain/errors';
import { parseRetryAfter } from '../../../domain/platform/webhooks/retry-schedule';
import type { Clock } from '../../../lib/clock';
import type { Egress } from '../../../lib/egress/egress';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/** A register that asks for more time than this is given up for the check at hand. */
const MAX_WAIT_SECONDS = 300;

/** The register is away, overloaded or answers in another shape: asked again, then given up. */
export const registerUnavailableError = (code: string, retryAfterSeconds?: number): AppError =>
  new AppError(code, 503, 'The register could not be asked.', {
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds: Math.min(retryAfterSeconds, MAX_WAIT_SECONDS) }),
  });

/** The register refuses the question or the key: asking again changes nothing. */
const registerRejectedError = (status: number): AppError =>
  new AppError(
    status === 400 || status === 422 ? 'register_refused_question' : 'register_refused_key',
    403,
    'Refused.',
  );

/** Asks registers that answer in JSON over HTTP. */
export class RegisterClient {
  /** @param baseUrl without a slash at its end */
  constructor(
    private readonly egress: Egress,
    private readonly clock: Clock,
    private readonly baseUrl: string,
    private readonly headers: Record<string, string>,
  ) {}

  /**
   * @returns null where the register answers 404
   * @throws AppError 503 `register_…` to be tried again, 403 not to be
   */
  async get<T>(path: string, schema: z.ZodType<T>): Promise<T | null> {
    const response = await this.egress.request({
      url: `${this.baseUrl}${path}`,
      method: 'GET',
      headers: { 'user-agent': 'Vouch/1', ...this.headers },
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: MAX_RESPONSE_BYTES,
    });
    const { status } = response;
    if (status === 404) return null;
    if (status === 429 || status >= 500) {
      const header = response.headers['retry-after'];
      const retryAfterSeconds = parseRetryAfter(
        typeof header === 'string' ? header : undefined,
        this.clock.now().getTime(),
      );
      throw registerUnavailableError(status === 429 ? 'register_rate_limited' : 'register_error', retryAfterSeconds);
    }
    if (status !== 200) throw registerRejectedError(status);
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

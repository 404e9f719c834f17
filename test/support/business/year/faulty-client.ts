import { setTimeout as delay } from 'node:timers/promises';
import type { SharedStack } from '../../shared-stack';
import type { SeededRandom } from './money';
import { EVENT_LIMIT_MS } from '../../limits';

export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

/** The data of a response. */
export type ReplyData = Record<string, unknown>;

const RETRY_MS = 100;
const GIVE_UP_AFTER_MS = EVENT_LIMIT_MS;
const FAULT_RATES = { abort: 0.03, twice: 0.03, again: 0.02 } as const;

/** The error code; undefined for a success. */
export const getReplyCode = ({ body }: Reply): unknown => body['code'];

/**
 * A client with an unreliable connection: it aborts some requests, sends some twice at once, and retries with the same
 * Idempotency-Key until it receives a response.
 */
export class FaultyClient {
  /** Number of injected faults, by kind. */
  readonly faults = { abort: 0, twice: 0, again: 0, lost: 0 };
  private keys = 0;
  private api: string;

  constructor(
    private readonly stack: SharedStack,
    private readonly token: string,
    private readonly name: string,
    private readonly chance: SeededRandom,
  ) {
    this.api = stack.run().api;
  }

  private async sendOnce(
    method: string,
    path: string,
    json: unknown,
    key?: string,
    signal?: AbortSignal,
  ): Promise<Reply> {
    const response = await fetch(`${this.api}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(signal === undefined ? {} : { signal }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  /** Retries until there is a response. Internal errors are not retried: no request of the year may cause one. */
  async send(method: string, path: string, json?: unknown, key?: string): Promise<Reply & { tries: number }> {
    const deadline = Date.now() + GIVE_UP_AFTER_MS;
    for (let tries = 1; ; tries += 1) {
      const reply = await this.sendOnce(method, path, json, key).catch(() => null);
      const pending = reply !== null && (reply.status === 503 || getReplyCode(reply) === 'idempotency_in_progress');
      if (reply !== null && !pending) return { ...reply, tries };
      this.faults.lost += 1;
      if (Date.now() > deadline) throw new Error(`${method} ${path} received no response`);
      await delay(RETRY_MS);
      this.api = this.stack.run().api;
    }
  }

  private async hangUp(method: string, path: string, json: unknown, key?: string): Promise<void> {
    this.faults.abort += 1;
    const signal = AbortSignal.timeout(this.chance.between(1, 40));
    await this.sendOnce(method, path, json, key, signal).catch(() => undefined);
  }

  /** Posts a request that must take effect exactly once. */
  async post(path: string, json: ReplyData | undefined): Promise<Reply> {
    this.keys += 1;
    const key = `${this.name}-${this.keys}`;
    const fault = this.chance.next();
    if (fault < FAULT_RATES.abort) await this.hangUp('POST', path, json, key);
    const twice = fault >= FAULT_RATES.abort && fault < FAULT_RATES.abort + FAULT_RATES.twice;
    const replies = await Promise.all(Array.from({ length: twice ? 2 : 1 }, () => this.send('POST', path, json, key)));
    if (twice) this.faults.twice += 1;
    const [reply] = replies;
    if (reply === undefined) throw new Error('No reply was received.');
    if (reply.status === 201 && this.chance.nextBoolean(FAULT_RATES.again)) {
      this.faults.again += 1;
      replies.push(await this.send('POST', path, json, key));
    }
    for (const other of replies.slice(1))
      if (other.status !== reply.status || getReplyId(other) !== getReplyId(reply))
        throw new Error(`${path}: two different responses for one key: ${JSON.stringify([reply.body, other.body])}`);
    return reply;
  }

  /**
   * Performs an operation that is possible once, such as a void; `done` is the error code if it was already performed.
   */
  async postUnlessDone(path: string, json: ReplyData, doneCode: string): Promise<Reply> {
    const aborted = this.chance.nextBoolean(FAULT_RATES.abort);
    if (aborted) await this.hangUp('POST', path, json);
    const reply = await this.send('POST', path, json);
    if ((aborted || reply.tries > 1) && getReplyCode(reply) === doneCode) return { status: 200, body: {} };
    return reply;
  }

  /** Reads without injected faults, but retries while the API is away. */
  async get(path: string): Promise<Reply> {
    return this.send('GET', path);
  }
}

/** The id of the created record; that of a receipt is nested. */
export function getReplyId({ body }: Reply): unknown {
  const data = body['data'] as ReplyData | undefined;
  const receipt = data?.['receipt'] as ReplyData | undefined;
  return receipt?.['id'] ?? data?.['id'];
}

import type { OperationResponse, Call, CallOptions } from './calls';
import { WaitTimeoutError } from './errors';
import { Operations } from './generated/operations';
import { Transport, wait } from './transport';
import type { ClientOptions } from './transport';

type Session = OperationResponse<'getSession'>['session'];
type SessionStatus = Session['status'];
type Check = OperationResponse<'getCheck'>['check'];

/** How long and how often a helper polls. */
export interface WaitOptions extends CallOptions {
  /** @default 120 */
  timeoutSeconds?: number;
  /**
   * Pause between two requests.
   * @default 1
   */
  intervalSeconds?: number;
}

/** Longest time that the service keeps a request open. */
const MAX_WAIT_SECONDS = 25;

/** Statuses in which a session still waits for the person. In every other one it waits for a reviewer or has ended. */
const CAPTURE_STATUSES: readonly SessionStatus[] = ['not_started', 'in_progress', 'resubmission_requested'];

/**
 * Client of the identity verification API: a method for each operation, iterators over lists, and helpers that wait.
 *
 * @example
 * const vouch = new VouchClient({ baseUrl: 'https://vouch.example.com', apiKey: process.env.VOUCH_KEY });
 * const { session } = await vouch.createSession({ externalId: 'customer-4711' });
 * await vouch.verifyIdentityDocument({ sessionId: session.id, frontImage: 'passport.jpg' });
 */
export class VouchClient extends Operations {
  private readonly transport: Transport;

  constructor(options: ClientOptions) {
    super();
    this.transport = new Transport(options);
  }

  protected call<T>(call: Call): Promise<T> {
    return this.transport.send<T>(call);
  }

  /**
   * Repeats `read` until `isDone` accepts its result.
   * @throws WaitTimeoutError when `timeoutSeconds` have passed
   */
  async waitUntil<T>(read: () => Promise<T>, isDone: (value: T) => boolean, options: WaitOptions = {}): Promise<T> {
    const { timeoutSeconds = 120, intervalSeconds = 1, signal } = options;
    const deadline = Date.now() + timeoutSeconds * 1000;
    for (;;) {
      const value = await read();
      if (isDone(value)) return value;
      if (Date.now() + intervalSeconds * 1000 > deadline) {
        throw new WaitTimeoutError(`Not finished within ${timeoutSeconds} s.`);
      }
      await wait(intervalSeconds, signal);
    }
  }

  /** Waits until a check has completed or failed; the service keeps each request open meanwhile. */
  async waitForCheck(id: string, options: WaitOptions = {}): Promise<Check> {
    const { timeoutSeconds = 120 } = options;
    const deadline = Date.now() + timeoutSeconds * 1000;
    const read = async (): Promise<Check> => {
      // Whole seconds, and never longer than the time that is left.
      const remainingSeconds = Math.floor((deadline - Date.now()) / 1000);
      const { check } = await this.getCheck(
        id,
        { wait: Math.max(0, Math.min(MAX_WAIT_SECONDS, remainingSeconds)) },
        options,
      );
      return check;
    };
    return this.waitUntil(read, ({ status }) => status !== 'processing', options);
  }

  /**
   * Waits until a session is decided or in review. Webhooks notify of the same without polling.
   * @param statuses - @default in_review and every final status
   */
  async waitForSession(
    id: string,
    options: WaitOptions & { statuses?: readonly SessionStatus[] } = {},
  ): Promise<Session> {
    const { statuses } = options;
    const isReached = (status: SessionStatus): boolean =>
      statuses === undefined ? !CAPTURE_STATUSES.includes(status) : statuses.includes(status);
    const read = async (): Promise<Session> => (await this.getSession(id, options)).session;
    return this.waitUntil(read, ({ status }) => isReached(status), options);
  }
}

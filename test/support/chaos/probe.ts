import { RetryingClient } from '../../../bench/load/retrying-client';
import type { Credential } from '../../../bench/load/retrying-client';
import { downloadInvoice, issueInvoice } from '../../../bench/load/operations';
import type { Sale, Shop } from '../../../bench/load/operations';
import type { FormFile } from '../../../bench/load/http';

const RETRY_MS = 100;
/** A request without a response is repeated after this time, with the same Idempotency-Key. */
const ATTEMPT_TIMEOUT_MS = 3000;

/** Seconds after the end of a fault until the first request of each kind had succeeded. */
export interface Recovery {
  /** An invoice was accepted. */
  accept: number;
  /** Its PDF was rendered, stored and downloaded. */
  render: number;
  /** A selfie was decoded, examined and its result recorded. */
  check: number;
}

interface ProbeOptions {
  api: () => string;
  business: Credential;
  identity: Credential;
  shop: Shop;
  image: FormFile;
}

/** Requests that together need every process of the service. */
export class Probe {
  private readonly business: RetryingClient;
  private readonly identity: RetryingClient;
  /** What the probe sold. */
  readonly sales: Sale[] = [];

  constructor(private readonly options: ProbeOptions) {
    const { api, business, identity } = options;
    const pace = { retryMs: RETRY_MS, attemptTimeoutMs: ATTEMPT_TIMEOUT_MS };
    this.business = new RetryingClient({ api, signIn: () => business, ...pace });
    this.identity = new RetryingClient({ api, signIn: () => identity, ...pace });
  }

  /** Measures from now. @throws Error if something accepted failed */
  async measure(): Promise<Recovery> {
    const begunAt = performance.now();
    const getSeconds = (): number => (performance.now() - begunAt) / 1000;
    const sell = async (): Promise<Omit<Recovery, 'check'>> => {
      const sale = await issueInvoice(this.business, this.options.shop);
      const accept = getSeconds();
      this.sales.push(sale);
      await downloadInvoice(this.business, sale);
      return { accept, render: getSeconds() };
    };
    const check = async (): Promise<number> => {
      await this.examine();
      return getSeconds();
    };
    const [sold, checked] = await Promise.all([sell(), check()]);
    return { ...sold, check: checked };
  }

  /** Sends requests for invoices at once, which are being processed when a fault begins. Resolves once all are accepted. */
  async sellAtOnce(count: number): Promise<void> {
    const sell = (): Promise<Sale> => issueInvoice(this.business, this.options.shop);
    this.sales.push(...(await Promise.all(Array.from({ length: count }, sell))));
  }

  private async examine(): Promise<void> {
    const form = { image: this.options.image };
    const { body } = await this.identity.expect([200, 201, 202], 'POST', '/v1/biometrics/liveness?wait=0', { form });
    const { id } = body['check'] as { id: string };
    const ended = await this.identity.pollUntil(`/v1/checks/${id}`, ({ check }) => {
      const { status } = check as { status: string };
      return ['completed', 'failed'].includes(status) ? status : null;
    });
    if (ended === 'failed') throw new Error(`The check ${id} failed.`);
  }
}

import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

interface Notification {
  type: string;
  data: Record<string, unknown>;
}

interface ReceivedRequest {
  body: string;
  headers: Record<string, string>;
  /** Unix time in ms. */
  at: number;
}

/** A local webhook receiver that keeps the requests and verifies their signatures. */
export class WebhookReceiver {
  private readonly received: ReceivedRequest[] = [];
  private readonly waiters = new Set<() => void>();

  private constructor(
    readonly url: string,
    private readonly server: ReturnType<typeof createServer>,
  ) {}

  /** Starts a receiver on loopback that answers 204 to everything. @throws Error if the port is in use */
  static async listen(port: number): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(`http://127.0.0.1:${port}/webhooks`, server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const headers = Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
        );
        receiver.received.push({ body: Buffer.concat(chunks).toString('utf8'), headers, at: Date.now() });
        response.writeHead(204).end();
        receiver.waiters.forEach((wake) => wake());
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    return receiver;
  }

  /** Number of requests received. */
  get count(): number {
    return this.received.length;
  }

  /** Milliseconds from each event to the arrival of its request, in the order of arrival. */
  listDelays(): number[] {
    return this.received.map(({ body, at }) => {
      const { timestamp } = JSON.parse(body) as { timestamp: string };
      return at - Date.parse(timestamp);
    });
  }

  /** Waits for the first matching notification. @throws if its signature is invalid or none arrives in time */
  async waitFor(
    secret: string,
    matches: (notification: Notification) => boolean,
    timeoutMs: number,
  ): Promise<Notification> {
    const webhook = new Webhook(secret);
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      for (const { body, headers } of this.received) {
        if (!matches(JSON.parse(body) as Notification)) continue;
        // Throws if the signature does not match the secret, id, time and body.
        return webhook.verify(body, headers) as Notification;
      }
      const remainingMs = deadline - Date.now();
      if (remainingMs <= 0) throw new Error(`No webhook arrived within ${timeoutMs / 1000} s.`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remainingMs);
        const wake = (): void => {
          clearTimeout(timer);
          this.waiters.delete(wake);
          resolve();
        };
        this.waiters.add(wake);
      });
    }
  }

  /** Stops listening and cuts open connections. */
  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

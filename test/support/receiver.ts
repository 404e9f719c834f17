import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/platform/webhooks/event-types';
import { EVENT_PAYLOAD_SCHEMAS } from '../../services/platform/webhooks/event-payloads';

/** One request the receiver got, whole. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  at: Date;
}

/** How to answer: a status with headers and body, or not at all (the connection stays open), or by cutting it. */
export type Reply = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'cut';

export interface Receiver {
  /**
   * `http://127.0.0.1:<port>/<prefix>`: the port is one of those EGRESS_ALLOW names, when the stack has set some aside.
   * The prefix is this receiver's own, and left out of the paths it records: a delivery still owed to an earlier
   * receiver on the same port is answered 410 and not recorded.
   */
  readonly url: string;
  readonly hostPort: string;
  readonly requests: readonly ReceivedRequest[];
  /** Decides from now on; `count` is 1 for the first request. */
  reply(decide: Reply | ((request: ReceivedRequest, count: number) => Reply)): void;
  /**
   * The first request, past or to come, that fits.
   * @param timeoutMs @default 30000
   */
  waitFor(fits: (request: ReceivedRequest) => boolean, timeoutMs?: number): Promise<ReceivedRequest>;
  /** Resolves once `count` requests fit. */
  waitForCount(
    count: number,
    fits?: (request: ReceivedRequest) => boolean,
    timeoutMs?: number,
  ): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** The ports set aside for receivers; none outside a running stack. */
const listReservedPorts = (): number[] =>
  (process.env['VOUCH_TEST_RECEIVER_PORTS'] ?? '')
    .split(',')
    .filter((port) => port !== '')
    .map(Number);

const envelopeSchema = z.strictObject({
  type: z.enum(EVENT_TYPES),
  timestamp: z.iso.datetime(),
  data: z.record(z.string(), z.unknown()),
});

/**
 * Verifies a delivery with the Standard Webhooks library, as a customer would, and its payload against the documented
 * schema. Throws if the signature is wrong or too old, or if the payload differs from the schema.
 */
export function verifySignature(request: ReceivedRequest, secret: string): unknown {
  const event = envelopeSchema.parse(new Webhook(secret).verify(request.body, request.headers));
  EVENT_PAYLOAD_SCHEMAS[event.type].strict().parse(event.data);
  return event;
}

async function readRequest(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk as Uint8Array));
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) headers[name] = String(value);
  return {
    method: message.method ?? '',
    path: message.url ?? '',
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
    at: new Date(),
  };
}

function sendReply(response: ServerResponse, reply: Reply): void {
  if (reply === 'hang') return;
  if (reply === 'cut') {
    response.destroy();
    return;
  }
  response.writeHead(reply.status, reply.headers);
  response.end(reply.body ?? '');
}

/** Listens on the first free port of `ports`; another test of the same run may hold some. */
async function listenOnFreePort(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
  ports: number[],
) {
  for (const port of ports) {
    const server = createServer(handler);
    const listening = await new Promise<boolean>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      );
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (listening) return server;
  }
  throw new Error(`No free receiver port among ${ports.join(', ')}.`);
}

/** Starts a local HTTP receiver that answers 204 until told otherwise. */
export async function startReceiver(): Promise<Receiver> {
  const prefix = `/${randomUUID()}`;
  const requests: ReceivedRequest[] = [];
  const waiting = new Set<() => void>();
  let decide: (request: ReceivedRequest, count: number) => Reply = () => ({ status: 204 });

  const handle = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await readRequest(message);
    if (!received.path.startsWith(prefix)) {
      sendReply(response, { status: 410 });
      return;
    }
    const request = { ...received, path: received.path.slice(prefix.length) };
    requests.push(request);
    sendReply(response, decide(request, requests.length));
    for (const check of [...waiting]) check();
  };
  const ports = listReservedPorts();
  const server = await listenOnFreePort(
    (message, response) => void handle(message, response).catch(() => response.destroy()),
    ports.length > 0 ? ports : [0],
  );
  const { port } = server.address() as AddressInfo;

  const waitForCount: Receiver['waitForCount'] = (count, fits = () => true, timeoutMs = 30_000) =>
    new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(check);
      };
      const timer = setTimeout(() => {
        done();
        reject(
          new Error(`The receiver got ${requests.filter(fits).length} of ${count} requests within ${timeoutMs} ms.`),
        );
      }, timeoutMs);
      const check = (): void => {
        const found = requests.filter(fits);
        if (found.length < count) return;
        done();
        resolve(found.slice(0, count));
      };
      waiting.add(check);
      check();
    });

  return {
    url: `http://127.0.0.1:${port}${prefix}`,
    hostPort: `127.0.0.1:${port}`,
    requests,
    reply(next) {
      decide = typeof next === 'function' ? next : () => next;
    },
    waitForCount,
    async waitFor(fits, timeoutMs) {
      const [first] = await waitForCount(1, fits, timeoutMs);
      if (first === undefined) throw new Error('A wait for one request ended with none.');
      return first;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

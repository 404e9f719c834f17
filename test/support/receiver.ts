import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import { EVENT_TYPES } from '../../domain/platform/webhooks/event-types';
import { EVENT_PAYLOAD_SCHEMAS } from '../../services/platform/webhooks/event-payloads';
import { EVENT_LIMIT_MS } from './limits';

/** A request received, with headers and body. */
export interface ReceivedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  at: Date;
}

/**
 * A reply: a status with headers and body, `hang` (no response, the connection stays open) or `cut` (the connection is
 * closed).
 */
export type Reply = { status: number; headers?: Record<string, string | string[]>; body?: string } | 'hang' | 'cut';

export interface Receiver {
  /**
   * `http://127.0.0.1:<port>/<prefix>`. The port is one of those reserved by the stack in EGRESS_ALLOW, if any. The
   * prefix is unique and removed from recorded paths: a pending delivery to an earlier receiver on the same port gets
   * 410 and is not recorded.
   */
  readonly url: string;
  readonly hostPort: string;
  readonly requests: readonly ReceivedRequest[];
  /** Sets the reply to further requests; `count` is 1 for the first request. */
  reply(decide: Reply | ((request: ReceivedRequest, count: number) => Reply)): void;
  /**
   * Waits for the first request, past or future, that matches.
   * @param timeoutMs @default 30000
   */
  waitFor(matches: (request: ReceivedRequest) => boolean, timeoutMs?: number): Promise<ReceivedRequest>;
  /** Waits until `count` requests match. */
  waitForCount(
    count: number,
    matches?: (request: ReceivedRequest) => boolean,
    timeoutMs?: number,
  ): Promise<ReceivedRequest[]>;
  close(): Promise<void>;
}

/** Ports reserved for receivers; empty without a running stack. */
const listReservedPorts = (): number[] =>
  (process.env['VOUCH_TEST_RECEIVER_PORTS'] ?? '')
    .split(',')
    .filter((port) => port !== '')
    .map(Number);

const envelopeSchema = z.strictObject({
  type: z.enum(EVENT_TYPES),
  mode: z.enum(['live', 'test']),
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

/** Listens on the first free port of `ports`; other tests of the same run may use some. */
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

/** Starts a local HTTP receiver that replies 204 by default. */
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

  const waitForCount: Receiver['waitForCount'] = (count, matches = () => true, timeoutMs = EVENT_LIMIT_MS) =>
    new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        waiting.delete(check);
      };
      const timer = setTimeout(() => {
        done();
        reject(
          new Error(
            `The receiver received ${requests.filter(matches).length} of ${count} requests within ${timeoutMs} ms.`,
          ),
        );
      }, timeoutMs);
      const check = (): void => {
        const found = requests.filter(matches);
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
    async waitFor(matches, timeoutMs) {
      const [first] = await waitForCount(1, matches, timeoutMs);
      if (first === undefined) throw new Error('No request was received.');
      return first;
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

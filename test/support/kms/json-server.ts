import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

export interface JsonReply {
  status: number;
  body: object;
  headers?: Record<string, string>;
}

export interface ReceivedRequest {
  path: string;
  headers: IncomingMessage['headers'];
  text: string;
}

/** A local HTTP server that speaks the protocol of a service. */
export interface JsonServer {
  url: string;
  requests: ReceivedRequest[];
  /** The next requests are answered with these. */
  failures: JsonReply[];
  close(): Promise<void>;
}

/** Listens on a free port of loopback. @param answer replies to a request unless a failure is set */
export async function startJsonServer(answer: (request: ReceivedRequest) => JsonReply): Promise<JsonServer> {
  const requests: ReceivedRequest[] = [];
  const failures: JsonReply[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = {
        path: incoming.url ?? '',
        headers: incoming.headers,
        text: Buffer.concat(chunks).toString('utf8'),
      };
      requests.push(request);
      const { status, body, headers } = failures.shift() ?? answer(request);
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    failures,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The key of a key management service, which never leaves it. */
export class ServiceKey {
  private readonly key = randomBytes(32);

  /** @param context authenticated with the ciphertext @returns nonce, ciphertext and tag */
  encrypt(plaintext: Buffer, context: string): Buffer {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(context));
    return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  }

  /** @returns null if the ciphertext was made with another key or context */
  decrypt(sealed: Buffer, context: string): Buffer | null {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, 12)).setAAD(Buffer.from(context));
      decipher.setAuthTag(sealed.subarray(-16));
      return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()]);
    } catch {
      return null;
    }
  }
}

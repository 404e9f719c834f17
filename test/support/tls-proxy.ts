import { once } from 'node:events';
import { connect as connectHttp2, constants, createSecureServer } from 'node:http2';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createServer } from 'node:tls';
import { generate } from 'selfsigned';

const EC = { keyType: 'ec', algorithm: 'sha256' } as const;

/** A private certificate authority, with files that it issued. */
export interface TestAuthority {
  caFile: string;
  clientCertFile: string;
  clientKeyFile: string;
  /** A client certificate of another authority. */
  foreignCertFile: string;
  foreignKeyFile: string;
  server: { key: string; cert: string; ca: string };
  remove(): void;
}

/** The name in the certificate of the server, which is not its address. */
export const SERVER_NAME = 'temporal.test';

const createAuthority = (name: string) =>
  generate([{ name: 'commonName', value: name }], {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
    ],
  });

async function issue(authority: { private: string; cert: string }, name: string) {
  return generate([{ name: 'commonName', value: name }], {
    ...EC,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true, clientAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 2, value: name }] },
    ],
  });
}

/** Issues certificates of a server and of clients, and writes those of the client to a folder that `remove` deletes. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'vouch-tls-'));
  const write = (name: string, pem: string): string => {
    const file = path.join(folder, name);
    writeFileSync(file, pem);
    return file;
  };
  const authority = await createAuthority('Test authority');
  const server = await issue(authority, SERVER_NAME);
  const client = await issue(authority, 'vouch');
  const foreign = await issue(await createAuthority('Foreign authority'), 'vouch');
  return {
    caFile: write('ca.pem', authority.cert),
    clientCertFile: write('client.pem', client.cert),
    clientKeyFile: write('client.key', client.private),
    foreignCertFile: write('foreign.pem', foreign.cert),
    foreignKeyFile: write('foreign.key', foreign.private),
    server: { key: server.private, cert: server.cert, ca: authority.cert },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export interface TlsProxy {
  /** `host:port` */
  address: string;
  /** Connections with a client certificate of the authority. */
  readonly accepted: number;
  close(): Promise<void>;
}

/** Terminates TLS in front of a server and requires client certificates of the authority. */
export async function startTlsProxy(target: string, { server: credentials }: TestAuthority): Promise<TlsProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let accepted = 0;
  const options = { ...credentials, requestCert: true, rejectUnauthorized: true, ALPNProtocols: ['h2'] };
  const server = createServer(options, (client) => {
    accepted += 1;
    const upstream = connect(Number(port), host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  }).listen(0, '127.0.0.1');
  server.on('tlsClientError', () => undefined);
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get accepted() {
      return accepted;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const UNAUTHENTICATED = 16;

/** Answers a call as Temporal does, after it has checked the API key. */
function forwardCall(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, target: string): void {
  const upstream = connectHttp2(`http://${target}`);
  upstream.on('error', () => stream.destroy());
  const call = upstream.request({ ...headers, [constants.HTTP2_HEADER_SCHEME]: 'http' });
  let trailers: IncomingHttpHeaders = {};
  call.on('trailers', (received: IncomingHttpHeaders) => (trailers = received));
  call.on('response', (response, flags) => {
    const ended = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(response, ended ? { endStream: true } : { waitForTrailers: true });
  });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.on('close', () => upstream.destroy());
  stream.on('error', () => upstream.destroy());
  call.on('error', () => stream.destroy());
  stream.pipe(call).pipe(stream);
}

/** Terminates TLS in front of a Temporal server and requires an API key, as Temporal Cloud does. */
export async function startApiKeyProxy(
  target: string,
  { server: { key, cert } }: TestAuthority,
  apiKey: string,
): Promise<TlsProxy> {
  let accepted = 0;
  const server = createSecureServer({ key, cert });
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  server.on('stream', (stream, headers) => {
    if (headers.authorization !== `Bearer ${apiKey}`) {
      const refused = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': UNAUTHENTICATED };
      stream.respond(refused, { endStream: true });
      return;
    }
    accepted += 1;
    forwardCall(stream, headers, target);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get accepted() {
      return accepted;
    },
    async close() {
      for (const session of sessions) session.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

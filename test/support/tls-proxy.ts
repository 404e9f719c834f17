import { once } from 'node:events';
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

import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { generate } from 'selfsigned';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';

/** A message that the server accepted. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** Envelope id (RFC 3461). */
  envelopeId: string | null;
  /** Whether it arrived over TLS. */
  secure: boolean;
  user: string | null;
  raw: Buffer;
  mail: Awaited<ReturnType<typeof PostalMime.parse>>;
}

/** What the server replies to the n-th message (from 1), after its content: a reply code, or nothing until `release`. */
export type MailReply = { code: number; text: string; step?: 'recipient' | 'data' } | 'accept' | 'cut' | 'hold';

export interface MailServer {
  readonly port: number;
  readonly hostPort: string;
  /** Certificate of its authority, PEM. */
  readonly caCertificate: string;
  readonly received: readonly ReceivedMail[];
  reply(decide: (count: number, to: string) => MailReply): void;
  /** Accepts messages that are held. */
  release(): void;
  /** Waits until `count` messages have arrived, also those that were not accepted. */
  waitForCount(count: number): Promise<readonly ReceivedMail[]>;
  close(): Promise<void>;
}

const EC = { keyType: 'ec', algorithm: 'sha256' } as const;

async function createCertificate(): Promise<{ key: string; cert: string; ca: string }> {
  const authority = await generate([{ name: 'commonName', value: 'Mail authority' }], {
    ...EC,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, digitalSignature: true },
    ],
  });
  const server = await generate([{ name: 'commonName', value: 'mail.test' }], {
    ...EC,
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });
  return { key: server.private, cert: server.cert, ca: authority.cert };
}

const smtpError = (code: number, text: string): Error => Object.assign(new Error(text), { responseCode: code });

/** Ports reserved by the stack in EGRESS_ALLOW; any port without a stack. The highest first: receivers use the lowest. */
const listPorts = (): number[] => {
  const reserved = (process.env['VOUCH_TEST_RECEIVER_PORTS'] ?? '').split(',').filter(Boolean).map(Number);
  return reserved.length > 0 ? reserved.reverse() : [0];
};

async function listen(create: () => SMTPServer): Promise<SMTPServer> {
  for (const port of listPorts()) {
    const server = create();
    const listening = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (listening) return server;
  }
  throw new Error('No free port for a mail server.');
}

/**
 * A real SMTP server that offers STARTTLS with a certificate of its own authority, and accepts everything by default.
 * @param options.password required from every client, of any user
 */
export async function startMailServer({ password }: { password?: string } = {}): Promise<MailServer> {
  const certificate = await createCertificate();
  const received: ReceivedMail[] = [];
  const held = new Set<() => void>();
  const waiting = new Set<() => void>();
  let decide: (count: number, to: string) => MailReply = () => 'accept';
  let transactions = 0;
  const options: SMTPServerOptions = {
    key: certificate.key,
    cert: certificate.cert,
    authOptional: password === undefined,
    disabledCommands: [],
    disableReverseLookup: true,
    hideDSN: false,
    closeTimeout: 100,
    logger: false,
    onAuth: (auth, _session, callback) =>
      auth.password === password
        ? callback(null, { user: auth.username ?? '' })
        : callback(smtpError(535, '5.7.8 Authentication credentials invalid')),
    onRcptTo: (address, _session, callback) => {
      transactions += 1;
      const reply = decide(transactions, address.address);
      if (typeof reply === 'object' && reply.step === 'recipient') callback(smtpError(reply.code, reply.text));
      else callback();
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      const reply = decide(transactions, session.envelope.rcptTo[0]?.address ?? '');
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks);
        const { mailFrom, rcptTo, dsn } = session.envelope;
        void PostalMime.parse(raw).then((mail) => {
          received.push({
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
            envelopeId: dsn?.envid ?? null,
            secure: session.secure,
            user: typeof session.user === 'string' ? session.user : null,
            raw,
            mail,
          });
          for (const check of [...waiting]) check();
          if (reply === 'accept') callback(null, '2.0.0 queued');
          else if (reply === 'hold') held.add(() => callback(null, '2.0.0 queued'));
          else if (reply === 'cut') for (const connection of server.connections) connection.close();
          else callback(smtpError(reply.code, reply.text));
        });
      });
    },
  };
  const server = await listen(() => new SMTPServer(options));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    hostPort: `127.0.0.1:${port}`,
    caCertificate: certificate.ca,
    received,
    reply(next) {
      transactions = 0;
      decide = next;
    },
    release() {
      for (const accept of held) accept();
      held.clear();
    },
    waitForCount: (count) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < count) return;
          waiting.delete(check);
          resolve(received.slice(0, count));
        };
        waiting.add(check);
        check();
      }),
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The e-mail settings of a company (`PUT /api/config/email`) that sends over the server, signed in if it asks for a password. */
export const buildEmailSettings = ({ port, caCertificate }: MailServer, password?: string) => ({
  host: '127.0.0.1',
  port,
  security: 'starttls',
  ...(password === undefined ? {} : { user: 'billing', password }),
  caCertificate,
  fromAddress: 'billing@seller.example',
});

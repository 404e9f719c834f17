import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import { MINUTE_MS, SECOND_MS } from '../../domain/durations';
import { getAddressFamily } from '../egress/address';
import { getEgressReason } from '../egress/failure';
import type { Egress } from '../egress/egress';
import { toAsciiAddress } from './address';
import { composeMessage, encodeAddresses, getMailDomain } from './message';
import type { MailMessage } from './message';
import { classifyFailure, readEnhancedCode, readRefusals } from './smtp-outcome';
import type { SmtpOutcome } from './smtp-outcome';
import type { SmtpServer } from './smtp-server';

export interface SmtpSendOptions {
  /** Exact `host:port` pairs that may be private. */
  additionalAllow: readonly string[];
  /** Organisation on whose behalf the message is sent. */
  tenant: string;
}

const CONNECTION_TIMEOUT_MS = 20 * SECOND_MS;
/** RFC 5321, 4.5.3.2.6 asks for ten minutes after the message: servers examine it before they respond. */
const REPLY_TIMEOUT_MS = 10 * MINUTE_MS;
/** Limit for the whole transmission, below that of the activity. */
const TRANSMISSION_TIMEOUT_MS = 12 * MINUTE_MS;

/** Addresses of a server that are tried; RFC 5321, 5.1 asks for at least two. */
const MAX_ADDRESSES = 4;

/** The outcome with the refused addresses as the message has them. */
const decodeRefusals = ({ recipients }: MailMessage, outcome: SmtpOutcome): SmtpOutcome => ({
  ...outcome,
  refusals: outcome.refusals.map((refusal) => ({
    ...refusal,
    address: recipients.find((each) => toAsciiAddress(each) === refusal.address) ?? refusal.address,
  })),
});

const NOT_SENT = { result: 'deferred', replyCode: null, enhancedCode: null, refusals: [] } as const;

/** The addresses of the server to try, or why it may not be connected to. */
async function findAddresses(
  egress: Egress,
  { host, port, security }: SmtpServer,
  { additionalAllow, tenant }: SmtpSendOptions,
): Promise<{ addresses: readonly string[] } | SmtpOutcome> {
  try {
    const { addresses, isException } = await egress.resolveTarget({ host, port, additionalAllow, tenant });
    if (security === 'none' && !isException) return { ...NOT_SENT, error: 'tls_required' };
    return { addresses: addresses.slice(0, MAX_ADDRESSES) };
  } catch (error) {
    const reason = getEgressReason(error);
    if (reason === 'dns_busy' || reason === undefined) throw error;
    return { ...NOT_SENT, error: reason === 'address_not_public' ? reason : 'dns_failed' };
  }
}

/** A connection to one of the checked addresses of a server, made when a message is sent. */
function createConnection(server: SmtpServer, address: string, clientName: string) {
  // Server names are not sent for addresses (RFC 6066); their certificate is checked for the address.
  const serverName = getAddressFamily(server.host) === 0 ? { servername: server.host } : {};
  return createTransport({
    host: address,
    port: server.port,
    name: clientName,
    secure: server.security === 'tls',
    requireTLS: server.security === 'starttls',
    ignoreTLS: server.security === 'none',
    ...serverName,
    tls: {
      ...serverName,
      minVersion: 'TLSv1.2',
      ...(server.caCertificate === null ? {} : { ca: [server.caCertificate] }),
    },
    connectionTimeout: CONNECTION_TIMEOUT_MS,
    greetingTimeout: CONNECTION_TIMEOUT_MS,
    socketTimeout: REPLY_TIMEOUT_MS,
    ...(server.credentials === null
      ? {}
      : { auth: { user: server.credentials.user, pass: server.credentials.password } }),
  });
}

/** Transmits the bytes of a message to one address of the server. */
async function transmit(
  server: SmtpServer,
  address: string,
  message: MailMessage,
  bytes: Buffer,
  signal: AbortSignal,
): Promise<SmtpOutcome> {
  const raw = Readable.from([bytes]);
  let transmitted = false;
  raw.once('end', () => {
    transmitted = true;
  });
  const transport = createConnection(server, address, getMailDomain(message.from.address));
  try {
    const { recipients } = message;
    // The parameter is equal for all recipients of a transmission, so it can only name one.
    const originalRecipient = recipients.length === 1 ? { recipient: recipients[0] } : {};
    const { response, rejectedErrors } = await transport.sendMail({
      envelope: { from: message.returnPath ?? message.from.address, to: [...recipients] },
      raw,
      dsn: { id: message.id, return: 'headers', notify: ['failure', 'delay'], ...originalRecipient },
      signal,
    });
    return {
      result: 'accepted',
      replyCode: Number(response.slice(0, 3)) || null,
      enhancedCode: readEnhancedCode(response),
      error: null,
      refusals: readRefusals(rejectedErrors),
    };
  } catch (error) {
    return classifyFailure(error, transmitted);
  } finally {
    transport.close();
  }
}

/** Whether a session ended without the server having taken over or refused anything. */
const isConnectionFailure = ({ result, replyCode, error }: SmtpOutcome): boolean =>
  result === 'deferred' && replyCode === null && (error === 'connection_failed' || error === 'timeout');

/**
 * Transmits one message over a connection of its own to a checked address of the server; if that cannot be connected to,
 * to the next one. Servers of the public internet must encrypt; only one that the operator allows as an exception can do
 * without.
 * @throws AppError `egress_busy` if nothing was attempted since other lookups of the tenant run
 */
export async function sendMail(
  egress: Egress,
  server: SmtpServer,
  message: MailMessage,
  options: SmtpSendOptions,
): Promise<SmtpOutcome> {
  const found = await findAddresses(egress, server, options);
  if ('result' in found) return found;
  const encoded = encodeAddresses(message);
  const bytes = await composeMessage(encoded);
  const signal = AbortSignal.timeout(TRANSMISSION_TIMEOUT_MS);
  let outcome: SmtpOutcome = { ...NOT_SENT, error: 'dns_failed' };
  for (const address of found.addresses) {
    outcome = await transmit(server, address, encoded, bytes, signal);
    if (signal.aborted || !isConnectionFailure(outcome)) break;
  }
  return decodeRefusals(message, outcome);
}

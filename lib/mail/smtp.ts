import { Readable } from 'node:stream';
import { createTransport } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer';
import { MINUTE_MS, SECOND_MS } from '../../domain/durations';
import { getAddressFamily } from '../egress/address';
import { classifyEgressFailure, getEgressReason } from '../egress/failure';
import type { Egress } from '../egress/egress';
import { toAsciiAddress } from './address';

/** How a connection is encrypted: from its first byte, after STARTTLS, or not at all. */
export const SMTP_SECURITIES = ['tls', 'starttls', 'none'] as const;
export type SmtpSecurity = (typeof SMTP_SECURITIES)[number];

/** A server that accepts messages for delivery. */
export interface SmtpServer {
  host: string;
  port: number;
  security: SmtpSecurity;
  /** Null: the server accepts messages without authentication. */
  credentials: { user: string; password: string } | null;
  /** Certificate of a private authority, PEM; null: those of the system. */
  caCertificate: string | null;
}

export interface MailAddress {
  name: string | null;
  address: string;
}

export interface MailAttachment {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** A message. Equal messages have equal bytes, so that a repetition is recognised by its `Message-ID`. */
export interface MailMessage {
  /** Identifies the message: RFC 5322 `Message-ID`, envelope id of delivery reports (RFC 3461) and MIME boundaries. */
  id: string;
  from: MailAddress;
  replyTo: string | null;
  to: readonly string[];
  cc: readonly string[];
  /** Recipients of the envelope of this transmission, which the message need not name; at least one. */
  recipients: readonly string[];
  /** Address of the envelope to which delivery reports are sent; null: that of `from`. */
  returnPath: string | null;
  subject: string;
  text: string;
  /** The same text as HTML. */
  html: string;
  date: Date;
  attachments: readonly MailAttachment[];
}

/**
 * Outcome of one transmission.
 * - `accepted`: the server has taken over the delivery;
 * - `deferred`: it asks for a later attempt (4xx), or the session did not get as far as the message;
 * - `rejected`: it refuses the message or its recipient for good (5xx);
 * - `unknown`: the connection ended after the whole message was sent and before the server responded.
 */
export interface SmtpOutcome {
  result: 'accepted' | 'deferred' | 'rejected' | 'unknown';
  /** Reply code, such as 450; null without a reply. */
  replyCode: number | null;
  /** Enhanced status code (RFC 3463), such as `4.7.1`. */
  enhancedCode: string | null;
  /** Why there is no reply, or at which step the server refused; null for accepted messages. */
  error: SmtpFailure | null;
  /** Recipients that the server refused by themselves; the result is that of the others. */
  refusals: readonly SmtpRefusal[];
}

/** The refusal of one recipient. */
export interface SmtpRefusal {
  address: string;
  result: 'deferred' | 'rejected';
  replyCode: number | null;
  enhancedCode: string | null;
}

export const SMTP_FAILURES = [
  'address_not_public',
  'dns_failed',
  'connection_failed',
  'timeout',
  'tls_failed',
  'tls_required',
  'authentication_failed',
  'refused',
] as const;
export type SmtpFailure = (typeof SMTP_FAILURES)[number];

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

/** The domain of an address, in which `Message-ID` is unique. */
export const getMailDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The `Message-ID` of a message, derived from its record. */
export const buildMessageId = (id: string, from: string): string => `<${id}@${getMailDomain(from)}>`;

/** The message as transmitted. */
export function composeMessage(message: MailMessage): Promise<Buffer> {
  const { from } = message;
  const composer = new MailComposer({
    from: from.name === null ? from.address : { name: from.name, address: from.address },
    to: [...message.to],
    ...(message.cc.length === 0 ? {} : { cc: [...message.cc] }),
    ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: buildMessageId(message.id, from.address),
    date: message.date,
    baseBoundary: message.id,
    // RFC 3834: automatic responders do not answer.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: message.attachments.map(({ fileName, contentType, bytes }) => ({
      filename: fileName,
      contentType,
      content: bytes,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** The fields of an error of nodemailer. */
interface SmtpError {
  code: string | undefined;
  /** Code that the error had before nodemailer set its own. */
  originalCode: string | undefined;
  command: string | undefined;
  responseCode: number | undefined;
  response: string | undefined;
  recipient: string | undefined;
  /** Errors of single recipients. */
  rejectedErrors: unknown;
}

function readSmtpError(error: unknown): SmtpError {
  const fields = new Map<string, unknown>(typeof error === 'object' && error !== null ? Object.entries(error) : []);
  const text = (name: string): string | undefined => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  const responseCode = fields.get('responseCode');
  return {
    code: text('code'),
    originalCode: text('originalCode'),
    command: text('command'),
    response: text('response'),
    recipient: text('recipient'),
    rejectedErrors: fields.get('rejectedErrors'),
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
  };
}

const readEnhancedCode = (response: string | undefined): string | null =>
  /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1] ?? null;

const FAILURES: Readonly<Record<string, SmtpFailure>> = {
  ETIMEDOUT: 'timeout',
  ETLS: 'tls_failed',
  EAUTH: 'authentication_failed',
  ENOAUTH: 'authentication_failed',
  EABORT: 'timeout',
};

/** Why there is no reply: by the code of nodemailer, else by that of the socket or of TLS. */
function findFailure({ code, originalCode }: SmtpError): SmtpFailure {
  const known = FAILURES[code ?? ''];
  if (known !== undefined) return known;
  const reason = classifyEgressFailure({ code: originalCode });
  return reason === 'tls_failed' || reason === 'timeout' ? reason : 'connection_failed';
}

/** Commands about the message itself: a permanent refusal of another one is a fault of the settings. */
const isAboutMessage = (command: string | undefined): boolean => /^(MAIL FROM|RCPT TO|DATA)/.test(command ?? '');

const isPermanentCode = (code: number): boolean => code >= 500 && code !== 503;

/** The recipients that the server refused. @param errors `rejectedErrors` of nodemailer */
const readRefusals = (errors: unknown): SmtpRefusal[] =>
  (Array.isArray(errors) ? errors : []).flatMap((error: unknown) => {
    const { recipient, responseCode, response } = readSmtpError(error);
    if (recipient === undefined) return [];
    const result = isPermanentCode(responseCode ?? 0) ? 'rejected' : 'deferred';
    const enhancedCode = readEnhancedCode(response);
    return [{ address: recipient, result, replyCode: responseCode ?? null, enhancedCode }];
  });

/** @param transmitted whether the whole message was sent */
function classifyFailure(error: unknown, transmitted: boolean): SmtpOutcome {
  const failure = readSmtpError(error);
  const { code, command, responseCode, response } = failure;
  const refusals = readRefusals(failure.rejectedErrors);
  const reply = { replyCode: responseCode ?? null, enhancedCode: readEnhancedCode(response), refusals };
  if (responseCode === undefined)
    return { ...reply, result: transmitted ? 'unknown' : 'deferred', error: findFailure(failure) };
  if (code === 'EAUTH') return { ...reply, result: 'deferred', error: 'authentication_failed' };
  if (code === 'ETLS') return { ...reply, result: 'deferred', error: 'tls_failed' };
  const isPermanent = isPermanentCode(responseCode) && isAboutMessage(command);
  return { ...reply, result: isPermanent ? 'rejected' : 'deferred', error: 'refused' };
}

/** The message with addresses that every server accepts. */
const encodeAddresses = (message: MailMessage): MailMessage => ({
  ...message,
  from: { ...message.from, address: toAsciiAddress(message.from.address) },
  replyTo: message.replyTo === null ? null : toAsciiAddress(message.replyTo),
  to: message.to.map(toAsciiAddress),
  cc: message.cc.map(toAsciiAddress),
  recipients: message.recipients.map(toAsciiAddress),
  returnPath: message.returnPath === null ? null : toAsciiAddress(message.returnPath),
});

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
 * @throws AppError `egress_busy` if nothing was attempted since other look-ups of the tenant run
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

import { classifyEgressFailure } from '../egress/failure';

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

/** The enhanced status code (RFC 3463) of a reply; null if it has none. */
export const readEnhancedCode = (response: string | undefined): string | null =>
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
export const readRefusals = (errors: unknown): SmtpRefusal[] =>
  (Array.isArray(errors) ? errors : []).flatMap((error: unknown) => {
    const { recipient, responseCode, response } = readSmtpError(error);
    if (recipient === undefined) return [];
    const result = isPermanentCode(responseCode ?? 0) ? 'rejected' : 'deferred';
    const enhancedCode = readEnhancedCode(response);
    return [{ address: recipient, result, replyCode: responseCode ?? null, enhancedCode }];
  });

/**
 * The outcome of a transmission that failed.
 * @param error as nodemailer throws it
 * @param transmitted whether the whole message was sent
 */
export function classifyFailure(error: unknown, transmitted: boolean): SmtpOutcome {
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

import type { MessageStatus } from './message';

/** Most recipients of one message, in all fields together. */
export const MAX_RECIPIENTS = 20;

/** Header field that names a recipient; `bcc` is on the envelope alone. */
export const RECIPIENT_FIELDS = ['to', 'cc', 'bcc'] as const;
export type RecipientField = (typeof RECIPIENT_FIELDS)[number];

/** Addresses by field, as requested. */
export type RecipientAddresses = Readonly<Record<RecipientField, readonly string[]>>;

/** A recipient of a message, and what became of it. */
export interface MessageRecipient {
  /** Null once it was erased. */
  address: string | null;
  field: RecipientField;
  status: MessageStatus;
  /** Last reply of the server about the recipient. */
  replyCode: number | null;
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null;
}

/** What the server answered about a recipient. */
export interface RecipientResult {
  result: 'accepted' | 'deferred' | 'rejected' | 'unknown';
  replyCode: number | null;
  enhancedCode: string | null;
}

/** Whether two addresses are the same mailbox for the purpose of sending once: case is ignored. */
export const isSameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Lists the recipients of a new message. One that is named twice is kept once, in the first of `to`, `cc` and `bcc`. */
export function listRecipients(addresses: RecipientAddresses): MessageRecipient[] {
  const named = RECIPIENT_FIELDS.flatMap((field) => addresses[field].map((address) => ({ address, field })));
  return named
    .filter(({ address }, index) => named.findIndex((other) => isSameAddress(other.address, address)) === index)
    .map(({ address, field }) => ({ address, field, status: 'queued', replyCode: null, enhancedCode: null }));
}

/**
 * Status of a recipient after an attempt. One that was cancelled during the transmission has got the message if the server
 * accepted it.
 */
function determineRecipientStatus(
  status: MessageStatus,
  result: RecipientResult['result'],
  isLast: boolean,
): MessageStatus {
  if (result === 'accepted') return 'sent';
  if (status !== 'queued') return status;
  return result === 'rejected' || isLast ? 'failed' : 'queued';
}

/**
 * The recipients after an attempt.
 * @param results of the recipients that were attempted, in the order of `recipients`; null for the others
 * @param isLast whether no further attempt is made
 */
export const applyResults = (
  recipients: readonly MessageRecipient[],
  results: readonly (RecipientResult | null)[],
  isLast: boolean,
): MessageRecipient[] =>
  recipients.map((recipient, index) => {
    const attempted = results[index] ?? null;
    if (attempted === null) return recipient;
    const { result, replyCode, enhancedCode } = attempted;
    return {
      ...recipient,
      status: determineRecipientStatus(recipient.status, result, isLast),
      replyCode,
      enhancedCode,
    };
  });

/** Ends the recipients that wait. */
export const endQueued = (
  recipients: readonly MessageRecipient[],
  status: 'failed' | 'cancelled',
): MessageRecipient[] =>
  recipients.map((recipient) => (recipient.status === 'queued' ? { ...recipient, status } : recipient));

/** In this order, the first status that a recipient has is that of the message. */
const PRECEDENCE = ['queued', 'bounced', 'sent', 'failed'] as const satisfies readonly MessageStatus[];

/** The status of a message with these recipients. */
export const determineMessageStatus = (recipients: readonly MessageRecipient[]): MessageStatus =>
  PRECEDENCE.find((status) => recipients.some((recipient) => recipient.status === status)) ?? 'cancelled';

/** Whether some recipients got a message and others did not. */
export const isPartlySent = (recipients: readonly MessageRecipient[]): boolean =>
  recipients.some(({ status }) => status === 'sent') &&
  recipients.some(({ status }) => status === 'failed' || status === 'cancelled');

import type { MessageReason } from '../../../domain/business/messages/message';
import {
  applyResults,
  determineMessageStatus,
  endQueued,
  isPartlySent,
} from '../../../domain/business/messages/recipients';
import type { MessageRecipient, RecipientResult } from '../../../domain/business/messages/recipients';
import type { MessageRecord } from '../../../models/business/messages/message';

type MessageState = Pick<
  MessageRecord,
  'status' | 'reason' | 'recipients' | 'to' | 'sentAt' | 'completedAt' | 'nextAttemptAt'
>;

/** The recipients of a message. One from before there could be several has the recipient in `to`. */
export const readRecipients = ({ recipients, to, status }: MessageRecord): MessageRecipient[] =>
  recipients ?? [{ address: to, field: 'to', status, replyCode: null, enhancedCode: null }];

/** State of a message whose recipients have these statuses. @param reason for which those who did not get it did not */
function toState(
  message: MessageRecord,
  recipients: MessageRecipient[],
  reason: MessageReason,
  now: Date,
): Partial<MessageState> {
  const status = determineMessageStatus(recipients);
  const sentAt = message.sentAt ?? (recipients.some((each) => each.status === 'sent') ? now : null);
  if (status === 'queued') return { status, recipients, sentAt };
  const ended = { status, recipients, sentAt, completedAt: now, nextAttemptAt: null };
  if (status === 'bounced') return { ...ended, reason: 'delivery_failed' };
  if (status === 'sent') return { ...ended, reason: isPartlySent(recipients) ? 'some_recipients_failed' : null };
  return { ...ended, reason };
}

/**
 * State of a message after an attempt.
 * @param results in the order of its recipients; null for those that were not attempted
 * @param nextAttemptAt null after the last attempt
 * @param reason for which the recipients who did not get it did not
 */
export function determineStateAfterAttempt(
  message: MessageRecord,
  results: readonly (RecipientResult | null)[],
  { nextAttemptAt, reason, now }: { nextAttemptAt: Date | null; reason: MessageReason; now: Date },
): Partial<MessageState> {
  const recipients = applyResults(readRecipients(message), results, nextAttemptAt === null);
  const status = determineMessageStatus(recipients);
  // Cancelled during the transmission, which did not succeed.
  if (status === 'cancelled') return {};
  const state = toState(message, recipients, reason, now);
  return status === 'queued' ? { ...state, nextAttemptAt } : state;
}

/** State of a queued message that is not attempted any more. */
export const determineEndedState = (
  message: MessageRecord,
  status: 'failed' | 'cancelled',
  reason: MessageReason,
  now: Date,
): Partial<MessageState> => toState(message, endQueued(readRecipients(message), status), reason, now);

import { isUndelivered, UNDELIVERED } from '../../../domain/business/messages/message';
import { determineMessageStatus } from '../../../domain/business/messages/recipients';
import type { MessageRecipient } from '../../../domain/business/messages/recipients';
import { conflictError } from '../../../domain/errors';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { isInvoiceVoid } from './message-endings';
import { emitMessageOutcome } from './message-outcome';
import { determineEndedState, readRecipients } from './message-state';
import { getMessage, wakeMessageDeliveries } from './messages';
import { findTransmissionObstacle } from './reminder-obstacles';
import type { TransmissionObstacle } from './reminder-obstacles';

/** Why a reminder is not sent again. */
const REMINDER_PROBLEMS: Readonly<Record<TransmissionObstacle | 'replaced', string>> = {
  invoice_settled: 'nothing is open any more.',
  open_amount_changed: 'the amount that is open has changed; the next run sends a reminder of the present one.',
  reminders_paused: 'its reminders are paused.',
  credit_available: 'credit of the customer covers the invoice; apply it first.',
  replaced: 'a later reminder of its level has replaced it.',
};

/** @throws AppError 409 `reminder_not_due` if a reminder that was not delivered would be cancelled instead of being sent */
async function requireDueReminder(
  unit: UnitOfWork,
  { company }: BusinessCaller,
  message: MessageRecord,
): Promise<void> {
  if (message.kind !== 'reminder' || !isUndelivered(message.status)) return;
  const problem =
    message.reminderKey === undefined
      ? 'replaced'
      : await findTransmissionObstacle(unit.platform, company, message, unit);
  if (problem !== null)
    throw conflictError('reminder_not_due', `The reminder is not sent again: ${REMINDER_PROBLEMS[problem]}`);
}

/** The recipients of a message to be sent now: those who did not get it wait for its next attempt again. */
const requeueUndelivered = (message: MessageRecord): MessageRecipient[] =>
  readRecipients(message).map((recipient) =>
    isUndelivered(message.status) && isUndelivered(recipient.status) ? { ...recipient, status: 'queued' } : recipient,
  );

const eraseAddresses = (recipients: readonly MessageRecipient[]): MessageRecipient[] =>
  recipients.map((recipient) => ({ ...recipient, address: null }));

/**
 * Has a message sent now: a queued one without waiting for its next attempt, one that failed or bounced again, to the
 * recipients who did not get it.
 * @throws AppError 404; 409 `message_ended`, also if every recipient got it, `already_void` if the invoice was
 *   voided, or `reminder_not_due`
 */
export async function retryMessage(platform: Platform, caller: BusinessCaller, id: string): Promise<MessageRecord> {
  const { organisationId } = caller;
  await getMessage(organisationId, id);
  return runTransaction(platform, async (unit) => {
    const own = {
      _id: id,
      organisationId,
      status: { $in: ['queued', ...UNDELIVERED] as const },
      erasedAt: null,
    };
    const session = unit.mongoSession;
    const current = await Message.findOne(own, null, { session }).lean<MessageRecord>();
    if (current !== null && (await isInvoiceVoid(current, unit)))
      throw conflictError('already_void', 'The invoice is void and is not sent.');
    if (current !== null) await requireDueReminder(unit, caller, current);
    const recipients = current === null ? [] : requeueUndelivered(current);
    if (current !== null && determineMessageStatus(recipients) !== 'queued')
      throw conflictError('message_ended', 'No recipient of the message has failed or bounced.');
    const record = await Message.findOneAndUpdate(
      own,
      { $set: { status: 'queued', recipients, reason: null, completedAt: null, nextAttemptAt: platform.clock.now() } },
      { session, returnDocument: 'after' },
    ).lean<MessageRecord>();
    if (record === null)
      throw conflictError(
        'message_ended',
        'Only a message that is queued, has failed or has bounced can be sent again.',
      );
    await unit.audit(caller, { actor: caller.id, action: 'message.retried', subject: id });
    wakeMessageDeliveries(unit, organisationId);
    return record;
  });
}

/** Removes recipients, subject and text of a message, and cancels it if it is queued. @throws AppError 404 */
export async function eraseMessage(platform: Platform, caller: BusinessCaller, id: string): Promise<MessageRecord> {
  const { organisationId } = caller;
  const now = platform.clock.now();
  await getMessage(organisationId, id);
  await runTransaction(platform, async (unit) => {
    const session = unit.mongoSession;
    const own = { _id: id, organisationId };
    const message = await Message.findOne(own, null, { session }).lean<MessageRecord>();
    if (message === null || message.erasedAt !== null) return;
    const state = message.status === 'queued' ? determineEndedState(message, 'cancelled', 'erased', now) : {};
    const recipients = eraseAddresses(state.recipients ?? readRecipients(message));
    const erased = await Message.findOneAndUpdate(
      own,
      { $set: { ...state, recipients, to: null, subject: null, text: null, erasedAt: now } },
      { session, returnDocument: 'after' },
    ).lean<MessageRecord>();
    // A queued message that some recipients had already got.
    if (erased !== null && state.status === 'sent') await emitMessageOutcome(unit, erased, now);
    await unit.audit(caller, {
      actor: caller.id,
      action: 'message.erased',
      subject: id,
      fields: ['recipients', 'subject', 'text'],
    });
  });
  return getMessage(organisationId, id);
}

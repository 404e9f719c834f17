import { conflictError } from '../../../domain/errors';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { getMessage, wakeMessageDeliveries } from './messages';

/**
 * Has a message sent now: a queued one without waiting for its next attempt, a failed one again.
 * @throws AppError 404; 409 `message_ended`
 */
export async function retryMessage(platform: Platform, caller: BusinessCaller, id: string): Promise<MessageRecord> {
  const { organisationId } = caller;
  await getMessage(organisationId, id);
  return runTransaction(platform, async (unit) => {
    const record = await Message.findOneAndUpdate(
      { _id: id, organisationId, status: { $in: ['queued', 'failed'] }, erasedAt: null },
      { $set: { status: 'queued', reason: null, completedAt: null, nextAttemptAt: platform.clock.now() } },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<MessageRecord>();
    if (record === null)
      throw conflictError('message_ended', 'Only a message that is queued or has failed can be sent again.');
    await unit.audit(caller, { actor: caller.id, action: 'message.retried', subject: id });
    wakeMessageDeliveries(unit, organisationId);
    return record;
  });
}

/** Removes recipient, subject and text of a message, and cancels it if it is queued. @throws AppError 404 */
export async function eraseMessage(platform: Platform, caller: BusinessCaller, id: string): Promise<MessageRecord> {
  const { organisationId } = caller;
  const now = platform.clock.now();
  await getMessage(organisationId, id);
  await runTransaction(platform, async (unit) => {
    const options = { session: unit.mongoSession };
    const own = { _id: id, organisationId };
    await Message.updateOne(
      { ...own, status: 'queued' },
      { $set: { status: 'cancelled', reason: 'erased', nextAttemptAt: null, completedAt: now } },
      options,
    );
    const erased = await Message.updateOne(
      { ...own, erasedAt: null },
      { $set: { to: null, subject: null, text: null, erasedAt: now } },
      options,
    );
    if (erased.modifiedCount === 0) return;
    await unit.audit(caller, {
      actor: caller.id,
      action: 'message.erased',
      subject: id,
      fields: ['to', 'subject', 'text'],
    });
  });
  return getMessage(organisationId, id);
}

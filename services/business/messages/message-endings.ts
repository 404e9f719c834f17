import type { MessageReason } from '../../../domain/business/messages/message';
import { Invoice } from '../../../models/business/invoices/invoice';
import { Message } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { emitMessageOutcome } from './message-outcome';
import { determineEndedState } from './message-state';

/** Ends a message that is not sent, if it is still queued. A reminder that was not sent can be sent later. */
export async function endQueuedMessage(
  unit: UnitOfWork,
  { _id, organisationId }: Pick<MessageRecord, '_id' | 'organisationId'>,
  status: 'failed' | 'cancelled',
  reason: MessageReason,
): Promise<void> {
  const at = unit.platform.clock.now();
  const own = { _id, organisationId, status: 'queued' } as const;
  const message = await Message.findOne(own, null, { session: unit.mongoSession }).lean<MessageRecord>();
  if (message === null) return;
  const state = determineEndedState(message, status, reason, at);
  const ended = await Message.findOneAndUpdate(
    own,
    { $set: state, ...(state.status === 'cancelled' ? { $unset: { reminderKey: 1 } } : {}) },
    { session: unit.mongoSession, returnDocument: 'after' },
  ).lean<MessageRecord>();
  if (ended !== null) await emitMessageOutcome(unit, ended, at);
}

/** Cancels the messages with an invoice that are still queued when it is voided: the customer would receive a claim. */
export async function cancelInvoiceMessages(
  unit: UnitOfWork,
  organisationId: string,
  invoiceId: number,
): Promise<void> {
  const about = { organisationId, documentKind: 'invoice', documentId: invoiceId, status: 'queued' } as const;
  const queued = await Message.find(about, { organisationId: 1, kind: 1 })
    .session(unit.mongoSession)
    .lean<Pick<MessageRecord, '_id' | 'organisationId' | 'kind'>[]>();
  for (const message of queued)
    await endQueuedMessage(unit, message, 'cancelled', message.kind === 'reminder' ? 'invoice_settled' : 'cancelled');
}

/** Finds out whether the invoice that a message is about was voided. */
export async function isInvoiceVoid(
  { organisationId, documentKind, documentId }: Pick<MessageRecord, 'organisationId' | 'documentKind' | 'documentId'>,
  unit: UnitOfWork | null = null,
): Promise<boolean> {
  if (documentKind !== 'invoice' || documentId === null) return false;
  const voided = Invoice.exists({ organisationId, id: documentId, status: 'void' });
  return (await voided.session(unit?.mongoSession ?? null)) !== null;
}

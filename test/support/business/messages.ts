import type { z } from 'zod';
import { messageSchema } from '../../../api/business/messages/message-responses';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import { pollUntilFound } from '../poll';
import { getData } from './client';
import type { BusinessClient } from './client';

export type SentMessage = z.infer<typeof messageSchema>;

/** A message by its documented schema. */
export const parseMessage = (data: unknown): SentMessage => messageSchema.parse(data);

/** A message as it is now. */
export const readMessage = async (client: BusinessClient, id: string): Promise<SentMessage> =>
  parseMessage(getData(await client.get(`/api/messages/${id}`)));

/** Waits until a message is in a state that passes. */
export const waitForMessage = (
  client: BusinessClient,
  id: string,
  passes: (message: SentMessage) => boolean,
): Promise<SentMessage> =>
  pollUntilFound(async () => {
    const message = await readMessage(client, id);
    return passes(message) ? message : undefined;
  });

/** Waits until a message has the status. */
export const waitForMessageStatus = (
  client: BusinessClient,
  id: string,
  status: SentMessage['status'],
): Promise<SentMessage> => waitForMessage(client, id, (message) => message.status === status);

/** The events of a message of an invoice in their order: `message.sent`, `message.failed`, `message.bounced`. */
export async function listMessageEvents(
  client: BusinessClient,
  messageId: string,
  customerId: number,
): Promise<{ type: string; reason: unknown }[]> {
  const { organisationId } = client.tenant;
  const events = await WebhookEvent.find({ organisationId, mode: 'live', subjectId: messageId })
    .sort({ _id: 1 })
    .lean();
  const { documentId, level } = await readMessage(client, messageId);
  return events.map(({ type, body }) => {
    const { data } = JSON.parse(body ?? '{}') as { data: Record<string, unknown> };
    expect(data).toMatchObject({ messageId, kind: 'invoice', documentId, customerId, level });
    return { type, reason: data['reason'] };
  });
}

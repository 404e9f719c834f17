import type { ClientSession } from 'mongoose';
import type { DeliveryBody } from '../../../domain/platform/webhooks/event-types';
import type { WebhookEventRecord } from '../../../models/platform/webhooks/webhook-event';
import { openValues } from '../evidence/data-keys';
import { createFieldCipher } from '../evidence/field-cipher';
import type { Platform, Scope } from '../platform';

/** Marks encrypted bodies: JSON begins with a brace. */
const SEALED_PREFIX = 'sealed:';

const buildName = (subjectId: string): string => `webhook_events.${subjectId}.body`;

/** Whether a body has what the client calls the person: everything else in it is an id, a status or a code. */
const namesPerson = ({ data }: DeliveryBody): boolean =>
  typeof data === 'object' && data !== null && 'externalId' in data && data.externalId !== null;

/** The stored form of a body: encrypted with the data key of its subject if it names a person. */
export async function storeEventBody(
  platform: Platform,
  mongoSession: ClientSession,
  scope: Scope,
  subjectId: string,
  content: DeliveryBody,
): Promise<string> {
  const body = JSON.stringify(content);
  if (!namesPerson(content)) return body;
  const bytes = Buffer.from(body, 'utf8');
  const { organisationId, mode } = scope;
  const owner = { organisationId, mode, recordId: subjectId };
  const field = { owner, name: buildName(subjectId), value: bytes };
  const [sealed] = await createFieldCipher(platform).seal([field], mongoSession);
  return sealed === undefined ? body : SEALED_PREFIX + sealed.toString('base64');
}

/** The body of an event as it is sent; null once its subject is erased. */
export async function readEventBody(
  platform: Platform,
  event: Pick<WebhookEventRecord, 'organisationId' | 'mode' | 'subjectId' | 'body'>,
): Promise<string | null> {
  const { body, subjectId, organisationId, mode } = event;
  if (typeof body !== 'string') return null;
  if (!body.startsWith(SEALED_PREFIX)) return body;
  const sealed = Buffer.from(body.slice(SEALED_PREFIX.length), 'base64');
  const values = [{ recordId: subjectId, name: buildName(subjectId), sealed }];
  const [opened] = await openValues(platform, { organisationId, mode }, values);
  return opened?.toString('utf8') ?? null;
}

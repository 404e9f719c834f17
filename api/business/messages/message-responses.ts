import { z } from 'zod';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import {
  ATTEMPT_RESULTS,
  MESSAGE_KINDS,
  MESSAGE_REASONS,
  MESSAGE_STATUSES,
} from '../../../domain/business/messages/message';
import { RECIPIENT_FIELDS } from '../../../domain/business/messages/recipients';
import { MESSAGE_DOCUMENT_KINDS, MESSAGE_FORMATS } from '../../../models/business/messages/message';
import type { MessageRecord } from '../../../models/business/messages/message';
import { readActors } from '../../../services/platform/access/actors';
import { readRecipients } from '../../../services/business/messages/message-state';
import { actorNameOrSystem, findActorName } from '../../platform/access/actor-names';
import type { ActorNames } from '../../platform/access/actor-names';
import { instant } from '../fields';

export const messageSchema = z.object({
  id: z.string(),
  kind: z.enum(MESSAGE_KINDS),
  documentKind: z.enum(MESSAGE_DOCUMENT_KINDS).nullable(),
  documentId: z.number().int().nullable(),
  customerId: z.number().int().nullable(),
  level: z.number().int().nullable().meta({ description: 'Level of a reminder.' }),
  language: z.enum(DOCUMENT_LANGUAGES),
  to: z.string().nullable().meta({ description: 'First recipient; null once the content was erased.' }),
  recipients: z
    .array(
      z.object({
        address: z.string().nullable(),
        field: z.enum(RECIPIENT_FIELDS),
        status: z.enum(MESSAGE_STATUSES),
        replyCode: z.number().int().nullable().meta({ description: 'Last reply code of SMTP about the recipient.' }),
        enhancedCode: z.string().nullable().meta({ description: 'Enhanced status code (RFC 3463).' }),
      }),
    )
    .meta({ description: 'All recipients, each with its own status; addresses are null once the content was erased.' }),
  subject: z.string().nullable(),
  text: z.string().nullable(),
  formats: z.array(z.enum(MESSAGE_FORMATS)).meta({ description: 'Attached files of the document.' }),
  status: z.enum(MESSAGE_STATUSES).meta({
    description:
      '`queued`: waits for its next attempt. `sent`: the mail server of the company has accepted it, with `reason` `some_recipients_failed` not for all recipients. `bounced`: a delivery report says that a recipient did not get it. `failed` and `cancelled`: not sent; see `reason`.',
  }),
  reason: z.enum(MESSAGE_REASONS).nullable(),
  attempts: z.array(
    z.object({
      number: z.number().int(),
      at: instant,
      result: z.enum(ATTEMPT_RESULTS).meta({
        description:
          '`started`: in progress. `accepted`, `deferred` (attempted again), `rejected`: by the mail server. `unknown`: it ended after the message was sent and before the server responded, so the recipient may get the message twice.',
      }),
      durationMs: z.number().nullable(),
      replyCode: z.number().int().nullable().meta({ description: 'Reply code of SMTP.' }),
      enhancedCode: z.string().nullable().meta({ description: 'Enhanced status code (RFC 3463).' }),
      error: z.string().nullable(),
    }),
  ),
  reports: z
    .array(z.object({ at: instant, action: z.string(), status: z.string().nullable() }))
    .meta({ description: 'Delivery reports about the message (RFC 3464).' }),
  nextAttemptAt: instant.nullable(),
  createdBy: z.string().meta({ description: 'Id of the user or API key; `system` for the service itself.' }),
  createdByName: actorNameOrSystem,
  createdAt: instant,
  sentAt: instant.nullable(),
  completedAt: instant.nullable(),
});

export const exampleMessage = {
  id: 'msg_01JD8Q5Z3V9K2M4N6P8R0S2T4W',
  kind: 'invoice' as const,
  documentKind: 'invoice' as const,
  documentId: 1,
  customerId: 1,
  level: null,
  language: 'en' as const,
  to: 'billing@customer.example',
  recipients: [
    {
      address: 'billing@customer.example',
      field: 'to' as const,
      status: 'queued' as const,
      replyCode: null,
      enhancedCode: null,
    },
  ],
  subject: 'Invoice INV-2026-000001 from Example GmbH',
  text: 'Dear Sir or Madam, …\n',
  formats: ['pdf' as const],
  status: 'queued' as const,
  reason: null,
  attempts: [],
  reports: [],
  nextAttemptAt: '2026-11-21T10:00:00.000+01:00',
  createdBy: 'usr_01JD8Q5Z3V9K2M4N6P8R0S2T4W',
  createdByName: 'Alex Kim',
  createdAt: '2026-11-21T10:00:00.000+01:00',
  sentAt: null,
  completedAt: null,
};

const presentNamedMessage = (record: MessageRecord, names: ActorNames) => ({
  id: record._id,
  kind: record.kind,
  documentKind: record.documentKind,
  documentId: record.documentId,
  customerId: record.customerId,
  level: record.level,
  language: record.language,
  to: record.to,
  recipients: readRecipients(record).map(({ address, field, status, replyCode, enhancedCode }) => ({
    address,
    field,
    status,
    replyCode,
    enhancedCode,
  })),
  subject: record.subject,
  text: record.text,
  formats: [...record.formats],
  status: record.status,
  reason: record.reason,
  attempts: record.attempts.map(({ number, at, result, durationMs, replyCode, enhancedCode, error }) => ({
    number,
    at,
    result,
    durationMs,
    replyCode,
    enhancedCode,
    error,
  })),
  reports: record.reports.map(({ at, action, status }) => ({ at, action, status })),
  nextAttemptAt: record.nextAttemptAt,
  createdBy: record.createdBy,
  createdByName: findActorName(names, record.createdBy),
  createdAt: record.createdAt,
  sentAt: record.sentAt,
  completedAt: record.completedAt,
});

/** Presents messages of one organisation with the names of who sent them. */
export async function presentMessages(organisationId: string, records: readonly MessageRecord[]) {
  const { names } = await readActors(
    organisationId,
    records.map(({ createdBy }) => createdBy),
  );
  return records.map((record) => presentNamedMessage(record, names));
}

/** Presents a message with the name of who sent it. */
export async function presentMessage(record: MessageRecord) {
  const { names } = await readActors(record.organisationId, [record.createdBy]);
  return presentNamedMessage(record, names);
}

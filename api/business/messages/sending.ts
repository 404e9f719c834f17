import { z } from 'zod';
import { MAX_RECIPIENTS } from '../../../domain/business/messages/recipients';
import { DOCUMENT_FORMATS } from '../../../models/business/documents/rendition';
import type { PrintedKind } from '../../../models/business/documents/rendition';
import { eraseMessage, retryMessage } from '../../../services/business/messages/message-changes';
import {
  getMessage,
  listDocumentMessages,
  sendDocument,
  sendTestMessage,
} from '../../../services/business/messages/messages';
import type { SendInput } from '../../../services/business/messages/messages';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { email, idPath, line, paragraph } from '../fields';
import { serializeResponse } from '../serialization';
import { exampleMessage, messageSchema, presentMessage, presentMessages } from './message-responses';

const TAG = 'Messages';

export const attachedFormats = z
  .array(z.enum(DOCUMENT_FORMATS, { error: `accepts ${DOCUMENT_FORMATS.join(', ')}` }), { error: 'must be an array' })
  .max(DOCUMENT_FORMATS.length, `must have at most ${DOCUMENT_FORMATS.length} formats`)
  .refine((formats) => new Set(formats).size === formats.length, 'must not contain a format twice');

const addresses = z
  .array(email, { error: 'must be an array' })
  .max(MAX_RECIPIENTS, `must have at most ${MAX_RECIPIENTS} addresses`);

/** Fields of every request that sends a document. */
export const recipientFields = {
  to: z
    .union([email, addresses.min(1, 'must have at least one address')], {
      error: `must be an email address, or a list of 1 to ${MAX_RECIPIENTS}`,
    })
    .optional()
    .meta({ description: 'Recipient, or a list of them. Default: the e-mail address of the customer.' }),
  cc: addresses.optional().meta({ description: 'Recipients of a copy, whom all recipients see.' }),
  bcc: addresses.optional().meta({
    description: `Recipients of a copy whose addresses no recipient sees. At most ${MAX_RECIPIENTS} recipients together; one that is named twice is kept in the first of \`to\`, \`cc\` and \`bcc\`.`,
  }),
};

const sendBody = z.strictObject({
  ...recipientFields,
  subject: line(200)
    .optional()
    .meta({ description: 'Subject instead of that of the template. Placeholders are not replaced twice.' }),
  text: paragraph(10_000).optional().meta({ description: 'Text instead of that of the template.' }),
  formats: attachedFormats.optional().meta({
    description: 'Files to attach. Default: `formats` of the e-mail settings. An empty list attaches nothing.',
  }),
});

/** The recipients of a request. @see recipientFields */
export const toRecipientInput = ({
  to,
  cc,
  bcc,
}: z.infer<z.ZodObject<typeof recipientFields>>): Pick<SendInput, 'to' | 'cc' | 'bcc'> => ({
  to: to === undefined ? null : [to].flat(),
  cc: cc ?? [],
  bcc: bcc ?? [],
});

const messageReply = { schema: z.object({ data: messageSchema }), example: { data: exampleMessage } };
const queuedReply = {
  202: {
    description: 'The queued message.',
    schema: z.object({ data: messageSchema, message: z.string() }),
    example: { data: exampleMessage, message: 'The message is being sent.' },
  },
};
const QUEUED = 'The message is being sent.';

interface SentDocument {
  kind: PrintedKind;
  path: string;
  noun: string;
  name: string;
}

const defineSendRoute = ({ kind, path, noun, name }: SentDocument): Route =>
  defineRoute({
    method: 'post',
    path: `${path}/:id/send`,
    operationId: `send${name}`,
    summary: `Send the ${noun} by e-mail`,
    description:
      'Queues a message with the template of the company in the language of the document, and with the attached files. ' +
      'It is sent in the background; outages and temporary refusals are repeated for three days. ' +
      'Send an `Idempotency-Key`, so that a repeated request sends nothing twice.',
    tag: TAG,
    addition: true,
    permission: 'messages:send',
    idempotent: true,
    params: idPath,
    body: sendBody,
    bodyExample: { to: ['billing@customer.example'], cc: ['office@customer.example'], formats: ['pdf', 'ubl'] },
    replies: queuedReply,
    errors: {
      409: '`email_not_configured`: set the e-mail settings first. `invoice_not_issued`, `already_void`, or `einvoice_unfit` for an electronic format.',
    },
    async handle(context, { params, body }) {
      const caller = await getCaller(context);
      const input = {
        ...toRecipientInput(body),
        subject: body.subject ?? null,
        text: body.text ?? null,
        formats: body.formats ?? null,
      };
      const record = await sendDocument(context.platform, caller, { kind, id: params.id }, input, context.idempotency);
      const data = await presentMessage(record);
      return { status: 202, body: serializeResponse({ data, message: QUEUED }, caller.company.timeZone) };
    },
  });

const defineListRoute = ({ kind, path, noun, name }: SentDocument): Route =>
  defineRoute({
    method: 'get',
    path: `${path}/:id/messages`,
    operationId: `list${name}Messages`,
    summary: `Messages about the ${noun}`,
    description: 'The last 100 messages, newest first, with every attempt and delivery report.',
    tag: TAG,
    addition: true,
    permission: 'messages:read',
    params: idPath,
    replies: {
      200: {
        description: 'The messages.',
        schema: z.object({ data: z.array(messageSchema) }),
        example: { data: [exampleMessage] },
      },
    },
    async handle(context, { params }) {
      const { organisationId, company } = await getCaller(context);
      const records = await listDocumentMessages(organisationId, { kind, id: params.id });
      return {
        status: 200,
        body: serializeResponse({ data: await presentMessages(organisationId, records) }, company.timeZone),
      };
    },
  });

const messagePath = z.object({ messageId: z.string().regex(/^msg_[0-9A-Z]{26}$/, 'must be the id of a message') });

const read = defineRoute({
  method: 'get',
  path: '/api/messages/:messageId',
  operationId: 'getMessage',
  summary: 'Message detail',
  tag: TAG,
  addition: true,
  permission: 'messages:read',
  params: messagePath,
  replies: { 200: { description: 'The message.', ...messageReply } },
  async handle(context, { params }) {
    const { organisationId, company } = await getCaller(context);
    const data = await presentMessage(await getMessage(organisationId, params.messageId));
    return { status: 200, body: serializeResponse({ data }, company.timeZone) };
  },
});

const retry = defineRoute({
  method: 'post',
  path: '/api/messages/:messageId/retry',
  operationId: 'retryMessage',
  summary: 'Send a message now',
  description:
    'A queued message does not wait for its next attempt, and one that failed or bounced is sent again to the recipients who did not get it.',
  tag: TAG,
  addition: true,
  permission: 'messages:send',
  params: messagePath,
  replies: queuedReply,
  errors: {
    409: 'The message was sent, cancelled or erased (`message_ended`), its invoice was voided (`already_void`), or a reminder that was not delivered is not due any more (`reminder_not_due`): nothing or another amount is open, its reminders are paused, or a later one has replaced it.',
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const data = await presentMessage(await retryMessage(context.platform, caller, params.messageId));
    return { status: 202, body: serializeResponse({ data, message: QUEUED }, caller.company.timeZone) };
  },
});

const erase = defineRoute({
  method: 'delete',
  path: '/api/messages/:messageId',
  operationId: 'eraseMessage',
  summary: 'Erase the content of a message',
  description:
    'Removes recipients, subject and text. A queued message is cancelled. That a message about the document was sent, and when, is kept.',
  tag: TAG,
  addition: true,
  permission: 'messages:send',
  params: messagePath,
  replies: { 200: { description: 'The message without its content.', ...messageReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const data = await presentMessage(await eraseMessage(context.platform, caller, params.messageId));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const sendTest = defineRoute({
  method: 'post',
  path: '/api/config/email/test',
  operationId: 'sendTestMessage',
  summary: 'Send a test message',
  description: 'Queues a message without a document; its attempts show whether the settings work.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  idempotent: true,
  body: z.strictObject({ to: email }),
  bodyExample: { to: 'me@example.com' },
  replies: queuedReply,
  errors: { 409: '`email_not_configured`: set the e-mail settings first.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const data = await presentMessage(await sendTestMessage(context.platform, caller, body.to, context.idempotency));
    return { status: 202, body: serializeResponse({ data, message: QUEUED }, caller.company.timeZone) };
  },
});

const INVOICE: SentDocument = { kind: 'invoice', path: '/api/invoices', noun: 'invoice', name: 'Invoice' };
const CREDIT_NOTE: SentDocument = {
  kind: 'credit_note',
  path: '/api/credit-notes',
  noun: 'credit note',
  name: 'CreditNote',
};

export const sendingRoutes: readonly Route[] = [
  defineSendRoute(INVOICE),
  defineListRoute(INVOICE),
  defineSendRoute(CREDIT_NOTE),
  defineListRoute(CREDIT_NOTE),
  read,
  retry,
  erase,
  sendTest,
];

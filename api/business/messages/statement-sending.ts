import { z } from 'zod';
import { STATEMENT_FORMATS } from '../../../domain/business/payments/statement';
import { listStatementMessages, sendStatement } from '../../../services/business/messages/statement-messages';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { idPath, line, paragraph } from '../fields';
import { periodParameters, readStatement } from '../payments/statements';
import { serializeResponse } from '../serialization';
import { exampleMessage, messageSchema, presentMessage, presentMessages } from './message-responses';
import { recipientFields, toRecipientInput } from './sending';

const TAG = 'Messages';
const PATH = '/api/customers/:id/statement';
const QUEUED = 'The message is being sent.';

const exampleStatementMessage = {
  ...exampleMessage,
  kind: 'statement' as const,
  documentKind: 'statement' as const,
  subject: 'Statement of account of Example GmbH: Jan 1, 2026 to Nov 23, 2026',
  formats: ['pdf' as const, 'csv' as const],
};

const sendBody = z.strictObject({
  ...recipientFields,
  ...periodParameters,
  subject: line(200).optional().meta({ description: 'Subject instead of that of the template.' }),
  text: paragraph(10_000).optional().meta({ description: 'Text instead of that of the template.' }),
  formats: z
    .array(z.enum(STATEMENT_FORMATS, { error: `accepts ${STATEMENT_FORMATS.join(', ')}` }), {
      error: 'must be an array',
    })
    .min(1, 'must have at least one format')
    .max(STATEMENT_FORMATS.length, `must have at most ${STATEMENT_FORMATS.length} formats`)
    .refine((formats) => new Set(formats).size === formats.length, 'must not contain a format twice')
    .optional()
    .meta({ description: 'Files to attach. Default: all.' }),
});

const send = defineRoute({
  method: 'post',
  path: `${PATH}/send`,
  operationId: 'sendCustomerStatement',
  summary: 'Send the statement of a customer by e-mail',
  description:
    'Queues a message with the statement of the period as it is now, as PDF and CSV, with the template of the company in ' +
    'the language of the customer. It is sent, repeated and reported on like a message with an invoice. ' +
    'Send an `Idempotency-Key`, so that a repeated request sends nothing twice.',
  tag: TAG,
  addition: true,
  permission: 'messages:send',
  idempotent: true,
  params: idPath,
  body: sendBody,
  bodyExample: { to: 'billing@customer.example', dateFrom: '2026-01-01', dateTo: '2026-11-23' },
  replies: {
    202: {
      description: 'The queued message.',
      schema: z.object({ data: messageSchema, message: z.string() }),
      example: { data: exampleStatementMessage, message: QUEUED },
    },
  },
  errors: { 409: '`email_not_configured`: set the e-mail settings first.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const statement = await readStatement(context, caller, params.id, body);
    const input = {
      ...toRecipientInput(body),
      subject: body.subject ?? null,
      text: body.text ?? null,
      formats: body.formats ?? [...STATEMENT_FORMATS],
    };
    const record = await sendStatement(context.platform, caller, statement, input, context.idempotency);
    const data = await presentMessage(record);
    return { status: 202, body: serializeResponse({ data, message: QUEUED }, caller.company.timeZone) };
  },
});

const list = defineRoute({
  method: 'get',
  path: `${PATH}/messages`,
  operationId: 'listCustomerStatementMessages',
  summary: 'Messages with statements of a customer',
  description: 'The last 100 messages, newest first, with every attempt and delivery report.',
  tag: TAG,
  addition: true,
  permission: 'messages:read',
  params: idPath,
  replies: {
    200: {
      description: 'The messages.',
      schema: z.object({ data: z.array(messageSchema) }),
      example: { data: [exampleStatementMessage] },
    },
  },
  async handle(context, { params }) {
    const { organisationId, company } = await getCaller(context);
    const records = await listStatementMessages(organisationId, params.id);
    return {
      status: 200,
      body: serializeResponse({ data: await presentMessages(organisationId, records) }, company.timeZone),
    };
  },
});

export const statementSendingRoutes: readonly Route[] = [send, list];

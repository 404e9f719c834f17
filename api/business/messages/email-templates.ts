import { z } from 'zod';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import { PLACEHOLDERS, TEMPLATE_KINDS } from '../../../domain/business/messages/templates';
import { listTemplates, resetTemplate, setTemplate } from '../../../services/business/messages/email-templates';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { language, line, paragraph } from '../fields';

const TAG = 'Configuration';
const PATH = '/api/config/email/templates';

const templateSchema = z.object({
  kind: z.enum(TEMPLATE_KINDS),
  language: z.enum(DOCUMENT_LANGUAGES),
  subject: z.string(),
  text: z.string(),
  changed: z.boolean().meta({ description: 'Whether the company has changed the text.' }),
});

const exampleTemplate = {
  kind: 'invoice' as const,
  language: 'en' as const,
  subject: 'Invoice {{documentNumber}} from {{companyName}}',
  text: 'Dear Sir or Madam,\n\nplease find attached our invoice {{documentNumber}} over {{total}}.\n',
  changed: true,
};

const placeholderList = Object.entries(PLACEHOLDERS)
  .map(([name, meaning]) => `- \`{{${name}}}\`: ${meaning}`)
  .join('\n');

const templateBody = z.strictObject({
  kind: z.enum(TEMPLATE_KINDS, { error: `must be one of ${TEMPLATE_KINDS.join(', ')}` }),
  language,
  subject: line(200),
  text: paragraph(10_000).refine((text) => text !== '', 'must not be empty'),
});

const list = defineRoute({
  method: 'get',
  path: PATH,
  operationId: 'listEmailTemplates',
  summary: 'List the texts of messages',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  replies: {
    200: {
      description: 'One text for each kind of message and language.',
      schema: z.object({ data: z.array(templateSchema) }),
      example: { data: [exampleTemplate] },
    },
  },
  async handle(context) {
    return { status: 200, body: { data: await listTemplates(await getCaller(context)) } };
  },
});

const update = defineRoute({
  method: 'put',
  path: PATH,
  operationId: 'setEmailTemplate',
  summary: 'Change the text of a kind of message',
  description: `Plain text with placeholders, which are replaced once. A line that has only placeholders without a value is left out.\n\n${placeholderList}`,
  tag: TAG,
  addition: true,
  permission: 'config:update',
  body: templateBody,
  bodyExample: { kind: 'invoice', language: 'en', subject: exampleTemplate.subject, text: exampleTemplate.text },
  replies: {
    200: { description: 'The text.', schema: z.object({ data: templateSchema }), example: { data: exampleTemplate } },
  },
  async handle(context, { body: { kind, language: code, subject, text } }) {
    const key = { kind, language: code };
    const data = await setTemplate(context.platform, await getCaller(context), key, { subject, text });
    return { status: 200, body: { data } };
  },
});

const reset = defineRoute({
  method: 'delete',
  path: PATH,
  operationId: 'resetEmailTemplate',
  summary: 'Return to the default text',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  query: z.strictObject({
    kind: z.enum(TEMPLATE_KINDS, { error: `must be one of ${TEMPLATE_KINDS.join(', ')}` }),
    language,
  }),
  replies: {
    200: {
      description: 'The default text.',
      schema: z.object({ data: templateSchema }),
      example: { data: { ...exampleTemplate, changed: false } },
    },
  },
  async handle(context, { query: { kind, language: code } }) {
    const key = { kind, language: code };
    return { status: 200, body: { data: await resetTemplate(context.platform, await getCaller(context), key) } };
  },
});

export const emailTemplateRoutes: readonly Route[] = [list, update, reset];

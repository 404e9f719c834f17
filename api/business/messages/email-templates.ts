import { z } from 'zod';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import { PLACEHOLDERS, TEMPLATE_KINDS } from '../../../domain/business/messages/templates';
import {
  getTemplate,
  listTemplates,
  resetTemplate,
  setTemplate,
} from '../../../services/business/messages/email-templates';
import type { CurrentTemplate } from '../../../services/business/messages/email-templates';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { VERSION_MISMATCH } from '../../http/versions';
import { getCaller } from '../caller';
import { language, line, paragraph } from '../fields';
import { buildEtagHeader, parseIfMatch } from '../revisions';

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

const kind = z.enum(TEMPLATE_KINDS, { error: `must be one of ${TEMPLATE_KINDS.join(', ')}` });

const present = ({ version: _, ...template }: CurrentTemplate) => template;

const respond = (template: CurrentTemplate) =>
  ({ status: 200, headers: buildEtagHeader(template.version), body: { data: present(template) } }) as const;

const placeholderList = Object.entries(PLACEHOLDERS)
  .map(([name, meaning]) => `- \`{{${name}}}\`: ${meaning}`)
  .join('\n');

const templateBody = z.strictObject({
  kind,
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
    return { status: 200, body: { data: (await listTemplates(await getCaller(context))).map(present) } };
  },
});

const detail = defineRoute({
  method: 'get',
  path: `${PATH}/:kind/:language`,
  operationId: 'getEmailTemplate',
  summary: 'Get the text of a kind of message',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  params: z.strictObject({ kind, language }),
  replies: {
    200: { description: 'The text.', schema: z.object({ data: templateSchema }), example: { data: exampleTemplate } },
  },
  async handle(context, { params }) {
    const { organisationId } = await getCaller(context);
    return respond(await getTemplate(organisationId, params.kind, params.language));
  },
});

const update = defineRoute({
  method: 'put',
  path: PATH,
  operationId: 'setEmailTemplate',
  summary: 'Change the text of a kind of message',
  description: `Plain text with placeholders, which are replaced once. A line that has only placeholders without a value is left out. Honours If-Match.\n\n${placeholderList}`,
  tag: TAG,
  addition: true,
  permission: 'config:update',
  body: templateBody,
  bodyExample: { kind: 'invoice', language: 'en', subject: exampleTemplate.subject, text: exampleTemplate.text },
  replies: {
    200: { description: 'The text.', schema: z.object({ data: templateSchema }), example: { data: exampleTemplate } },
  },
  errors: { 412: VERSION_MISMATCH },
  async handle(context, { body: { subject, text, ...key } }) {
    const [caller, ifMatch] = [await getCaller(context), parseIfMatch(context)];
    return respond(await setTemplate(context.platform, caller, key, { subject, text }, ifMatch));
  },
});

const reset = defineRoute({
  method: 'delete',
  path: PATH,
  operationId: 'resetEmailTemplate',
  summary: 'Return to the default text',
  description: 'Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  query: z.strictObject({ kind, language }),
  replies: {
    200: {
      description: 'The default text.',
      schema: z.object({ data: templateSchema }),
      example: { data: { ...exampleTemplate, changed: false } },
    },
  },
  errors: { 412: VERSION_MISMATCH },
  async handle(context, { query }) {
    return respond(await resetTemplate(context.platform, await getCaller(context), query, parseIfMatch(context)));
  },
});

export const emailTemplateRoutes: readonly Route[] = [list, detail, update, reset];

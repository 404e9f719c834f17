import { z } from 'zod';
import { getAddressFamily } from '../../../lib/egress/address';
import { SMTP_SECURITIES } from '../../../lib/mail/smtp-server';
import { DOCUMENT_FORMATS } from '../../../models/business/documents/rendition';
import type { EmailSettingsRecord } from '../../../models/business/messages/email-settings';
import {
  findEmailSettings,
  removeEmailSettings,
  setEmailSettings,
} from '../../../services/business/messages/email-settings';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { email, instant, line, paragraph } from '../fields';
import { buildEtagHeader, parseIfMatch } from '../revisions';
import { serializeResponse } from '../serialization';
import { attachedFormats } from './sending';

const TAG = 'Configuration';

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*\.?$/i;
const PORT = 'must be a whole number from 1 to 65535';

const settingsSchema = z.object({
  host: z.string(),
  port: z.number().int(),
  security: z.enum(SMTP_SECURITIES),
  user: z.string().nullable(),
  hasPassword: z.boolean().meta({ description: 'Whether a password is stored; it is never returned.' }),
  caCertificate: z.string().nullable(),
  fromAddress: z.string(),
  fromName: z.string().nullable(),
  replyTo: z.string().nullable(),
  bounceAddress: z.string().nullable(),
  formats: z.array(z.enum(DOCUMENT_FORMATS)),
  updatedAt: instant,
});

const exampleSettings = {
  host: 'smtp.example.com',
  port: 587,
  security: 'starttls' as const,
  user: 'billing@example.com',
  hasPassword: true,
  caCertificate: null,
  fromAddress: 'billing@example.com',
  fromName: 'Example GmbH',
  replyTo: null,
  bounceAddress: 'bounces@example.com',
  formats: ['pdf' as const],
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentSettings = (record: EmailSettingsRecord) => ({
  host: record.host,
  port: record.port,
  security: record.security,
  user: record.user,
  hasPassword: record.password !== null,
  caCertificate: record.caCertificate,
  fromAddress: record.fromAddress,
  fromName: record.fromName,
  replyTo: record.replyTo,
  bounceAddress: record.bounceAddress,
  formats: [...record.formats],
  updatedAt: record.updatedAt,
});

const body = z.strictObject({
  host: line(253)
    .refine((host) => HOST_NAME.test(host) || getAddressFamily(host) !== 0, 'must be a host name or an IP address')
    .meta({
      description: 'Host name of the SMTP server. It must lead to public addresses unless the operator allows it.',
    }),
  port: z.number({ error: PORT }).int(PORT).min(1, PORT).max(65_535, PORT),
  security: z
    .enum(SMTP_SECURITIES, { error: `must be one of ${SMTP_SECURITIES.join(', ')}` })
    .default('starttls')
    .meta({
      description:
        '`tls`: encrypted from the start (usually port 465). `starttls`: encrypted after STARTTLS, which is required (usually 587). `none`: only for servers that the operator allows in EGRESS_ALLOW.',
    }),
  user: line(320).nullable().default(null),
  password: z
    .string({ error: 'must be a string' })
    .min(1, 'must not be empty')
    .max(1000, 'must have at most 1000 characters')
    .nullable()
    .optional()
    .meta({ writeOnly: true, description: 'Stored encrypted. Without it the stored one is kept; null removes it.' }),
  caCertificate: paragraph(20_000)
    .nullable()
    .default(null)
    .meta({ description: 'Certificate of a private authority, PEM, which replaces those of the system.' }),
  fromAddress: email,
  fromName: line(200).nullable().default(null).meta({ description: 'Default: the legal name of the company.' }),
  replyTo: email.nullable().default(null),
  bounceAddress: email.nullable().default(null).meta({
    description:
      'Mailbox of delivery reports. Each message gets an envelope sender of its own in it, such as bounces+msg_…@example.com.',
  }),
  formats: attachedFormats
    .default(['pdf'])
    .meta({ description: 'Files that are attached unless a request names others.' }),
});

const read = defineRoute({
  method: 'get',
  path: '/api/config/email',
  operationId: 'getEmailSettings',
  summary: 'Get the e-mail settings',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  replies: {
    200: {
      description: 'The settings without the password; null if there are none.',
      schema: z.object({ data: settingsSchema.nullable() }),
      example: { data: exampleSettings },
    },
  },
  async handle(context) {
    const { organisationId, company } = await getCaller(context);
    const record = await findEmailSettings(organisationId);
    return {
      status: 200,
      headers: buildEtagHeader(record?.version ?? 0),
      body: serializeResponse({ data: record === null ? null : presentSettings(record) }, company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/email',
  operationId: 'setEmailSettings',
  summary: 'Set the e-mail settings',
  description:
    'Replaces the settings. Any SMTP server can be used. A stored password is kept if none is sent, but only for the same server and user. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  body,
  bodyExample: {
    host: 'smtp.example.com',
    port: 587,
    security: 'starttls',
    user: 'billing@example.com',
    password: 'correct horse battery staple',
    fromAddress: 'billing@example.com',
    bounceAddress: 'bounces@example.com',
  },
  replies: {
    200: {
      description: 'The settings without the password.',
      schema: z.object({ data: settingsSchema }),
      example: { data: exampleSettings },
    },
  },
  errors: { 412: 'The record has changed since the version that If-Match names.' },
  async handle(context, { body: sent }) {
    const caller = await getCaller(context);
    const input = { ...sent, password: sent.password };
    const record = await setEmailSettings(context.platform, caller, input, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentSettings(record) }, caller.company.timeZone),
    };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/api/config/email',
  operationId: 'removeEmailSettings',
  summary: 'Remove the e-mail settings',
  description: 'Removes them with the password. Messages that are still queued fail.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  replies: {
    200: {
      description: 'There are no settings.',
      schema: z.object({ message: z.string() }),
      example: { message: 'The e-mail settings were removed.' },
    },
  },
  async handle(context) {
    await removeEmailSettings(context.platform, await getCaller(context));
    return { status: 200, body: { message: 'The e-mail settings were removed.' } };
  },
});

export const emailSettingsRoutes: readonly Route[] = [read, update, remove];

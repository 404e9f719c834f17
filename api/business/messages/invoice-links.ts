import { z } from 'zod';
import type { InvoiceLinkRecord } from '../../../models/business/messages/invoice-link';
import {
  buildLinkUrl,
  createLink,
  DEFAULT_LINK_DAYS,
  listLinks,
  revokeLink,
} from '../../../services/business/messages/invoice-links';
import type { Platform } from '../../../services/platform/platform';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { idPath, instant } from '../fields';
import { serializeResponse } from '../serialization';

const TAG = 'Messages';
const MAX_LINK_DAYS = 730;
const DAYS = `must be a whole number of days, 1 to ${MAX_LINK_DAYS}`;

const linkSchema = z.object({
  id: z.string(),
  url: z.string().meta({ description: 'Address of the page. Whoever has it can open the page until it expires.' }),
  expiresAt: instant,
  revokedAt: instant.nullable(),
  firstOpenedAt: instant.nullable(),
  lastOpenedAt: instant.nullable(),
  createdAt: instant,
});

const exampleLink = {
  id: 'lnk_01JD8Q5Z3V9K2M4N6P8R0S2T4W',
  url: 'https://vouch.example.com/invoice/lnk_01JD8Q5Z3V9K2M4N6P8R0S2T4W.k1.3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
  expiresAt: '2027-05-20T10:00:00.000+02:00',
  revokedAt: null,
  firstOpenedAt: null,
  lastOpenedAt: null,
  createdAt: '2026-11-21T10:00:00.000+01:00',
};

const presentLink = (platform: Platform, record: InvoiceLinkRecord) => ({
  id: record._id,
  url: buildLinkUrl(platform, record),
  expiresAt: record.expiresAt,
  revokedAt: record.revokedAt,
  firstOpenedAt: record.firstOpenedAt,
  lastOpenedAt: record.lastOpenedAt,
  createdAt: record.createdAt,
});

const linkReply = { schema: z.object({ data: linkSchema }), example: { data: exampleLink } };

const create = defineRoute({
  method: 'post',
  path: '/api/invoices/:id/links',
  operationId: 'createInvoiceLink',
  summary: 'Create a link to the page of the invoice',
  description:
    'The page shows the invoice, its files and how to pay, without a sign-in. Messages contain a link of their own.',
  tag: TAG,
  addition: true,
  permission: 'messages:send',
  idempotent: true,
  params: idPath,
  body: z.strictObject({
    expiresInDays: z.number({ error: DAYS }).int(DAYS).min(1, DAYS).max(MAX_LINK_DAYS, DAYS).default(DEFAULT_LINK_DAYS),
  }),
  bodyExample: { expiresInDays: 30 },
  replies: { 201: { description: 'The link.', ...linkReply } },
  errors: { 409: '`invoice_not_issued`: a draft has no page.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { platform, idempotency } = context;
    const record = await createLink(platform, caller, params.id, body.expiresInDays, idempotency);
    const data = presentLink(platform, record);
    return { status: 201, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/api/invoices/:id/links',
  operationId: 'listInvoiceLinks',
  summary: 'Links to the page of the invoice',
  tag: TAG,
  addition: true,
  permission: 'messages:send',
  params: idPath,
  replies: {
    200: {
      description: 'The last 100 links, newest first.',
      schema: z.object({ data: z.array(linkSchema) }),
      example: { data: [exampleLink] },
    },
  },
  errors: { 409: '`invoice_not_issued`: a draft has no page.' },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const records = await listLinks(caller, params.id);
    const data = records.map((record) => presentLink(context.platform, record));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: '/api/invoices/:id/links/:linkId',
  operationId: 'revokeInvoiceLink',
  summary: 'Revoke a link',
  description: 'The page cannot be opened with it from now on; revoking it again has no effect.',
  tag: TAG,
  addition: true,
  permission: 'messages:send',
  params: idPath.extend({ linkId: z.string().regex(/^lnk_[0-9A-Z]{26}$/, 'must be the id of a link') }),
  replies: { 200: { description: 'The revoked link.', ...linkReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await revokeLink(context.platform, caller, params.id, params.linkId);
    const data = presentLink(context.platform, record);
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const invoiceLinkRoutes: readonly Route[] = [create, list, revoke];

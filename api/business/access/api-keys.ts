import { z } from 'zod';
import { isCalendarDate, readLowerInstant, readUpperInstant, toCalendarDate } from '../../../domain/business/calendar';
import { isPermission, PERMISSIONS } from '../../../domain/business/access/permissions';
import { invalidFieldError } from '../../../domain/errors';
import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import { API_KEY_SORT_FIELDS, listBusinessKeys } from '../../../services/business/access/api-keys';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { getApiKeyStatus, createApiKey, revokeApiKey } from '../../../services/platform/access/api-keys';
import { idParam } from '../../http/paging';
import { buildKeyParent } from '../../http/key-parent';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { DATE_OR_TIME, instant, line } from '../fields';
import { parseCreatedFilter, buildListResponse, listParameters, toListRequest, buildListSchema } from '../listing';
import { IP_RANGE } from '../../http/ip-range';

const STATUSES = ['Active', 'Revoked'] as const;

const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  allowedIps: z
    .array(z.string())
    .meta({ description: 'CIDRs from which the key can be used; empty if any address is allowed.' }),
  expiresAt: instant.nullable(),
  expired: z.boolean(),
  lastUsedAt: instant
    .nullable()
    .meta({ description: 'Time of the last request with the key, accurate to ten seconds.' }),
  status: z.enum(STATUSES),
  createdAt: instant,
});

const exampleKey = {
  id: 'key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  name: 'Web shop',
  permissions: ['products:read', 'invoices:create'],
  allowedIps: ['203.0.113.0/24'],
  expiresAt: '2027-12-31T23:59:59.999+01:00',
  expired: false,
  lastUsedAt: null,
  status: 'Active',
  createdAt: '2026-11-21T10:00:00.000+01:00',
};

const presentKey = (record: ApiKeyRecord, now: Date) => ({
  id: record._id,
  name: record.name,
  permissions: record.permissions.filter(isPermission),
  allowedIps: record.allowedIps,
  expiresAt: record.expiresAt ?? null,
  expired: getApiKeyStatus({ ...record, revokedAt: null }, now) === 'expired',
  lastUsedAt: record.lastUsedAt ?? null,
  status: record.revokedAt == null ? ('Active' as const) : ('Revoked' as const),
  createdAt: record.createdAt,
});

const TAG = 'Administration';
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** The expiry of a key; a date means the last millisecond of that day. @throws AppError 400 */
function parseExpiry(sent: string | null | undefined, caller: BusinessCaller): Date | null | undefined {
  if (sent == null) return sent;
  const { timeZone } = caller.company;
  const isDate = DATE_ONLY.test(sent);
  const reading = (isDate ? readUpperInstant : readLowerInstant)(sent, timeZone);
  if ('problem' in reading) throw invalidFieldError('expiresAt', reading.problem);
  const expiresAt = isDate ? new Date(reading.value.getTime() - 1) : reading.value;
  // A date-time with an offset can be in the year 10000 of the company, which responses could not state in four digits.
  if (!isCalendarDate(toCalendarDate(expiresAt, timeZone)))
    throw invalidFieldError('expiresAt', 'is not a day of the calendar');
  return expiresAt;
}

const create = defineRoute({
  method: 'post',
  path: '/api/admin/api-keys',
  operationId: 'createApiKey',
  summary: 'Create an API key',
  description:
    'The value of the key is returned only in this response and stored only as a hash. A key can only create keys with a subset of its own permissions, addresses and lifetime. A key ends when its creator, a user or a key, is deactivated or revoked.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  body: z.strictObject({
    name: line(100),
    permissions: z
      .array(z.enum(PERMISSIONS, { error: 'must be a permission module:action' }), { error: 'must be a list' })
      .min(1, 'must name at least one permission')
      .max(PERMISSIONS.length, 'must name each permission once'),
    allowedIps: z
      .array(z.string({ error: 'must be a string' }).max(50, 'must be an IP address or a CIDR').meta(IP_RANGE), {
        error: 'must be a list',
      })
      .max(50, 'must have at most 50 entries')
      .optional()
      .meta({ description: 'IP addresses or CIDRs from which the key can be used. Default: any address.' }),
    expiresAt: z
      .string({ error: 'must be an ISO 8601 date or date-time' })
      .max(40, 'must be an ISO 8601 date or date-time')
      .nullable()
      .optional()
      .meta({
        ...DATE_OR_TIME,
        description: 'Expiry of the key, ISO 8601; a date means the end of that day. Default: never.',
      }),
  }),
  bodyExample: { name: 'Web shop', permissions: ['products:read', 'invoices:create'], expiresAt: '2199-12-31' },
  replies: {
    201: {
      description:
        'The key with its value. The value is null if the request is repeated with the same Idempotency-Key.',
      schema: z.object({ data: keySchema.extend({ key: z.string().nullable() }), message: z.string() }),
      example: {
        data: { ...exampleKey, key: 'erp_01JQZ4R8W3M6N9P2T5V8X1Y4Z7_…' },
        message: 'API key created; its value is not shown again.',
      },
    },
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const expiresAt = parseExpiry(body.expiresAt, caller);
    const input = {
      name: body.name,
      permissions: body.permissions,
      allowedIps: body.allowedIps ?? [],
      expiresAt: expiresAt ?? null,
    };
    const { record, secret } = await createApiKey(
      context.platform,
      buildKeyParent(context, 'business'),
      input,
      context.idempotency,
    );
    const data = { ...presentKey(record, context.platform.clock.now()), key: secret };
    const message =
      secret === null
        ? 'API key created; its value was shown before.'
        : 'API key created; its value is not shown again.';
    return { status: 201, body: serializeResponse({ data, message }, caller.company.timeZone) };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/api/admin/api-keys',
  operationId: 'listApiKeys',
  summary: 'List API keys',
  description: 'Newest first. Revoked keys are included.',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  query: z.strictObject({
    ...listParameters(API_KEY_SORT_FIELDS),
    status: z.enum(STATUSES, { error: `must be one of ${STATUSES.join(', ')}` }).optional(),
  }),
  replies: {
    200: {
      description: 'A page of keys and the exact total.',
      schema: buildListSchema(keySchema),
      example: { data: [exampleKey], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'createdAt', dir: 'desc' });
    const revoked = query.status === undefined ? undefined : query.status === 'Revoked';
    const { rows, totalCount } = await listBusinessKeys(
      caller,
      { revoked, ...parseCreatedFilter(query, timeZone) },
      listRequest,
    );
    const now = context.platform.clock.now();
    const data = rows.map((row) => presentKey(row, now));
    return { status: 200, body: serializeResponse(buildListResponse(data, totalCount, listRequest), timeZone) };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: '/api/admin/api-keys/:id',
  operationId: 'revokeApiKey',
  summary: 'Revoke an API key',
  description: 'Takes effect immediately on every replica and cannot be undone. Revoking a key again changes nothing.',
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: z.object({ id: idParam('key') }),
  replies: {
    200: {
      description: 'The revoked key.',
      schema: z.object({ data: keySchema }),
      example: { data: { ...exampleKey, status: 'Revoked' } },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await revokeApiKey(context.platform, caller, 'business', params.id, caller.id);
    return {
      status: 200,
      body: serializeResponse({ data: presentKey(record, context.platform.clock.now()) }, caller.company.timeZone),
    };
  },
});

export const apiKeyRoutes: readonly Route[] = [create, list, revoke];

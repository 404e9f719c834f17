import { z } from 'zod';
import { isIdentityPermission } from '../../../domain/identity/access/permissions';
import { IDENTITY_PERMISSIONS } from '../../../domain/identity/access/permissions';
import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import {
  getApiKeyStatus,
  createApiKey,
  listApiKeys,
  MAX_ACTIVE_KEYS,
  revokeApiKey,
} from '../../../services/platform/access/api-keys';
import { buildKeyParent } from '../../http/key-parent';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { trimmedText } from '../../http/text';
import { IP_RANGE } from '../../http/ip-range';

const keySchema = z.object({
  id: z.string(),
  name: z.string(),
  mode: z.enum(['live', 'test']),
  permissions: z.array(z.enum(IDENTITY_PERMISSIONS)),
  allowedIps: z.array(z.string()).meta({ description: 'CIDR ranges; empty allows any address.' }),
  status: z.enum(['active', 'revoked', 'expired']),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
});

const exampleKey = {
  id: 'key_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  name: 'Checkout server',
  mode: 'live',
  permissions: ['sessions:read', 'sessions:write'],
  allowedIps: ['203.0.113.0/24'],
  status: 'active',
  expiresAt: null,
  lastUsedAt: null,
  createdAt: '2026-11-21T10:00:00.000Z',
};

function presentKey(record: ApiKeyRecord, now: Date): z.infer<typeof keySchema> {
  return {
    id: record._id,
    name: record.name,
    mode: record.mode,
    permissions: record.permissions.filter(isIdentityPermission),
    allowedIps: record.allowedIps,
    status: getApiKeyStatus(record, now),
    expiresAt: record.expiresAt?.toISOString() ?? null,
    lastUsedAt: record.lastUsedAt?.toISOString() ?? null,
    createdAt: record.createdAt.toISOString(),
  };
}

const create = defineRoute({
  method: 'post',
  path: '/v1/keys',
  operationId: 'createKey',
  summary: 'Create an API key',
  description: `The secret is returned once. The new key has the mode of the creating credential and at most its permissions, addresses and lifetime, which are also the defaults. It ends when its creator is revoked or deactivated. An organisation has at most ${MAX_ACTIVE_KEYS} active keys of a mode: revoked and expired ones do not count.`,
  tag: 'Keys',
  permission: 'keys:write',
  idempotent: true,
  body: z.strictObject({
    name: trimmedText(100).default('API key'),
    permissions: z.array(z.enum(IDENTITY_PERMISSIONS)).min(1).optional(),
    allowedIps: z
      .array(z.string().max(50).meta(IP_RANGE))
      .max(50)
      .optional()
      .meta({ description: 'IP addresses or CIDR ranges.' }),
    expiresAt: z.iso.datetime({ offset: true }).optional(),
  }),
  bodyExample: { name: 'Checkout server', permissions: ['sessions:read', 'sessions:write'] },
  replies: {
    201: {
      description:
        'The key with its secret. An idempotent repeat returns null as the secret, with `secretAlreadyShown`.',
      schema: z.object({ key: keySchema, secret: z.string().nullable(), secretAlreadyShown: z.boolean().optional() }),
      example: { key: exampleKey, secret: 'vk_live_01JQZ4R8W3M6N9P2T5V8X1Y4Z7_…' },
    },
  },
  async handle(context, { body }) {
    const parent = buildKeyParent(context, 'identity');
    const { record, secret } = await createApiKey(
      context.platform,
      parent,
      {
        name: body.name,
        permissions: body.permissions ?? [...parent.permissions],
        allowedIps: body.allowedIps ?? [...parent.allowedIps],
        expiresAt: body.expiresAt === undefined ? parent.expiresAt : new Date(body.expiresAt),
      },
      context.idempotency,
    );
    const key = presentKey(record, context.platform.clock.now());
    return { status: 201, body: secret === null ? { key, secret, secretAlreadyShown: true } : { key, secret } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/keys',
  operationId: 'listKeys',
  summary: 'List API keys',
  tag: 'Keys',
  permission: 'keys:read',
  query: buildCursorQuery('key'),
  replies: {
    200: {
      description: 'A page of keys, newest first.',
      schema: z.object({ keys: z.array(keySchema), ...cursorPageFields }),
      example: { keys: [exampleKey], total: 1, nextCursor: null },
    },
  },
  async handle({ credential, platform }, { query }) {
    const { records, ...page } = await listApiKeys(credential, 'identity', query);
    const now = platform.clock.now();
    return { status: 200, body: { keys: records.map((key) => presentKey(key, now)), ...page } };
  },
});

const revoke = defineRoute({
  method: 'delete',
  path: '/v1/keys/:id',
  operationId: 'revokeKey',
  summary: 'Revoke an API key',
  description: 'Revokes the key immediately and permanently. A key can revoke itself.',
  tag: 'Keys',
  permission: 'keys:write',
  params: z.object({ id: idParam('key') }),
  replies: {
    200: {
      description: 'The revoked key.',
      schema: z.object({ ...deletionFields, key: keySchema }),
      example: { ...buildDeletionBody(exampleKey.id), key: { ...exampleKey, status: 'revoked' } },
    },
  },
  async handle({ credential, platform }, { params }) {
    const record = await revokeApiKey(platform, credential, 'identity', params.id, credential.id);
    return { status: 200, body: { ...buildDeletionBody(params.id), key: presentKey(record, platform.clock.now()) } };
  },
});

export const keyRoutes: readonly Route[] = [create, list, revoke];

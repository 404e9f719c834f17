import { z } from 'zod';
import { ROLES } from '../../../domain/business/access/permissions';
import type { UserRecord } from '../../../models/platform/access/user';
import {
  addUser,
  getUser,
  listUsers,
  resetPassword,
  updateUser,
  USER_SORT_FIELDS,
} from '../../../services/business/access/users';
import { TEMPORARY_PASSWORD_HOURS } from '../../../services/platform/access/password-change';
import { readUserRoles, USER_ROLES } from '../../../services/platform/access/user-roles';
import { PASSWORD_RULES } from '../../http/sign-in';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { email, flag, idPath, instant, line, readOnlyField } from '../fields';
import {
  activeParameter,
  choicesParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const userSchema = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES).nullable().meta({ description: 'Role in the business API; null without access to it.' }),
  identityRole: z
    .enum(USER_ROLES.identity)
    .nullable()
    .meta({ description: 'Role in the identity API; null without access to it.' }),
  active: z.boolean(),
  actor: z.string().meta({ description: 'Id of the user in the audit log.' }),
  createdAt: instant,
  updatedAt: instant,
});

const exampleUser = {
  id: 2,
  email: 'robin@example.com',
  name: 'Robin Meyer',
  role: 'sales' as const,
  identityRole: null,
  active: true,
  actor: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentUser = (record: UserRecord) => ({
  id: record.id,
  email: record.email,
  name: record.name,
  role: readUserRoles(record).business,
  identityRole: readUserRoles(record).identity,
  active: record.active,
  actor: record._id,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const role = z.enum(ROLES, { error: `must be one of ${ROLES.join(', ')}` });
const identityRole = z.enum(USER_ROLES.identity, { error: `must be one of ${USER_ROLES.identity.join(', ')}` });
const password = z
  .string({ error: 'must be a string' })
  .min(12, 'must have at least 12 characters')
  .max(1024, 'must have at most 1024 characters')
  .meta({
    description: `${PASSWORD_RULES} Default: a generated password, which is returned once.`,
  });

const READ_ONLY = ['id', 'email', 'actor', 'createdAt', 'updatedAt'] as const;
const TAG = 'Administration';
const ALL_PERMISSIONS_NOTE =
  'The credential must have every permission, because an account can be given any role, and must not be an API key with `allowedIps` or `expiresAt` or one that another key created, because accounts do not have its limits. A user needs a role in at least one API.';
const userReply = { schema: z.object({ data: userSchema }), example: { data: exampleUser } };

const userWithPasswordSchema = z.object({
  data: userSchema.extend({
    password: z
      .string()
      .nullable()
      .meta({ description: 'Generated password, returned only in this response; else null.' }),
  }),
  message: z.string(),
});

const list = defineRoute({
  method: 'get',
  path: '/api/admin/users',
  operationId: 'listUsers',
  summary: 'List users',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  query: z.strictObject({
    ...listParameters(USER_SORT_FIELDS),
    ...activeParameter,
    role: choicesParameter(ROLES),
    identityRole: choicesParameter(USER_ROLES.identity),
  }),
  replies: {
    200: {
      description: 'A page of users and the exact total.',
      schema: buildListSchema(userSchema),
      example: { data: [exampleUser], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const { role: business, identityRole: identity } = query;
    const filter = {
      active: query.active ?? 'true',
      role: business,
      identityRole: identity,
      ...parseCreatedFilter(query, timeZone),
    };
    const { rows, totalCount } = await listUsers(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentUser), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/admin/users/:id',
  operationId: 'getUser',
  summary: 'User detail',
  tag: TAG,
  addition: true,
  permission: 'admin:read',
  params: idPath,
  replies: { 200: { description: 'The user.', ...userReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const user = await getUser(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(user.version),
      body: serializeResponse({ data: presentUser(user) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/admin/users',
  operationId: 'createUser',
  summary: 'Create a user',
  description: ALL_PERMISSIONS_NOTE,
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  body: z
    .strictObject({
      email,
      name: line(200),
      role: role.nullable().default(null).meta({ description: 'Role in the business API. Default: no access to it.' }),
      identityRole: identityRole
        .nullable()
        .default(null)
        .meta({ description: 'Role in the identity API. Default: no access to it.' }),
      password: password.optional(),
    })
    .meta({
      anyOf: [
        { required: ['role'], properties: { role: { type: 'string' } } },
        { required: ['identityRole'], properties: { identityRole: { type: 'string' } } },
      ],
    }),
  bodyExample: { email: 'robin@example.com', name: 'Robin Meyer', role: 'sales' },
  replies: {
    201: {
      description: 'The user. The password is null if the request is repeated with the same Idempotency-Key.',
      schema: userWithPasswordSchema,
      example: { data: { ...exampleUser, password: 'k3V…' }, message: 'User created.' },
    },
  },
  errors: {
    409: 'Another user of the organisation has the email address (`email_taken`), or the Idempotency-Key is in use.',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { role: business, identityRole: identity, ...account } = body;
    const input = { ...account, roles: { business, identity } };
    const created = await addUser(context.platform, caller, input, context.idempotency);
    const data = { ...presentUser(created.user), password: created.password };
    return {
      status: 201,
      headers: buildEtagHeader(created.user.version),
      body: serializeResponse({ data, message: 'User created.' }, caller.company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/admin/users/:id',
  operationId: 'updateUser',
  summary: 'Update, activate or deactivate a user',
  description: `A deactivated user is signed out of every session immediately. ${ALL_PERMISSIONS_NOTE} Honours If-Match.`,
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: idPath,
  body: z.strictObject({
    name: line(200).optional(),
    role: role.nullable().optional(),
    identityRole: identityRole.nullable().optional(),
    active: flag.optional(),
    id: readOnlyField,
    email: readOnlyField,
    actor: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { role: 'accountant' },
  replies: { 200: { description: 'The updated user.', ...userReply } },
  errors: {
    409: '`last_administrator`: the last active administrator can be neither demoted nor deactivated.',
    412: 'The record has changed since the version that If-Match names.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const before = await getUser(caller, params.id);
    const sent = stripReadOnlyFields(body, serializeResponse(presentUser(before), timeZone), READ_ONLY);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const user = await updateUser(context.platform, caller, at, sent);
    return {
      status: 200,
      headers: buildEtagHeader(user.version),
      body: serializeResponse({ data: presentUser(user) }, timeZone),
    };
  },
});

const reset = defineRoute({
  method: 'post',
  path: '/api/admin/users/:id/reset-password',
  operationId: 'resetUserPassword',
  summary: 'Reset the password of a user',
  description: `Sets a new password and ends every session of another user; for the own one use \`changePassword\`. A generated one is temporary: it can be used for ${TEMPORARY_PASSWORD_HOURS} hours and must be changed before anything else (403 \`password_change_required\`). Failed sign-in attempts are forgotten, unless another organisation has an account with the same email address. ${ALL_PERMISSIONS_NOTE}`,
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: idPath,
  body: z.strictObject({ password: password.optional() }),
  bodyExample: {},
  replies: {
    200: {
      description: 'The user with the generated password, which is returned only in this response.',
      schema: userWithPasswordSchema,
      example: { data: { ...exampleUser, password: 'k3V…' }, message: 'Password reset.' },
    },
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const updated = await resetPassword(context.platform, caller, params.id, body.password);
    const data = { ...presentUser(updated.user), password: updated.password };
    return { status: 200, body: serializeResponse({ data, message: 'Password reset.' }, caller.company.timeZone) };
  },
});

export const userRoutes: readonly Route[] = [list, detail, create, update, reset];

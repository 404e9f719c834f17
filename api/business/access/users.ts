import { z } from 'zod';
import { isRole, ROLES } from '../../../domain/business/access/permissions';
import type { Role } from '../../../domain/business/access/permissions';
import { invalidField } from '../../../domain/errors';
import type { UserRecord } from '../../../models/platform/access/user';
import {
  addUser,
  getUser,
  listUsers,
  resetPassword,
  updateUser,
  USER_SORT_FIELDS,
} from '../../../services/business/access/users';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { answer } from '../responses';
import { callerOf } from '../caller';
import { email, flag, idPath, instant, line, unread } from '../fields';
import { activeParameter, createdFilter, listAnswer, listParameters, listQuery, listShape } from '../listing';
import { etag, ifMatch, withoutReadOnly } from '../revisions';

const userShape = z.object({
  id: z.number().int(),
  email: z.string(),
  name: z.string(),
  role: z.string().meta({ description: `${ROLES.join(', ')}, or a role of the identity API alone.` }),
  active: z.boolean(),
  actor: z.string().meta({ description: 'What the audit log calls this person.' }),
  createdAt: instant,
  updatedAt: instant,
});

const exampleUser = {
  id: 2,
  email: 'robin@example.com',
  name: 'Robin Meyer',
  role: 'sales',
  active: true,
  actor: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const view = (record: UserRecord) => ({
  id: record.id,
  email: record.email,
  name: record.name,
  role: record.role,
  active: record.active,
  actor: record._id,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const role = z.enum(ROLES, { error: `must be one of ${ROLES.join(', ')}` });
const password = z
  .string({ error: 'must be a string' })
  .min(12, 'must have at least 12 characters')
  .max(1024, 'must have at most 1024 characters')
  .meta({ description: 'At least 12 characters. Left out: generated, and told this once.' });

/** The role to change to; undefined where it is left out or put back as it is, also one of the identity API alone. */
function roleOf(sent: string | undefined, current: string): Role | undefined {
  if (sent === undefined || sent === current) return undefined;
  if (!isRole(sent)) throw invalidField('role', `must be one of ${ROLES.join(', ')}`);
  return sent;
}

const READ_ONLY = ['id', 'email', 'actor', 'createdAt', 'updatedAt'] as const;
const TAG = 'Administration';
const WHOLE_AUTHORITY = 'The credential must hold every permission, since an account can be given any role.';
const one = { schema: z.object({ data: userShape }), example: { data: exampleUser } };

const secretShape = z.object({
  data: userShape.extend({
    password: z.string().nullable().meta({ description: 'The generated one, told this once; else null.' }),
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
  query: z.strictObject({ ...listParameters(USER_SORT_FIELDS), ...activeParameter, role: role.optional() }),
  replies: {
    200: {
      description: 'A page of users and the exact total.',
      schema: listShape(userShape),
      example: { data: [exampleUser], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const asked = listQuery(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', role: query.role, ...createdFilter(query, timeZone) };
    const { rows, totalCount } = await listUsers(caller, filter, asked);
    return { status: 200, body: answer(listAnswer(rows.map(view), totalCount, asked), timeZone) };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/admin/users',
  operationId: 'createUser',
  summary: 'Create a user',
  description: WHOLE_AUTHORITY,
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  idempotent: true,
  body: z.strictObject({ email, name: line(200), role, password: password.optional() }),
  bodyExample: { email: 'robin@example.com', name: 'Robin Meyer', role: 'sales' },
  replies: {
    201: {
      description: 'The user; a repeat under the same Idempotency-Key has no password.',
      schema: secretShape,
      example: { data: { ...exampleUser, password: 'k3V…' }, message: 'User created.' },
    },
  },
  errors: { 409: 'A user of this installation has the address (`email_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body }) {
    const caller = await callerOf(context);
    const made = await addUser(context.platform, caller, body, context.idempotency);
    const data = { ...view(made.user), password: made.password };
    return {
      status: 201,
      headers: etag(made.user.version),
      body: answer({ data, message: 'User created.' }, caller.company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/admin/users/:id',
  operationId: 'updateUser',
  summary: 'Change name, role or whether a user may sign in',
  description: `A deactivated user is signed out everywhere at once. ${WHOLE_AUTHORITY} Honours If-Match.`,
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: idPath,
  body: z.strictObject({
    name: line(200).optional(),
    role: z
      .string({ error: `must be one of ${ROLES.join(', ')}` })
      .optional()
      .meta({ enum: [...ROLES] }),
    active: flag.optional(),
    id: unread,
    email: unread,
    actor: unread,
    createdAt: unread,
    updatedAt: unread,
  }),
  bodyExample: { role: 'accountant' },
  replies: { 200: { description: 'The user as it is now.', ...one } },
  errors: {
    409: '`last_administrator`: the last active one can be neither demoted nor deactivated.',
    412: 'The record has changed since If-Match.',
  },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const before = await getUser(caller, params.id);
    const { role: sentRole, ...sent } = withoutReadOnly(body, answer(view(before), timeZone), READ_ONLY);
    const at = { id: params.id, ifMatch: ifMatch(context) };
    const user = await updateUser(context.platform, caller, at, { ...sent, role: roleOf(sentRole, before.role) });
    return { status: 200, headers: etag(user.version), body: answer({ data: view(user) }, timeZone) };
  },
});

const reset = defineRoute({
  method: 'post',
  path: '/api/admin/users/:id/reset-password',
  operationId: 'resetUserPassword',
  summary: 'Give a user a new password',
  description: `Ends every session of the user and lifts a lock after failed logins. ${WHOLE_AUTHORITY}`,
  tag: TAG,
  addition: true,
  permission: 'admin:update',
  params: idPath,
  body: z.strictObject({ password: password.optional() }),
  bodyExample: {},
  replies: {
    200: {
      description: 'The user and, this once, the generated password.',
      schema: secretShape,
      example: { data: { ...exampleUser, password: 'k3V…' }, message: 'Password reset.' },
    },
  },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const made = await resetPassword(context.platform, caller, params.id, body.password);
    const data = { ...view(made.user), password: made.password };
    return { status: 200, body: answer({ data, message: 'Password reset.' }, caller.company.timeZone) };
  },
});

export const userRoutes: readonly Route[] = [list, create, update, reset];

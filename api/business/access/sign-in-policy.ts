import { z } from 'zod';
import { changeSignInPolicy, removeUserSecondFactor } from '../../../services/business/access/users';
import { getSignInPolicy } from '../../../services/platform/access/sign-in-policy';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { flag, idPath } from '../fields';

const PATH = '/api/admin/sign-in-policy';
const common = { tag: 'Administration', addition: true } as const;
const policySchema = z.object({ secondFactorRequired: z.boolean() });
const policyReply = {
  200: {
    description: 'The policy.',
    schema: z.object({ data: policySchema }),
    example: { data: { secondFactorRequired: true } },
  },
};

const read = defineRoute({
  ...common,
  method: 'get',
  path: PATH,
  operationId: 'getSignInPolicy',
  summary: 'Get the sign-in policy of the organisation',
  permission: 'admin:read',
  replies: policyReply,
  async handle({ credential }) {
    return { status: 200, body: { data: await getSignInPolicy(credential.organisationId) } };
  },
});

const update = defineRoute({
  ...common,
  method: 'put',
  path: PATH,
  operationId: 'updateSignInPolicy',
  summary: 'Change the sign-in policy of the organisation',
  description:
    'Where a second factor is required, users without one can only enrol one (403 `second_factor_enrolment_required` for every other request), also in sessions that are open already. API keys are not affected. The credential must have every permission, and must not be a limited API key, as for a reset of the password.',
  permission: 'admin:update',
  body: z.strictObject({ secondFactorRequired: flag }),
  bodyExample: { secondFactorRequired: true },
  replies: policyReply,
  async handle(context, { body }) {
    const data = await changeSignInPolicy(context.platform, await getCaller(context), body);
    return { status: 200, body: { data } };
  },
});

const reset = defineRoute({
  ...common,
  method: 'delete',
  path: '/api/admin/users/:id/second-factor',
  operationId: 'removeUserSecondFactor',
  summary: 'Remove the second factor of a user',
  description:
    'For other users who have lost both the authenticator app and the recovery codes; for the own one use `removeSecondFactor`. The credential must have every permission, and must not be a limited API key, as for a reset of the password.',
  permission: 'admin:update',
  params: idPath,
  replies: {
    200: {
      description: 'The second factor has been removed.',
      schema: z.object({ data: z.object({ id: z.number().int(), deleted: z.literal(true) }) }),
      example: { data: { id: 2, deleted: true } },
    },
  },
  async handle(context, { params }) {
    await removeUserSecondFactor(context.platform, await getCaller(context), params.id);
    return { status: 200, body: { data: { id: params.id, deleted: true } } };
  },
});

export const signInPolicyRoutes: readonly Route[] = [read, update, reset];

import { z } from 'zod';
import {
  beginEnrolment,
  confirmEnrolment,
  getSecondFactorStatus,
  removeOwnSecondFactor,
} from '../../../services/platform/access/second-factor';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  codeField,
  currentPasswordField,
  enrolmentSchema,
  EXAMPLE_ENROLMENT,
  EXAMPLE_RECOVERY,
  recoverySchema,
  requireSignedIn,
  SECOND_FACTOR_FIELDS,
  SECOND_FACTOR_TEXTS,
} from '../../http/second-factor';

const PATH = '/v1/auth/second-factor';
const common = { tag: 'Browser sessions', addition: true, permission: 'any', whileRestricted: true } as const;

const read = defineRoute({
  ...common,
  method: 'get',
  path: PATH,
  operationId: 'getConsoleSecondFactor',
  summary: 'Get the second factor of the current user',
  replies: {
    200: {
      description: 'Whether the user has a second factor, and since when. An API key has none.',
      schema: z.object({ enrolledAt: z.iso.datetime().nullable(), ...SECOND_FACTOR_FIELDS }),
      example: { enrolledAt: '2026-11-21T10:00:00.000Z', required: false, recoveryCodesLeft: 10 },
    },
  },
  async handle({ credential }) {
    const { enrolledAt, ...status } = await getSecondFactorStatus(credential.userId);
    return { status: 200, body: { ...status, enrolledAt: enrolledAt?.toISOString() ?? null } };
  },
});

const begin = defineRoute({
  ...common,
  method: 'post',
  path: PATH,
  operationId: 'beginConsoleSecondFactor',
  summary: 'Begin to use a second factor',
  description: SECOND_FACTOR_TEXTS.begin,
  limit: 'authentication',
  body: z.strictObject({ currentPassword: currentPasswordField }),
  bodyExample: { currentPassword: 'a long passphrase' },
  replies: {
    200: { description: 'The secret.', schema: enrolmentSchema, example: EXAMPLE_ENROLMENT },
  },
  errors: { 409: '`second_factor_enrolled`: the user has a second factor already.' },
  async handle(context, { body }) {
    const enrolment = await beginEnrolment(context.platform, await requireSignedIn(context), body.currentPassword);
    return { status: 200, body: enrolment };
  },
});

const confirm = defineRoute({
  ...common,
  method: 'post',
  path: `${PATH}/confirm`,
  operationId: 'confirmConsoleSecondFactor',
  summary: 'Confirm the second factor',
  description: SECOND_FACTOR_TEXTS.confirm,
  limit: 'authentication',
  body: z.strictObject({ code: codeField }),
  bodyExample: { code: '123456' },
  replies: {
    200: { description: 'The recovery codes.', schema: recoverySchema, example: EXAMPLE_RECOVERY },
  },
  async handle(context, { body }) {
    const recovery = await confirmEnrolment(context.platform, await requireSignedIn(context), body.code);
    return { status: 200, body: recovery };
  },
});

const remove = defineRoute({
  ...common,
  method: 'post',
  path: `${PATH}/remove`,
  operationId: 'removeConsoleSecondFactor',
  summary: 'Remove the second factor',
  description: SECOND_FACTOR_TEXTS.remove,
  limit: 'authentication',
  body: z.strictObject({ currentPassword: currentPasswordField, code: codeField }),
  bodyExample: { currentPassword: 'a long passphrase', code: '123456' },
  replies: { 200: { description: 'The second factor has been removed.', schema: z.object({}), example: {} } },
  errors: { 409: '`second_factor_mandatory`: the organisation requires a second factor.' },
  async handle(context, { body }) {
    await removeOwnSecondFactor(context.platform, await requireSignedIn(context), body);
    return { status: 200, body: {} };
  },
});

export const secondFactorRoutes: readonly Route[] = [read, begin, confirm, remove];

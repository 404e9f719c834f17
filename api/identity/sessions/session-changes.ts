import { z } from 'zod';
import { cancelSession, updateSessionMetadata } from '../../../services/identity/sessions/session-changes';
import { getReviewedSession } from '../../../services/identity/sessions/reviewed-session';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { metadataFields } from './session-fields';
import { exampleSession, presentSession, sessionSchema } from './session-responses';
import { trimmedText } from '../../http/text';

const sessionReply = (description: string, example: object) => ({
  200: { description, schema: z.object({ session: sessionSchema }), example: { session: example } },
});

const respondWithSession = async ({ platform, credential }: RouteContext, id: string) =>
  ({ status: 200, body: { session: presentSession(await getReviewedSession(platform, credential, id)) } }) as const;

const update = defineRoute({
  method: 'patch',
  path: '/v1/sessions/:id',
  operationId: 'updateSession',
  summary: "Change a session's metadata",
  description:
    'Fields of `metadata` that are sent replace those of the same name; null removes a field, and `metadata: null` removes all. Works in every status.',
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:write',
  params: z.object({ id: idParam('ses') }),
  query: z.strictObject({}),
  body: z.strictObject({ metadata: metadataFields.nullable() }),
  bodyExample: { metadata: { branch: 'Paris', ticket: null } },
  replies: sessionReply('The session with its metadata.', { ...exampleSession, metadata: { branch: 'Paris' } }),
  async handle(context, { params, body }) {
    const { platform, credential } = context;
    await updateSessionMetadata(platform, credential, credential.id, params.id, body.metadata);
    return respondWithSession(context, params.id);
  },
});

const cancel = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/cancel',
  operationId: 'cancelSession',
  summary: 'Cancel a session',
  description:
    'Ends a session without a decision: it accepts no more checks. What it has collected is kept until its retention period ends; `DELETE` erases it at once. Cancelling a cancelled session changes nothing.',
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:write',
  idempotent: true,
  params: z.object({ id: idParam('ses') }),
  query: z.strictObject({}),
  body: z.strictObject({
    reason: trimmedText(500).optional().meta({ description: 'Recorded in the audit log.' }),
  }),
  bodyExample: { reason: 'The customer withdrew the order.' },
  replies: sessionReply('The cancelled session.', { ...exampleSession, status: 'cancelled', decision: null }),
  errors: { 409: '`invalid_transition`: the session has a final decision or has ended.' },
  async handle(context, { params, body }) {
    const { platform, credential, idempotency } = context;
    await cancelSession(platform, credential, credential.id, params.id, body.reason, idempotency);
    return respondWithSession(context, params.id);
  },
});

export const sessionChangeRoutes: readonly Route[] = [update, cancel];

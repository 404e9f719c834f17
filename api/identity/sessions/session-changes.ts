import { z } from 'zod';
import { cancelSession, updateSessionMetadata } from '../../../services/identity/sessions/session-changes';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { parseIfMatch } from '../../http/versions';
import { metadataFields } from './session-fields';
import { buildSessionReply, respondWithSession, SESSION_CHANGED } from './session-reply';
import { exampleSession } from './session-responses';
import { trimmedText } from '../../http/text';

const update = defineRoute({
  method: 'patch',
  path: '/v1/sessions/:id',
  operationId: 'updateSession',
  summary: "Change a session's metadata",
  description:
    'Fields of `metadata` that are sent replace those of the same name; null removes a field, and `metadata: null` removes all. Works in every status. Honours If-Match.',
  tag: 'Sessions',
  addition: true,
  permission: 'sessions:write',
  params: z.object({ id: idParam('ses') }),
  query: z.strictObject({}),
  body: z.strictObject({ metadata: metadataFields.nullable() }),
  bodyExample: { metadata: { branch: 'Paris', ticket: null } },
  replies: buildSessionReply('The session with its metadata.', { ...exampleSession, metadata: { branch: 'Paris' } }),
  errors: { 412: SESSION_CHANGED },
  async handle(context, { params, body }) {
    const { platform, credential } = context;
    const change = { metadata: body.metadata, ifMatch: parseIfMatch(context) };
    await updateSessionMetadata(platform, credential, credential.id, params.id, change);
    return respondWithSession(context, params.id);
  },
});

const cancel = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/cancel',
  operationId: 'cancelSession',
  summary: 'Cancel a session',
  description:
    'Ends a session without a decision: it accepts no more checks. What it has collected is kept until its retention period ends; `DELETE` erases it at once. Cancelling a cancelled session changes nothing. Honours If-Match.',
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
  replies: buildSessionReply('The cancelled session.', { ...exampleSession, status: 'cancelled', decision: null }),
  errors: { 409: '`invalid_transition`: the session has a final decision or has ended.', 412: SESSION_CHANGED },
  async handle(context, { params, body }) {
    const { platform, credential, idempotency } = context;
    const input = { reason: body.reason, ifMatch: parseIfMatch(context) };
    await cancelSession(platform, credential, credential.id, params.id, input, idempotency);
    return respondWithSession(context, params.id);
  },
});

export const sessionChangeRoutes: readonly Route[] = [update, cancel];

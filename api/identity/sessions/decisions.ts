import { z } from 'zod';
import { REVIEW_DECISIONS } from '../../../domain/identity/sessions/session';
import { decideSession } from '../../../services/identity/sessions/decisions';
import { getReviewedSession } from '../../../services/identity/sessions/reviewed-session';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { requestedFeature } from './session-fields';
import { exampleSession, presentSession, sessionSchema } from './session-responses';
import { trimmedText } from '../../http/text';

const decide = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/decision',
  operationId: 'decideSession',
  summary: 'Decide a session',
  description: [
    'A reviewer approves or declines the session, or requests that steps are submitted again.',
    'A final decision is reversed only with `override: true` and a `reason`, which is audited; `review` puts a decided session back into the review queue. A session cannot be approved while one of its steps has no result.',
  ].join('\n\n'),
  tag: 'Sessions',
  permission: 'sessions:decide',
  idempotent: true,
  params: z.object({ id: idParam('ses') }),
  body: z.strictObject({
    decision: z.enum(REVIEW_DECISIONS, { error: `accepts ${REVIEW_DECISIONS.join(', ')}` }),
    reason: trimmedText(500).optional(),
    comment: trimmedText(5000).optional(),
    steps: z
      .array(requestedFeature)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'With `resubmit`: the steps to submit again. Default: all steps.' }),
    override: z.boolean().default(false),
  }),
  bodyExample: { decision: 'approve', reason: 'Name change documented.' },
  replies: {
    200: {
      description: 'The session with its decision.',
      schema: z.object({ session: sessionSchema }),
      example: { session: { ...exampleSession, status: 'approved' } },
    },
  },
  errors: {
    409: 'The move is not allowed (`details.allowed` names those that are), or a step came to no result.',
  },
  async handle({ platform, credential, idempotency }, { params, body }) {
    await decideSession(platform, credential, credential.id, params.id, body, idempotency);
    return {
      status: 200,
      body: { session: presentSession(await getReviewedSession(platform, credential, params.id)) },
    };
  },
});

export const decisionRoutes: readonly Route[] = [decide];

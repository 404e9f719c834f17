import { z } from 'zod';
import { REVIEW_DECISIONS } from '../../../domain/identity/sessions/session';
import { decideSession } from '../../../services/identity/sessions/decisions';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { parseIfMatch } from '../../http/versions';
import { requestedFeature } from './session-fields';
import { buildSessionReply, respondWithSession, SESSION_CHANGED } from './session-reply';
import { exampleSession } from './session-responses';
import { trimmedText } from '../../http/text';

const decide = defineRoute({
  method: 'post',
  path: '/v1/sessions/:id/decision',
  operationId: 'decideSession',
  summary: 'Decide a session',
  description: [
    'A reviewer approves or declines the session, or requests that steps are submitted again.',
    'A final decision is reversed only with `override: true` and a `reason`, which is audited; `review` puts a decided session back into the review queue. A session cannot be approved while one of its steps has no result.',
    'Honours If-Match: with the ETag of the session that the reviewer saw, a session that has changed since is not decided (412). Send it whenever a person decides.',
  ].join('\n\n'),
  tag: 'Sessions',
  permission: 'sessions:decide',
  idempotent: true,
  params: z.object({ id: idParam('ses') }),
  body: z.strictObject({
    decision: z.enum(REVIEW_DECISIONS, { error: `accepts ${REVIEW_DECISIONS.join(', ')}` }),
    reason: trimmedText(500).optional(),
    comment: trimmedText(5000).optional(),
    steps: z.array(requestedFeature).min(1).max(20).optional().meta({
      description:
        'With `resubmit`: the steps to submit again. Default: all steps. Steps that follow from them are reopened, too, and captures whose images one of those needs and a share did not include.',
    }),
    override: z.boolean().default(false),
  }),
  bodyExample: { decision: 'approve', reason: 'Name change documented.' },
  replies: buildSessionReply('The session with its decision.', { ...exampleSession, status: 'approved' }),
  errors: {
    409: 'The move is not allowed (`details.allowed` names those that are), or a step came to no result.',
    412: SESSION_CHANGED,
  },
  async handle(context, { params, body }) {
    const { platform, credential, idempotency } = context;
    const input = { ...body, ifMatch: parseIfMatch(context) };
    await decideSession(platform, credential, credential.id, params.id, input, idempotency);
    return respondWithSession(context, params.id);
  },
});

export const decisionRoutes: readonly Route[] = [decide];

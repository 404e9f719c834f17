import { z } from 'zod';
import { forbiddenError } from '../../../domain/errors';
import { DECIDED_STATUSES, simulateTemplate } from '../../../services/identity/sessions/template-simulation';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { createdRangeFields, parseTimeRange } from '../time-range';
import { sessionStatusSchema } from './session-responses';
import { draftFields } from './template-fields';

const simulationSchema = z
  .object({
    examined: z.int(),
    unchanged: z.int(),
    changed: z.int(),
    moves: z.array(
      z.object({
        from: sessionStatusSchema.meta({ description: 'What the rules decided then, before any reviewer.' }),
        to: sessionStatusSchema.meta({
          description: '`in_progress`: the draft would have asked for another attempt, or for a step that never ran.',
        }),
        count: z.int(),
        reviewed: z
          .object({ approved: z.int(), declined: z.int() })
          .meta({ description: 'What reviewers made of those they decided.' }),
        sessionIds: z.array(z.string()).meta({ description: 'Of the sessions that change.' }),
      }),
    ),
  })
  .meta({ id: 'Simulation' });

const simulate = defineRoute({
  method: 'post',
  path: '/v1/sessions/workflows/:id/simulate',
  operationId: 'simulateSessionWorkflow',
  summary: 'Try a draft of a workflow on past sessions',
  description:
    'Decides past sessions again from what was measured then, by the thresholds, actions, rules and accepted documents of the draft, and counts which would have gone another way. What the draft leaves out is the workflow as it is; only where it names `features` are sessions asked for others than they were, and one that never ran such a step would still wait for it (`in_progress`). Nothing is written. Needs `sessions:read` too.',
  tag: 'Session workflows',
  addition: true,
  permission: 'workflows:read',
  params: z.object({ id: idParam('wfl') }),
  body: z.strictObject({
    draft: z.strictObject(draftFields).default({}),
    sessions: z
      .strictObject({
        workflowId: z.string().min(1).max(64).optional(),
        statuses: z.array(z.enum(DECIDED_STATUSES)).min(1).optional(),
        ...createdRangeFields,
        limit: z.int({ error: 'accepts 1–1000' }).min(1).max(1000).default(200),
      })
      .default({ limit: 200 })
      .meta({ description: 'Which sessions: the newest that were decided.' }),
  }),
  bodyExample: { draft: { thresholds: { liveness: { decline: 30, review: 85 } } }, sessions: { limit: 500 } },
  replies: {
    200: {
      description: 'How many sessions would have gone where.',
      schema: z.object({ simulation: simulationSchema }),
      example: {
        simulation: {
          examined: 500,
          unchanged: 499,
          changed: 1,
          moves: [
            { from: 'approved', to: 'approved', count: 499, reviewed: { approved: 0, declined: 2 }, sessionIds: [] },
            {
              from: 'approved',
              to: 'in_review',
              count: 1,
              reviewed: { approved: 0, declined: 1 },
              sessionIds: ['ses_01JQZ4QXKD0A3C6F9H2J5M8P1R'],
            },
          ],
        },
      },
    },
  },
  async handle({ credential }, { params, body: { draft, sessions } }) {
    // A rule on a name would tell of a session what its reader may not know.
    if (!credential.permissions.has('sessions:read')) throw forbiddenError('sessions:read');
    const { from, to, workflowId: templateId, statuses, limit } = sessions;
    const filter = { templateId, statuses, limit, ...parseTimeRange({ from, to }) };
    const simulation = await simulateTemplate(credential, params.id, draft, filter);
    return { status: 200, body: { simulation } };
  },
});

export const simulationRoutes: readonly Route[] = [simulate];

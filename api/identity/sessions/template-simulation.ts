import { z } from 'zod';
import { forbiddenError } from '../../../domain/errors';
import { DECIDED_STATUSES, simulateTemplate } from '../../../services/identity/sessions/template-simulation';
import { idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { createdRangeFields, parseTimeRange } from '../time-range';
import { sessionStatusSchema } from './session-values';
import { draftFields } from './template-fields';

const simulationSchema = z
  .object({
    examined: z.int(),
    unchanged: z.int(),
    changed: z.int(),
    moves: z.array(
      z.object({
        from: sessionStatusSchema.meta({ description: 'Status that the rules decided then, before any review.' }),
        to: sessionStatusSchema.meta({
          description:
            'Status under the draft. `in_progress`: the draft would have required another attempt, or a step that was not run.',
        }),
        count: z.int(),
        reviewed: z
          .object({ approved: z.int(), declined: z.int() })
          .meta({ description: 'Decisions of reviewers on these sessions.' }),
        sessionIds: z.array(z.string()).meta({ description: 'Ids of the sessions whose status changes.' }),
      }),
    ),
  })
  .meta({ id: 'Simulation' });

const simulate = defineRoute({
  method: 'post',
  path: '/v1/sessions/workflows/:id/simulate',
  operationId: 'simulateSessionWorkflow',
  summary: 'Simulate a draft of a workflow on past sessions',
  description:
    'Decides past sessions again from their measurements by the thresholds, actions, rules and accepted documents of the draft, and counts the decisions that differ. Fields that the draft leaves out are those of the workflow. Sessions keep their own features unless the draft names `features`; a session that never ran such a step would still wait for it (`in_progress`). Nothing is stored. Also requires the permission `sessions:read`.',
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
      .meta({ description: 'Filter of the decided sessions, newest first.' }),
  }),
  bodyExample: { draft: { thresholds: { liveness: { decline: 30, review: 85 } } }, sessions: { limit: 500 } },
  replies: {
    200: {
      description: 'Number of sessions by status then and under the draft.',
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
    // A rule on a name could reveal session data that the caller may not read.
    if (!credential.permissions.has('sessions:read')) throw forbiddenError('sessions:read');
    const { from, to, workflowId: templateId, statuses, limit } = sessions;
    const filter = { templateId, statuses, limit, ...parseTimeRange({ from, to }, 'sessions.') };
    const simulation = await simulateTemplate(credential, params.id, draft, filter);
    return { status: 200, body: { simulation } };
  },
});

export const simulationRoutes: readonly Route[] = [simulate];

import { z } from 'zod';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { MAX_RELATIVE_ERROR } from '../../../domain/platform/statistics/durations';
import { resolvePeriod } from '../../../domain/platform/statistics/period';
import { computeSessionStatistics } from '../../../services/identity/statistics/session-statistics';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  COST_NOTE,
  count,
  examplePeriod,
  periodQuery,
  periodSchema,
  presentPeriod,
  STATISTICS_TAG,
} from '../../platform/statistics/period';

const statusCounts = z
  .object(Object.fromEntries(SESSION_STATUSES.map((status) => [status, count])) as Record<SessionStatus, typeof count>)
  .meta({ description: 'Number of sessions by their present status.' });

const exampleCounts = {
  ...(Object.fromEntries(SESSION_STATUSES.map((status) => [status, 0])) as Record<SessionStatus, number>),
  approved: 41,
  declined: 3,
  in_review: 2,
};

const seconds = z.number().nullable();

const getSessionStatistics = defineRoute({
  method: 'get',
  path: '/v1/statistics/sessions',
  operationId: 'getSessionStatistics',
  summary: 'Figures of sessions',
  description: `Sessions of the credential’s mode that were created within the period, by day and present status, the share that a reviewer looked at, and the time to decision. Erased sessions are not counted. ${COST_NOTE}`,
  tag: STATISTICS_TAG,
  addition: true,
  permission: 'sessions:read',
  query: periodQuery,
  replies: {
    200: {
      description: 'The figures; `days` has every day of the period.',
      schema: z.object({
        period: periodSchema,
        days: z.array(z.object({ date: z.iso.date(), created: count, statuses: statusCounts })),
        created: count,
        statuses: statusCounts,
        review: z.object({
          sessions: count.meta({ description: 'Sessions that wait for a reviewer or were decided by one.' }),
          share: z.number().min(0).max(1).nullable().meta({
            description:
              'Their share of the sessions that were decided or wait for a reviewer; null if there are none.',
          }),
        }),
        timeToDecision: z.object({ sessions: count, medianSeconds: seconds, p95Seconds: seconds }).meta({
          description: `Time from the first capture to the decision of approved and declined sessions. Each value is within ${Math.round(MAX_RELATIVE_ERROR * 100)} % of the exact one, and at least a second; null without such a session.`,
        }),
      }),
      example: {
        period: examplePeriod,
        days: [{ date: '2026-11-21', created: 46, statuses: exampleCounts }],
        created: 46,
        statuses: exampleCounts,
        review: { sessions: 5, share: 0.1087 },
        timeToDecision: { sessions: 44, medianSeconds: 38.2, p95Seconds: 1260.5 },
      },
    },
  },
  async handle({ platform, credential }, { query }) {
    const period = resolvePeriod(query, platform.clock.now());
    const statistics = await computeSessionStatistics(platform, credential, period);
    return { status: 200, body: { period: presentPeriod(period), ...statistics } };
  },
});

export const sessionStatisticsRoutes: readonly Route[] = [getSessionStatistics];

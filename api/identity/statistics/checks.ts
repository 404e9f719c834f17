import { z } from 'zod';
import { CHECK_KINDS } from '../../../domain/identity/checks/checks';
import { resolvePeriod } from '../../../domain/platform/statistics/period';
import { computeCheckStatistics } from '../../../services/identity/statistics/check-statistics';
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

const getCheckStatistics = defineRoute({
  method: 'get',
  path: '/v1/statistics/checks',
  operationId: 'getCheckStatistics',
  summary: 'Figures of checks',
  description: `Checks of the credential’s mode that were created within the period, and those that could not be run, by day, and by kind with the error codes. Erased checks are not counted. ${COST_NOTE}`,
  tag: STATISTICS_TAG,
  addition: true,
  permission: 'checks:read',
  query: periodQuery,
  replies: {
    200: {
      description: 'The figures; `days` has every day of the period, `kinds` every kind that occurred.',
      schema: z.object({
        period: periodSchema,
        days: z.array(z.object({ date: z.iso.date(), created: count, failed: count })),
        kinds: z.array(
          z.object({
            kind: z.enum(CHECK_KINDS),
            created: count,
            failed: count,
            failures: z
              .array(z.object({ code: z.string(), count }))
              .meta({ description: 'Failed checks by error code, the most frequent first.' }),
          }),
        ),
      }),
      example: {
        period: examplePeriod,
        days: [{ date: '2026-11-21', created: 138, failed: 1 }],
        kinds: [
          { kind: 'id_verification', created: 46, failed: 1, failures: [{ code: 'image_unreadable', count: 1 }] },
          { kind: 'liveness', created: 92, failed: 0, failures: [] },
        ],
      },
    },
  },
  async handle({ platform, credential }, { query }) {
    const period = resolvePeriod(query, platform.clock.now());
    const statistics = await computeCheckStatistics(platform, credential, period);
    return { status: 200, body: { period: presentPeriod(period), ...statistics } };
  },
});

export const checkStatisticsRoutes: readonly Route[] = [getCheckStatistics];

import { z } from 'zod';
import { DELIVERY_STATUSES } from '../../../domain/platform/webhooks/delivery-status';
import { resolvePeriod } from '../../../domain/platform/statistics/period';
import { computeDeliveryStatistics } from '../../../services/platform/statistics/delivery-statistics';
import type { DeliveryCounts } from '../../../services/platform/statistics/delivery-statistics';
import { POOL_NAMES, readPoolStatistics } from '../../../services/platform/statistics/pool-statistics';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { COST_NOTE, count, examplePeriod, periodQuery, periodSchema, presentPeriod, STATISTICS_TAG } from './period';

const statusCounts = z
  .object(
    Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, count])) as Record<
      keyof DeliveryCounts,
      typeof count
    >,
  )
  .meta({ description: 'Number of deliveries by their present status.' });

const exampleCounts = { pending: 1, succeeded: 211, failed: 2, cancelled: 0 };

const deliveries = defineRoute({
  method: 'get',
  path: '/v1/statistics/deliveries',
  operationId: 'getDeliveryStatistics',
  summary: 'Figures of webhook deliveries',
  description: `Deliveries of the credential’s mode that were created within the period, by day and present status, and the state of the webhooks. Deliveries are kept for 90 days. ${COST_NOTE}`,
  tag: STATISTICS_TAG,
  addition: true,
  permission: 'webhooks:read',
  query: periodQuery,
  replies: {
    200: {
      description: 'The figures; `days` has every day of the period.',
      schema: z.object({
        period: periodSchema,
        days: z.array(z.object({ date: z.iso.date(), statuses: statusCounts })),
        statuses: statusCounts,
        webhooks: z.object({
          enabled: count,
          failing: count.meta({ description: 'Enabled webhooks whose latest attempts failed.' }),
          disabled: count,
        }),
      }),
      example: {
        period: examplePeriod,
        days: [{ date: '2026-11-21', statuses: exampleCounts }],
        statuses: exampleCounts,
        webhooks: { enabled: 2, failing: 1, disabled: 0 },
      },
    },
  },
  async handle({ platform, credential }, { query }) {
    const period = resolvePeriod(query, platform.clock.now());
    const statistics = await computeDeliveryStatistics(platform, credential, period);
    return { status: 200, body: { period: presentPeriod(period), ...statistics } };
  },
});

const pools = defineRoute({
  method: 'get',
  path: '/v1/statistics/pools',
  operationId: 'getPoolStatistics',
  summary: 'State of the worker pools',
  description:
    'The task queue of every worker pool of the installation, as Temporal estimates it: work of all organisations and modes, without their data. Kept for five seconds.',
  tag: STATISTICS_TAG,
  addition: true,
  permission: 'operations:read',
  query: z.strictObject({}),
  replies: {
    200: {
      description: 'Every pool.',
      schema: z.object({
        pools: z.array(
          z.object({
            pool: z.enum(POOL_NAMES),
            workers: count.meta({ description: 'Worker processes that asked for tasks within the last minutes.' }),
            backlog: count.meta({ description: 'Tasks that no worker has received yet.' }),
            waitSeconds: z
              .number()
              .min(0)
              .meta({ description: 'How long the oldest of them has waited; 0 without any.' }),
            tasksPerSecond: z
              .number()
              .min(0)
              .meta({ description: 'Tasks handed to workers per second, over the last half minute.' }),
          }),
        ),
      }),
      example: { pools: [{ pool: 'vision', workers: 2, backlog: 7, waitSeconds: 3.4, tasksPerSecond: 1.8 }] },
    },
  },
  errors: { 503: 'Temporal does not respond.' },
  async handle({ platform }) {
    return { status: 200, body: { pools: await readPoolStatistics(platform) } };
  },
});

export const statisticsRoutes: readonly Route[] = [deliveries, pools];

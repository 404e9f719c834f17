import type { Period } from '../../../domain/platform/statistics/period';
import { STATISTICS_INDEX, WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { Platform, Scope } from '../platform';
import { buildCreationDay, buildPeriodFilter, computeFigures, groupByDay } from './day-groups';

export type DeliveryCounts = Record<WebhookDeliveryRecord['status'], number>;

/** Figures of the webhook deliveries that were created within a period, of at most the last 90 days. */
export interface DeliveryStatistics {
  /** Deliveries by day of creation and present status, every day of the period. */
  days: { date: string; statuses: DeliveryCounts }[];
  statuses: DeliveryCounts;
  webhooks: {
    enabled: number;
    /** Enabled ones whose latest attempts failed. */
    failing: number;
    disabled: number;
  };
}

interface DeliveryRow {
  day: Date;
  status: WebhookDeliveryRecord['status'];
  count: number;
}

function countStatuses(rows: readonly DeliveryRow[]): DeliveryCounts {
  const counts = { pending: 0, succeeded: 0, failed: 0, cancelled: 0 };
  for (const { status, count } of rows) counts[status] += count;
  return counts;
}

async function countWebhooks({ organisationId, mode }: Scope): Promise<DeliveryStatistics['webhooks']> {
  const active = { organisationId, mode, deletedAt: null };
  const [enabled, failing, disabled] = await Promise.all([
    WebhookEndpoint.countDocuments({ ...active, disabledAt: null }),
    WebhookEndpoint.countDocuments({ ...active, disabledAt: null, failingSince: { $ne: null } }),
    WebhookEndpoint.countDocuments({ ...active, disabledAt: { $ne: null } }),
  ]);
  return { enabled, failing, disabled };
}

/** Counts by day and status. Reads {@link STATISTICS_INDEX} alone, without any delivery. */
const countByDay = (scope: Scope, period: Period): Promise<DeliveryRow[]> =>
  WebhookDelivery.aggregate<DeliveryRow>([
    { $match: buildPeriodFilter(scope, period) },
    { $group: { _id: { day: buildCreationDay(period), status: '$status' }, count: { $sum: 1 } } },
    { $replaceWith: { $mergeObjects: ['$_id', { count: '$count' }] } },
  ]).hint(STATISTICS_INDEX);

async function readStatistics(scope: Scope, period: Period): Promise<DeliveryStatistics> {
  const [rows, webhooks] = await Promise.all([countByDay(scope, period), countWebhooks(scope)]);
  const byDay = groupByDay(rows, period);
  return {
    days: period.days.map((date) => ({ date, statuses: countStatuses(byDay.get(date) ?? []) })),
    statuses: countStatuses(rows),
    webhooks,
  };
}

/** Computes the figures of the deliveries that were created within a period, from one index and at most once at a time. */
export const computeDeliveryStatistics = (
  platform: Platform,
  scope: Scope,
  period: Period,
): Promise<DeliveryStatistics> =>
  computeFigures(platform, 'deliveries', scope, period, () => readStatistics(scope, period));

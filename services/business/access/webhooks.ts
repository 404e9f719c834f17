import { readOptions } from '../../../lib/mongo';
import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { readSnapshotPage } from '../../platform/lists/pages';
import { getWebhook } from '../../platform/webhooks/endpoints';
import type { BusinessCaller } from './caller';
import { buildChoiceCondition, buildCreatedFilter, escapeRegExp } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';

export const WEBHOOK_SORT_FIELDS = ['createdAt'] as const;

const splitWords = (search: string | undefined): string[] => (search ?? '').split(/\s+/).filter((word) => word !== '');

/** One page of the organisation's webhooks. Every word of `search` must occur in the URL or the description. */
export function listOwnWebhooks(
  { organisationId, mode }: BusinessCaller,
  filter: CreatedFilter,
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<WebhookEndpointRecord>> {
  const parts = splitWords(search).map((word) => {
    const part = { $regex: escapeRegExp(word), $options: 'i' };
    return { $or: [{ url: part }, { description: part }] };
  });
  const condition = {
    organisationId,
    mode,
    deletedAt: null,
    ...buildCreatedFilter(filter),
    ...(parts.length === 0 ? {} : { $and: parts }),
  };
  // Ids sort by creation time.
  return readSnapshotPage<WebhookEndpointRecord>(
    { page, pageSize, sort: ['_id'], direction: sortDir },
    {
      count: (mongoSession) => WebhookEndpoint.countDocuments(condition).setOptions(readOptions(mongoSession)).exec(),
      rows: (window, mongoSession) =>
        WebhookEndpoint.find(condition)
          .sort(window.sort)
          .skip(window.skip)
          .limit(window.limit)
          .setOptions(readOptions(mongoSession))
          .lean<WebhookEndpointRecord[]>()
          .exec(),
    },
  );
}

/**
 * One page of the deliveries of a webhook. Every word of `search` must be a prefix of the event type.
 * @throws AppError 404
 */
export async function listOwnDeliveries(
  caller: BusinessCaller,
  webhookId: string,
  filter: CreatedFilter & { status?: readonly WebhookDeliveryRecord['status'][] | undefined },
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<WebhookDeliveryRecord>> {
  const webhook = await getWebhook(caller, webhookId);
  const kinds = splitWords(search).map((word) => ({ eventType: { $regex: `^${escapeRegExp(word)}` } }));
  const condition = {
    organisationId: caller.organisationId,
    mode: caller.mode,
    endpointId: webhook._id,
    ...(filter.status === undefined ? {} : { status: buildChoiceCondition(filter.status) }),
    ...buildCreatedFilter(filter),
    ...(kinds.length === 0 ? {} : { $and: kinds }),
  };
  return readSnapshotPage<WebhookDeliveryRecord>(
    { page, pageSize, sort: ['_id'], direction: sortDir },
    {
      count: (mongoSession) => WebhookDelivery.countDocuments(condition).setOptions(readOptions(mongoSession)).exec(),
      rows: (window, mongoSession) =>
        WebhookDelivery.find(condition)
          .sort(window.sort)
          .skip(window.skip)
          .limit(window.limit)
          .setOptions(readOptions(mongoSession))
          .lean<WebhookDeliveryRecord[]>()
          .exec(),
    },
  );
}

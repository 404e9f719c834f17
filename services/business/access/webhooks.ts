import { WebhookDelivery } from '../../../models/platform/webhooks/webhook-delivery';
import type { WebhookDeliveryRecord } from '../../../models/platform/webhooks/webhook-delivery';
import { WebhookEndpoint } from '../../../models/platform/webhooks/webhook-endpoint';
import type { WebhookEndpointRecord } from '../../../models/platform/webhooks/webhook-endpoint';
import { readMatchingPage } from '../../platform/lists/pages';
import { getWebhook } from '../../platform/webhooks/endpoints';
import type { BusinessCaller } from './caller';
import { buildChoiceCondition, buildCreatedFilter, buildOccurrenceSearch, buildPrefixSearch } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';

export const WEBHOOK_SORT_FIELDS = ['createdAt'] as const;

/** One page of the organisation's webhooks. Every word of `search` must occur in the URL or the description. */
export function listWebhookPage(
  { organisationId, mode }: BusinessCaller,
  filter: CreatedFilter,
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<WebhookEndpointRecord>> {
  const condition = {
    organisationId,
    mode,
    deletedAt: null,
    ...buildCreatedFilter(filter),
    ...buildOccurrenceSearch(search, ['url', 'description']),
  };
  // Ids sort by creation time.
  return readMatchingPage(WebhookEndpoint, condition, { page, pageSize, sort: ['_id'], direction: sortDir });
}

/**
 * One page of the deliveries of a webhook. Every word of `search` must be a prefix of the event type.
 * @throws AppError 404
 */
export async function listDeliveryPage(
  caller: BusinessCaller,
  webhookId: string,
  filter: CreatedFilter & { status?: readonly WebhookDeliveryRecord['status'][] | undefined },
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<WebhookDeliveryRecord>> {
  const webhook = await getWebhook(caller, webhookId);
  const condition = {
    organisationId: caller.organisationId,
    mode: caller.mode,
    endpointId: webhook._id,
    ...(filter.status === undefined ? {} : { status: buildChoiceCondition(filter.status) }),
    ...buildCreatedFilter(filter),
    ...buildPrefixSearch(search, ['eventType']),
  };
  return readMatchingPage(WebhookDelivery, condition, { page, pageSize, sort: ['_id'], direction: sortDir });
}

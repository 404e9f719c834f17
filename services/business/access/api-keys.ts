import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import { ApiKey } from '../../../models/platform/access/api-key';
import { readMatchingPage } from '../../platform/lists/pages';
import { buildCreatedFilter, buildOccurrenceSearch } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import type { BusinessCaller } from './caller';

export const API_KEY_SORT_FIELDS = ['createdAt'] as const;

/** One page of the organisation's keys of the business API. Every word of `search` must occur in the name. */
export function listBusinessKeys(
  { organisationId, mode }: BusinessCaller,
  filter: CreatedFilter & { revoked?: boolean | undefined },
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<ApiKeyRecord>> {
  const revokedAt = filter.revoked === true ? { $ne: null } : null;
  const condition = {
    organisationId,
    api: 'business' as const,
    mode,
    ...(filter.revoked === undefined ? {} : { revokedAt }),
    ...buildCreatedFilter(filter),
    ...buildOccurrenceSearch(search, ['name']),
  };
  // Ids sort by creation time.
  return readMatchingPage(ApiKey, condition, { page, pageSize, sort: ['_id'], direction: sortDir });
}

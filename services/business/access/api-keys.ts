import { readOptions } from '../../../lib/mongo';
import type { ApiKeyRecord } from '../../../models/platform/access/api-key';
import { ApiKey } from '../../../models/platform/access/api-key';
import { readSnapshotPage } from '../../platform/lists/pages';
import { buildCreatedFilter, escapeRegExp } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import type { BusinessCaller } from './caller';

export const API_KEY_SORT_FIELDS = ['createdAt'] as const;

/** One page of the organisation's keys of the business API. Every word of `search` must occur in the name. */
export function listBusinessKeys(
  { organisationId, mode }: BusinessCaller,
  filter: CreatedFilter & { revoked?: boolean | undefined },
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<ApiKeyRecord>> {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  const revokedAt = filter.revoked === true ? { $ne: null } : null;
  const condition = {
    organisationId,
    api: 'business' as const,
    mode,
    ...(filter.revoked === undefined ? {} : { revokedAt }),
    ...buildCreatedFilter(filter),
    ...(words.length === 0
      ? {}
      : { $and: words.map((word) => ({ name: { $regex: escapeRegExp(word), $options: 'i' } })) }),
  };
  // Ids sort by creation time.
  return readSnapshotPage<ApiKeyRecord>(
    { page, pageSize, sort: ['_id'], direction: sortDir },
    {
      count: (mongoSession) => ApiKey.countDocuments(condition).setOptions(readOptions(mongoSession)).exec(),
      rows: (window, mongoSession) =>
        ApiKey.find(condition)
          .sort(window.sort)
          .skip(window.skip)
          .limit(window.limit)
          .setOptions(readOptions(mongoSession))
          .lean<ApiKeyRecord[]>()
          .exec(),
    },
  );
}

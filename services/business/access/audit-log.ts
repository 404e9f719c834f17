import { ApiKey } from '../../../models/platform/access/api-key';
import { Audit } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { User } from '../../../models/platform/access/user';
import { readSnapshotPage } from '../../platform/lists/pages';
import type { BusinessCaller } from './caller';
import { escapeRegExp } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';

export const AUDIT_SORT_FIELDS = ['at'] as const;

export interface AuditFilter extends CreatedFilter {
  action?: string | undefined;
  subject?: string | undefined;
  actor?: string | undefined;
}

/** A row with the current name of its actor; null for the service itself and for deleted actors. */
export interface AuditEntryDetail {
  record: AuditRecord;
  actorName: string | null;
}

async function readActorNames(organisationId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const idFilter = { organisationId, _id: { $in: [...new Set(ids)] } };
  const [users, keys] = await Promise.all([
    User.find(idFilter, { name: 1 }).lean<{ _id: string; name: string }[]>(),
    ApiKey.find(idFilter, { name: 1 }).lean<{ _id: string; name: string }[]>(),
  ]);
  return new Map([...users, ...keys].map(({ _id, name }) => [_id, name]));
}

/** One page of the audit log. Every word of `search` must be a prefix of the action, the subject or the actor. */
export async function listAuditEntries(
  { organisationId, mode }: BusinessCaller,
  { action, subject, actor, createdFrom, createdUntil }: AuditFilter,
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<AuditEntryDetail>> {
  const at = {
    ...(createdFrom === undefined ? {} : { $gte: createdFrom }),
    ...(createdUntil === undefined ? {} : { $lt: createdUntil }),
  };
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  const prefixConditions = words.map((word) => {
    const prefixMatch = { $regex: `^${escapeRegExp(word)}` };
    return { $or: [{ action: prefixMatch }, { subject: prefixMatch }, { actor: prefixMatch }] };
  });
  const condition = {
    organisationId,
    mode,
    ...(action === undefined ? {} : { action }),
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(Object.keys(at).length === 0 ? {} : { at }),
    ...(prefixConditions.length === 0 ? {} : { $and: prefixConditions }),
  };
  // Ids sort by creation time.
  const { rows, totalCount } = await readSnapshotPage<AuditRecord>(
    {
      page,
      pageSize,
      sort: ['_id'],
      direction: sortDir,
    },
    {
      count: (mongoSession) => Audit.countDocuments(condition).session(mongoSession).exec(),
      rows: (window, mongoSession) =>
        Audit.find(condition)
          .sort(window.sort)
          .skip(window.skip)
          .limit(window.limit)
          .session(mongoSession)
          .lean<AuditRecord[]>()
          .exec(),
    },
  );
  const names = await readActorNames(
    organisationId,
    rows.map((row) => row.actor),
  );
  return { rows: rows.map((record) => ({ record, actorName: names.get(record.actor) ?? null })), totalCount };
}

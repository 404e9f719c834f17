import { ApiKey } from '../../../models/platform/access/api-key';
import { Audit } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { User } from '../../../models/platform/access/user';
import { readPageOf } from '../../platform/lists/pages';
import type { BusinessCaller } from './caller';
import { escaped } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';

export const AUDIT_SORT_FIELDS = ['at'] as const;

export interface AuditFilter extends CreatedFilter {
  action?: string | undefined;
  subject?: string | undefined;
  actor?: string | undefined;
}

/** A row with the name of who acted, as it is now; null for the service itself and for who is gone. */
export interface AuditEntryView {
  record: AuditRecord;
  actorName: string | null;
}

async function actorNames(organisationId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const named = { organisationId, _id: { $in: [...new Set(ids)] } };
  const [users, keys] = await Promise.all([
    User.find(named, { name: 1 }).lean<{ _id: string; name: string }[]>(),
    ApiKey.find(named, { name: 1 }).lean<{ _id: string; name: string }[]>(),
  ]);
  return new Map([...users, ...keys].map(({ _id, name }) => [_id, name]));
}

/** Every word of `search` must begin the action, the subject or the actor of a row. */
export async function listAuditEntries(
  { organisationId, mode }: BusinessCaller,
  { action, subject, actor, createdFrom, createdUntil }: AuditFilter,
  { page, pageSize, search, sortDir }: ListQuery,
): Promise<ListPage<AuditEntryView>> {
  const at = {
    ...(createdFrom === undefined ? {} : { $gte: createdFrom }),
    ...(createdUntil === undefined ? {} : { $lt: createdUntil }),
  };
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  const begins = words.map((word) => {
    const start = { $regex: `^${escaped(word)}` };
    return { $or: [{ action: start }, { subject: start }, { actor: start }] };
  });
  const wanted = {
    organisationId,
    mode,
    ...(action === undefined ? {} : { action }),
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(Object.keys(at).length === 0 ? {} : { at }),
    ...(begins.length === 0 ? {} : { $and: begins }),
  };
  // Ids are made in the order of time.
  const { rows, totalCount } = await readPageOf<AuditRecord>(
    {
      page,
      pageSize,
      sort: ['_id'],
      direction: sortDir,
    },
    {
      count: (session) => Audit.countDocuments(wanted).session(session).exec(),
      rows: (window, session) =>
        Audit.find(wanted)
          .sort(window.sort)
          .skip(window.skip)
          .limit(window.limit)
          .session(session)
          .lean<AuditRecord[]>()
          .exec(),
    },
  );
  const names = await actorNames(
    organisationId,
    rows.map((row) => row.actor),
  );
  return { rows: rows.map((record) => ({ record, actorName: names.get(record.actor) ?? null })), totalCount };
}

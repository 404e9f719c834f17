import { Audit } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { User } from '../../../models/platform/access/user';
import { readActors } from '../../platform/access/actors';
import { readMatchingPage } from '../../platform/lists/pages';
import type { BusinessCaller } from './caller';
import { buildPrefixSearch } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';

export const AUDIT_SORT_FIELDS = ['at'] as const;

export interface AuditFilter extends CreatedFilter {
  action?: string | undefined;
  subject?: string | undefined;
  actor?: string | undefined;
}

/** A row with what this API says about its users. */
export interface AuditEntryDetail {
  record: AuditRecord;
  /** Current name of the actor; null if it has none. */
  actorName: string | null;
  /** Id of the actor as in the list of users; null if it is no user. */
  actorUserId: number | null;
  /** Id of the subject as in the list of users; null if it is no user. */
  subjectUserId: number | null;
}

/** The actor of a filter as stored: users may be named by their id in the list of users. */
async function resolveActor(organisationId: string, actor: string): Promise<string> {
  if (!/^\d{1,15}$/.test(actor)) return actor;
  const user = await User.findOne({ organisationId, id: Number(actor) }, { _id: 1 }).lean<{ _id: string }>();
  return user?._id ?? actor;
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
  const condition = {
    organisationId,
    mode,
    ...(action === undefined ? {} : { action }),
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor: await resolveActor(organisationId, actor) }),
    ...(Object.keys(at).length === 0 ? {} : { at }),
    ...buildPrefixSearch(search, ['action', 'subject', 'actor']),
  };
  // Ids sort by creation time.
  const { rows, totalCount } = await readMatchingPage(Audit, condition, {
    page,
    pageSize,
    sort: ['_id'],
    direction: sortDir,
  });
  const ids = rows.flatMap(({ actor, subject }) => [actor, subject]);
  const { names, userIds } = await readActors(organisationId, ids);
  const describe = (record: AuditRecord): AuditEntryDetail => ({
    record,
    actorName: names.get(record.actor) ?? null,
    actorUserId: userIds.get(record.actor) ?? null,
    subjectUserId: userIds.get(record.subject) ?? null,
  });
  return { rows: rows.map(describe), totalCount };
}

import { Audit } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import type { Scope } from '../platform';

export interface AuditFilter {
  action?: string | undefined;
  subject?: string | undefined;
  actor?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** Rows of the scope, newest first; `before` is the id of the last row of the page before. `total` counts all that fit. */
export async function findAuditEntries(
  scope: Scope,
  filter: AuditFilter,
  page: { limit: number; before: string | undefined },
): Promise<{ entries: AuditRecord[]; total: number }> {
  const { action, subject, actor, from, to } = filter;
  const timeRange = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
  const query = {
    organisationId: scope.organisationId,
    mode: scope.mode,
    ...(action === undefined ? {} : { action }),
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(Object.keys(timeRange).length === 0 ? {} : { at: timeRange }),
  };
  const cursorFilter = page.before === undefined ? {} : { _id: { $lt: page.before } };
  const [entries, total] = await Promise.all([
    Audit.find({ ...query, ...cursorFilter })
      .sort({ _id: -1 })
      .limit(page.limit)
      .lean<AuditRecord[]>(),
    Audit.countDocuments(query),
  ]);
  return { entries, total };
}

import { Audit } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { readCursorPage } from '../lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../lists/cursor-pages';
import { buildTimeCondition } from '../lists/time-range';
import type { TimeRange } from '../lists/time-range';
import type { Scope } from '../platform';

/** `from` and `to` limit the time of the entry. */
export interface AuditFilter extends TimeRange {
  action?: string | undefined;
  subject?: string | undefined;
  actor?: string | undefined;
}

/** Audit entries of the scope, newest first. */
export function listAuditEntries(
  scope: Scope,
  { action, subject, actor, ...timeRange }: AuditFilter,
  page: CursorPageRequest,
): Promise<CursorPage<AuditRecord>> {
  const at = buildTimeCondition(timeRange);
  const query = {
    organisationId: scope.organisationId,
    mode: scope.mode,
    ...(action === undefined ? {} : { action }),
    ...(subject === undefined ? {} : { subject }),
    ...(actor === undefined ? {} : { actor }),
    ...(at === undefined ? {} : { at }),
  };
  return readCursorPage(Audit, query, page);
}

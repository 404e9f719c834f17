import type { ClientSession } from 'mongoose';
import { notFoundError } from '../../../domain/errors';
import { CHECKS } from '../../../domain/identity/checks/checks';
import type { CheckKind } from '../../../domain/identity/checks/checks';
import { Check } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { workflowIds } from '../../../workflows/contracts';
import { awaitRecord } from '../../platform/await-record';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { recordDayChanges } from '../statistics/day-changes';

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getCheck(scope: Scope, id: string): Promise<CheckRecord> {
  const found = await Check.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<CheckRecord>();
  if (found === null) throw notFoundError('check');
  return found;
}

/** What identifies a session. */
type SessionReference = Pick<SessionRecord, '_id' | 'organisationId' | 'mode'>;

/** A check of a session; null if it has none with this id, or it is deleted. */
export const findCheckOfSession = (
  session: SessionReference,
  id: string,
  mongoSession: ClientSession,
): Promise<CheckRecord | null> =>
  Check.findOne({ _id: id, ...toScope(session), sessionId: session._id, deletedAt: null })
    .session(mongoSession)
    .lean<CheckRecord>();

/** The checks of a session in the order of their submission; all of them, unless ids or kinds are named. */
export const listChecksOfSession = (
  session: SessionReference,
  {
    ids,
    kinds,
    mongoSession = null,
  }: { ids?: readonly string[]; kinds?: readonly CheckKind[]; mongoSession?: ClientSession | null } = {},
): Promise<CheckRecord[]> =>
  Check.find({
    ...toScope(session),
    sessionId: session._id,
    deletedAt: null,
    ...(ids === undefined ? {} : { _id: { $in: [...ids] } }),
    ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
  })
    .sort({ _id: 1 })
    .session(mongoSession)
    .lean<CheckRecord[]>();

export interface CheckFilter {
  kinds?: readonly CheckKind[] | undefined;
  statuses?: readonly CheckRecord['status'][] | undefined;
  sessionId?: string | undefined;
}

/** Checks without their results, newest first. */
export const listChecks = (
  scope: Scope,
  { kinds, statuses, sessionId }: CheckFilter,
  page: CursorPageRequest,
): Promise<CursorPage<CheckRecord>> =>
  readCursorPage(
    Check,
    {
      ...toScope(scope),
      deletedAt: null,
      ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
      ...(statuses === undefined ? {} : { status: { $in: [...statuses] } }),
      ...(sessionId === undefined ? {} : { sessionId }),
    },
    page,
    { projection: { result: 0 } },
  );

/** The check that a workflow runs, whatever its scope; null once it is deleted. Never call it for a request. */
export const findCheckForWorkflow = (id: string): Promise<CheckRecord | null> =>
  Check.findOne({ _id: id, deletedAt: null }).lean<CheckRecord>();

/**
 * Waits up to `seconds` for a check to end.
 * @param unfinishedAt `performance.now()` before the check was recorded or read as `processing`; saves a read
 * @returns the check as it is then; still `processing` if it did not end in time
 */
export const awaitCheck = (
  platform: Platform,
  scope: Scope,
  id: string,
  seconds: number,
  unfinishedAt?: number,
): Promise<CheckRecord> =>
  awaitRecord(platform, {
    collection: 'checks',
    id,
    waitMs: seconds * 1000,
    read: () => getCheck(scope, id),
    isFinished: ({ status }) => status !== 'processing',
    unfinishedAt,
  });

type CheckDraft = Pick<CheckRecord, '_id' | 'kind' | 'sessionId' | 'origin' | 'inputs' | 'details' | 'createdBy'> &
  Partial<Pick<CheckRecord, 'supplementary' | 'sandbox'>>;

/** A new check in status `processing`, not yet inserted. */
export const draftCheck = (platform: Platform, scope: Scope, draft: CheckDraft): CheckRecord => ({
  ...toScope(scope),
  feature: CHECKS[draft.kind].feature,
  recordId: draft.sessionId ?? draft._id,
  supplementary: false,
  sandbox: null,
  status: 'processing',
  verdict: null,
  risks: [],
  result: null,
  foundFaces: [],
  failure: null,
  createdAt: platform.clock.now(),
  completedAt: null,
  deletedAt: null,
  ...draft,
});

/** Starts the workflow that runs a check by itself. */
export const startCheckWorkflow = (unit: UnitOfWork, check: CheckRecord): void =>
  unit.start(check.organisationId, {
    workflow: 'check',
    workflowId: workflowIds.check(check._id),
    argument: { checkId: check._id, kind: check.kind, organisationId: check.organisationId },
    summary: check.sessionId === null ? check.kind : `${check.kind} of ${check.sessionId}`,
    searchAttributes: {
      status: check.status,
      features: check.feature === null ? [] : [check.feature],
      recordId: check.recordId,
    },
  });

/**
 * Inserts a check and starts the workflow that runs it.
 * @param options.runsInSession true if the workflow of its session runs it instead
 */
export async function insertCheck(
  unit: UnitOfWork,
  check: CheckRecord,
  { runsInSession }: { runsInSession: boolean },
): Promise<void> {
  await Check.create([check], { session: unit.mongoSession });
  await recordDayChanges(unit, 'checks', check, [check]);
  if (!runsInSession) startCheckWorkflow(unit, check);
}

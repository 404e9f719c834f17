import { AppError, notFoundError } from '../../../domain/errors';
import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { newId } from '../../../lib/ids';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { endPartyMonitoring, findMonitoredParty, isPartyMonitor } from '../kyb/monitoring';
import { findUsableLists } from './lists';
import { buildKeyCondition, computeSubjectKeys } from './subjects';
import { insertScreening, readScreeningQueries, sealQueries } from './screenings';

/** @throws AppError 404, also for a monitor of another organisation or mode */
export async function getMonitor(scope: Scope, id: string): Promise<AmlMonitorRecord> {
  const found = await AmlMonitor.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<AmlMonitorRecord>();
  if (found === null) throw notFoundError('monitor');
  return found;
}

/** Monitors, newest first. */
export const listMonitors = (scope: Scope, page: CursorPageRequest): Promise<CursorPage<AmlMonitorRecord>> =>
  readCursorPage(AmlMonitor, { ...toScope(scope), deletedAt: null }, page);

/** Ends monitoring; what was screened is kept. @throws AppError 404 */
export const endMonitor = (platform: Platform, scope: Scope, actor: string, id: string): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const ended = await AmlMonitor.findOneAndUpdate(
      { _id: id, ...toScope(scope), deletedAt: null },
      { $set: { deletedAt: platform.clock.now() } },
      { session: unit.mongoSession },
    ).lean<AmlMonitorRecord>();
    if (ended === null) throw notFoundError('monitor');
    if (isPartyMonitor(ended)) await endPartyMonitoring(unit, ended);
    else {
      await AmlScreening.updateOne(
        { _id: ended.recordId },
        { $set: { monitored: false } },
        { session: unit.mongoSession },
      );
    }
    await unit.audit(scope, { actor, action: 'aml_monitor.deleted', subject: id });
  });

/** A monitor with the subject it watches. */
export interface MonitoredSubject {
  monitor: AmlMonitorRecord;
  subjectKey: string;
  /** One for each name of the subject. */
  queries: ScreeningQuery[];
}

const isNotFound = (error: unknown): boolean => error instanceof AppError && error.status === 404;

/** The subject that a monitor watches. @returns null once the record with the subject is deleted */
export async function findSubject(platform: Platform, monitor: AmlMonitorRecord): Promise<MonitoredSubject | null> {
  if (isPartyMonitor(monitor)) {
    const party = await findMonitoredParty(monitor);
    if (party === null) return null;
    const [first] = party.queries;
    // The key in the check may be of a wrapping key that no longer exists.
    const { subjectKey } =
      first === undefined ? { subjectKey: party.key } : await computeSubjectKeys(platform, monitor, first);
    return { monitor, subjectKey, queries: party.queries };
  }
  const root = await AmlScreening.findOne({ _id: monitor.recordId, deletedAt: null }).lean<AmlScreeningRecord>();
  if (root === null) return null;
  try {
    return { monitor, subjectKey: root.subjectKey, queries: await readScreeningQueries(platform, root) };
  } catch (error) {
    // It was erased since it was read.
    if (isNotFound(error)) return null;
    throw error;
  }
}

/**
 * Screens the subjects of a record again if a list has come into use that their first screening has not searched: the
 * workflow of its version may have passed before there were monitors. Called after the transaction that started them,
 * as often as it is repeated.
 * @param searched versions of the lists that the first screening has searched
 */
export async function rescreenForMissedVersions(
  platform: Platform,
  scope: Scope,
  recordId: string,
  searched: readonly string[],
): Promise<void> {
  const lists = await findUsableLists(platform, scope, null);
  const missed = lists.find(({ version }) => !searched.includes(version));
  if (missed === undefined) return;
  const monitors = await AmlMonitor.find({ ...toScope(scope), recordId, deletedAt: null }).lean<AmlMonitorRecord[]>();
  for (const monitor of monitors) {
    const subject = await findSubject(platform, monitor);
    // One screening searches all lists.
    if (subject !== null) await rescreenSubject(platform, subject, missed.version);
  }
}

const PAGE_SIZE = 200;

/** Which of the monitors of a list to read, in ascending order of their ids. */
export interface MonitorRange {
  /** Only monitors behind this one; null from the beginning. */
  after: string | null;
  /** Only these; null for all. */
  only: readonly string[] | null;
}

/**
 * Every live monitor that a change of a list may concern, of all organisations. Not for requests: it ignores the scope.
 */
export async function* iterateListMonitors(
  list: { code: string; organisationId: string | null },
  { after, only }: MonitorRange,
): AsyncIterable<AmlMonitorRecord> {
  const tenant = list.organisationId === null ? {} : { organisationId: list.organisationId };
  const listFilter = { $or: [{ lists: null }, { lists: list.code }] };
  const choice = only === null ? {} : { $in: [...only] };
  for (let last = after ?? ''; ;) {
    const _id = { ...choice, $gt: last };
    const page = await AmlMonitor.find({ ...tenant, ...listFilter, mode: 'live', deletedAt: null, _id })
      .sort({ _id: 1 })
      .limit(PAGE_SIZE)
      .lean<AmlMonitorRecord[]>();
    yield* page;
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE_SIZE) return;
    last = end._id;
  }
}

/** Whether a version changed or removed an entry that the subject's last screening found. */
export async function hasChangedHits(
  platform: Platform,
  { monitor, subjectKey: key }: MonitoredSubject,
  listId: string,
  versionId: string,
): Promise<boolean> {
  const subjectKey = await buildKeyCondition(platform, monitor, key);
  const hits = await AmlHit.find(
    { ...toScope(monitor), screeningId: monitor.lastScreeningId, subjectKey, listId },
    { entryId: 1 },
  ).lean<{ entryId: string }[]>();
  if (hits.length === 0) return false;
  const entryId = { $in: hits.map((hit) => hit.entryId) };
  return (await AmlListChange.exists({ versionId, entryId })) !== null;
}

/**
 * Whether the last screening of a monitor failed. Its subject was not compared with the version that caused it, whose
 * entries are not new in any later one.
 */
export async function hasFailedScreening({ monitor }: MonitoredSubject): Promise<boolean> {
  const { _id: monitorId, recordId } = monitor;
  const last = await AmlScreening.findOne({ ...toScope(monitor), recordId, monitorId, deletedAt: null }, { status: 1 })
    .sort({ _id: -1 })
    .lean<Pick<AmlScreeningRecord, 'status'>>();
  return last?.status === 'failed';
}

/**
 * Records in the monitor which version its subject is screened again for. The write makes the transaction of the
 * screening conflict with an erasure of the subject, of which it would otherwise see nothing.
 * @throws AppError 404 once the monitor has ended or its subject is erased
 */
async function recordCause(unit: UnitOfWork, monitor: AmlMonitorRecord, versionId: string): Promise<void> {
  const touched = await AmlMonitor.updateOne(
    { _id: monitor._id, ...toScope(monitor), deletedAt: null },
    { $set: { lastCauseVersion: versionId } },
    { session: unit.mongoSession },
  );
  if (touched.matchedCount === 0) throw notFoundError('monitor');
}

/** Screens a monitored subject again because of a version, only once however often it is called. */
export async function rescreenSubject(
  platform: Platform,
  { monitor, subjectKey, queries }: MonitoredSubject,
  versionId: string,
): Promise<void> {
  const rescreening = { monitorId: monitor._id, causeVersion: versionId };
  if ((await AmlScreening.exists(rescreening)) !== null) return;
  try {
    const cipher = await createRecordCipher(platform, monitor, monitor.recordId);
    await runTransaction(platform, async (unit) => {
      await insertScreening(unit, monitor, {
        _id: newId('aml'),
        recordId: monitor.recordId,
        origin: 'monitor',
        ...rescreening,
        subjectKey,
        threshold: monitor.threshold,
        lists: monitor.lists,
        sealedQuery: sealQueries(cipher, queries),
        createdBy: 'system',
      });
      await recordCause(unit, monitor, versionId);
    });
  } catch (error) {
    // The subject was screened or erased meanwhile, or is no longer monitored.
    if (!isDuplicateKeyError(error) && !isNotFound(error)) throw error;
  }
}

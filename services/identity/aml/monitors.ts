import { notFound } from '../../../domain/errors';
import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { newId } from '../../../lib/ids';
import { isDuplicateKey } from '../../../lib/mongo';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import { scopeOf } from '../sessions/session-store';
import { insertScreening, queryOf } from './screenings';

/** @throws AppError 404, the same whether it does not exist or belongs to another organisation or mode */
export async function getMonitor(scope: Scope, id: string): Promise<AmlMonitorRecord> {
  const found = await AmlMonitor.findOne({ _id: id, ...scopeOf(scope), deletedAt: null }).lean<AmlMonitorRecord>();
  if (found === null) throw notFound('monitor');
  return found;
}

/** Monitors, newest first, with their exact number. */
export async function listMonitors(
  scope: Scope,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ monitors: AmlMonitorRecord[]; total: number }> {
  const mine = { ...scopeOf(scope), deletedAt: null };
  const [monitors, total] = await Promise.all([
    AmlMonitor.find({ ...mine, ...(page.cursor === undefined ? {} : { _id: { $lt: page.cursor } }) })
      .sort({ _id: -1 })
      .limit(page.limit)
      .lean<AmlMonitorRecord[]>(),
    AmlMonitor.countDocuments(mine),
  ]);
  return { monitors, total };
}

/** Ends monitoring; what was found so far stays with its screenings. @throws AppError 404 */
export const endMonitor = (platform: Platform, scope: Scope, actor: string, id: string): Promise<void> =>
  transact(platform, async (unit) => {
    const ended = await AmlMonitor.findOneAndUpdate(
      { _id: id, ...scopeOf(scope), deletedAt: null },
      { $set: { deletedAt: platform.clock.now() } },
      { session: unit.session },
    ).lean<AmlMonitorRecord>();
    if (ended === null) throw notFound('monitor');
    await AmlScreening.updateOne({ _id: ended.recordId }, { $set: { monitored: false } }, { session: unit.session });
    await unit.audit(scope, { actor, action: 'aml_monitor.deleted', subject: id });
  });

/** A monitor with the subject it watches. */
export interface MonitoredSubject {
  monitor: AmlMonitorRecord;
  root: AmlScreeningRecord;
  query: ScreeningQuery;
}

const PAGE = 200;

/** Every live monitor that a change of a list may concern, whose ever it is. Never call it for a request. */
export async function* monitorsOfList(
  platform: Platform,
  list: { code: string; organisationId: string | null },
): AsyncIterable<MonitoredSubject> {
  const tenant = list.organisationId === null ? {} : { organisationId: list.organisationId };
  const asked = { $or: [{ lists: null }, { lists: list.code }] };
  for (let last = ''; ;) {
    const page = await AmlMonitor.find({ ...tenant, ...asked, mode: 'live', deletedAt: null, _id: { $gt: last } })
      .sort({ _id: 1 })
      .limit(PAGE)
      .lean<AmlMonitorRecord[]>();
    for (const monitor of page) {
      const root = await AmlScreening.findOne({ _id: monitor.recordId, deletedAt: null }).lean<AmlScreeningRecord>();
      if (root !== null) yield { monitor, root, query: await queryOf(platform, root) };
    }
    const end = page.at(-1);
    if (end === undefined || page.length < PAGE) return;
    last = end._id;
  }
}

/** Whether an entry that the subject's last screening found was changed or removed by a version. */
export async function hitsTouched(monitor: AmlMonitorRecord, listId: string, versionId: string): Promise<boolean> {
  const hits = await AmlHit.find(
    { ...scopeOf(monitor), screeningId: monitor.lastScreeningId, listId },
    { entryId: 1 },
  ).lean<{ entryId: string }[]>();
  if (hits.length === 0) return false;
  const entryId = { $in: hits.map((hit) => hit.entryId) };
  return (await AmlListChange.exists({ versionId, entryId })) !== null;
}

/** Screens a monitored subject again because of a version, once however often it is called. */
export async function rescreen(
  platform: Platform,
  { monitor, root }: MonitoredSubject,
  versionId: string,
): Promise<void> {
  const again = { monitorId: monitor._id, causeVersion: versionId };
  if ((await AmlScreening.exists(again)) !== null) return;
  await transact(platform, (unit) =>
    insertScreening(platform, unit, monitor, {
      _id: newId('aml'),
      recordId: monitor.recordId,
      origin: 'monitor',
      ...again,
      subjectKey: root.subjectKey,
      threshold: monitor.threshold,
      lists: monitor.lists,
      sealedQuery: root.sealedQuery,
      createdBy: 'system',
    }),
  ).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
}

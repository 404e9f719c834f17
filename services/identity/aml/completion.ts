import { toFailureCode } from '../../../domain/errors';
import type { Hit } from '../../../domain/identity/aml/screening';
import { newId } from '../../../lib/ids';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord, AmlReview } from '../../../models/identity/aml/aml-hit';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import { emitEvent } from '../../platform/webhooks/events';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import { releaseKeysOfRecord } from '../../platform/transactions/idempotency';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { isPartyMonitor } from '../kyb/monitoring';
import type { UsableList } from './lists';
import { buildHitsContext } from './sealed-hits';
import type { FoundHit } from './sealed-hits';
import { buildEntryKey, buildKeyCondition, findPreviousReviews } from './subjects';

/** A hit in one of the searched lists. */
export interface ListHit extends Hit {
  list: UsableList;
}

/** Result of a screening in codes, as workflow histories may contain it. */
export interface ScreeningSummary {
  /** `erased` once the screening is deleted. */
  status: AmlScreeningRecord['status'] | 'erased';
  match: boolean | null;
  hits: number;
}

export const ERASED_SCREENING: ScreeningSummary = { status: 'erased', match: null, hits: 0 };

/** How a screening ended, in codes only: a workflow history holds no personal data. */
export const summariseScreening = ({ status, match, hitCount }: AmlScreeningRecord): ScreeningSummary => ({
  status,
  match,
  hits: hitCount ?? 0,
});

/** The screening of a workflow; null once it is deleted. Not for requests: it ignores the scope. */
export const findScreeningForWorkflow = (id: string): Promise<AmlScreeningRecord | null> =>
  AmlScreening.findOne({ _id: id, deletedAt: null }).lean<AmlScreeningRecord>();

/** Hits that no reviewer has marked as a false positive. */
export const excludeFalsePositives = <T extends Pick<AmlHitRecord, 'review'>>(hits: readonly T[]): T[] =>
  hits.filter(({ review }) => review?.status !== 'false_positive');

/**
 * Emits an alert for hits that the subject's last screening did not have, and records this screening as the last one.
 */
async function updateMonitor(
  unit: UnitOfWork,
  screening: AmlScreeningRecord,
  hits: readonly AmlHitRecord[],
  at: Date,
): Promise<void> {
  const monitor = await AmlMonitor.findOne({ _id: screening.monitorId, deletedAt: null })
    .session(unit.mongoSession)
    .lean<AmlMonitorRecord>();
  if (monitor === null) return;
  const subjectKey = await buildKeyCondition(unit.platform, screening, screening.subjectKey);
  const before = await AmlHit.find({ ...toScope(screening), screeningId: monitor.lastScreeningId, subjectKey })
    .session(unit.mongoSession)
    .lean<AmlHitRecord[]>();
  const previousKeys = new Set(before.map((hit) => buildEntryKey(hit.listId, hit.entryId, hit.entryHash)));
  const newHits = excludeFalsePositives(hits).filter(
    (hit) => !previousKeys.has(buildEntryKey(hit.listId, hit.entryId, hit.entryHash)),
  );
  await AmlMonitor.updateOne(
    { _id: monitor._id },
    { $set: { lastScreeningId: screening._id, lastScreenedAt: at }, $inc: { alerts: newHits.length > 0 ? 1 : 0 } },
    { session: unit.mongoSession },
  );
  if (newHits.length === 0) return;
  await emitEvent(unit, toScope(screening), {
    type: 'aml.alert',
    key: `aml.alert:${screening._id}`,
    subjectId: screening.recordId,
    data: {
      monitorId: monitor._id,
      screeningId: screening._id,
      kybId: isPartyMonitor(monitor) ? monitor.recordId : null,
      newHits: newHits.length,
      score: Math.max(...newHits.map(({ score }) => score)),
      match: screening.match,
    },
    at,
  });
}

const emitCompleted = (unit: UnitOfWork, screening: AmlScreeningRecord, at: Date) =>
  emitEvent(unit, toScope(screening), {
    type: 'check.completed',
    key: `check.completed:${screening._id}`,
    subjectId: screening.recordId,
    data: {
      checkId: screening._id,
      kind: 'aml_screening',
      sessionId: null,
      externalId: null,
      status: screening.status,
      outcome: screening.match === null ? null : screening.match ? 'review' : 'approved',
    },
    at,
  });

/** A found hit, with the review of the same entry for the same subject. */
const buildHitRecord = (
  screening: AmlScreeningRecord,
  { list, entry, score }: ListHit,
  reviews: ReadonlyMap<string, AmlReview>,
  createdAt: Date,
): AmlHitRecord => ({
  _id: newId('hit'),
  ...toScope(screening),
  screeningId: screening._id,
  recordId: screening.recordId,
  subjectKey: screening.subjectKey,
  personKey: null,
  listId: list.listId,
  entryId: entry.id,
  entryHash: entry.hash,
  score,
  review: reviews.get(buildEntryKey(list.listId, entry.id, entry.hash)) ?? null,
  createdAt,
});

const buildFoundHit = ({ entry, score, matchedName, explanation, list }: ListHit, id: string): FoundHit => ({
  id,
  list: list.list,
  listVersion: list.version,
  entry,
  score,
  matchedName,
  explanation,
});

/**
 * Records the result of a screening once: its hits with earlier reviews of the same entries, sealed details, and the
 * alert of a monitor. A second call changes nothing.
 */
export async function completeScreening(
  platform: Platform,
  screening: AmlScreeningRecord,
  lists: readonly UsableList[],
  hits: readonly ListHit[],
): Promise<ScreeningSummary> {
  const at = platform.clock.now();
  const keys = { subjectKey: screening.subjectKey, personKey: null };
  const cipher = await createRecordCipher(platform, screening, screening.recordId);
  return runTransaction(platform, async (unit) => {
    const reviews =
      hits.length === 0 ? new Map<string, AmlReview>() : await findPreviousReviews(unit, screening, [keys]);
    const records = hits.map((hit) => buildHitRecord(screening, hit, reviews, at));
    const found = hits.map((hit, index) => buildFoundHit(hit, records[index]?._id ?? ''));
    const counted = excludeFalsePositives(records);
    const completed = await AmlScreening.findOneAndUpdate(
      { _id: screening._id, status: 'processing', deletedAt: null },
      {
        $set: {
          status: 'completed',
          match: counted.length > 0,
          score: Math.max(0, ...counted.map(({ score }) => score)),
          hitCount: records.length,
          sealedHits: cipher.seal(JSON.stringify(found), buildHitsContext(screening._id)),
          listsSearched: lists.map(({ listId: _listId, objectKey: _objectKey, ...searched }) => searched),
          risks: lists.some(({ stale }) => stale) ? ['aml_list_stale'] : [],
          completedAt: at,
        },
      },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<AmlScreeningRecord>();
    if (completed === null) {
      const current = await findScreeningForWorkflow(screening._id);
      return current === null ? ERASED_SCREENING : summariseScreening(current);
    }
    if (records.length > 0) await AmlHit.insertMany(records, { session: unit.mongoSession });
    if (completed.monitorId === null) await emitCompleted(unit, completed, at);
    else await updateMonitor(unit, completed, records, at);
    return summariseScreening(completed);
  });
}

/** Ends the monitor that a screening started: without a result there is nothing that later hits are compared with. */
async function endMonitorOf(unit: UnitOfWork, screening: AmlScreeningRecord, at: Date): Promise<void> {
  const monitor = await AmlMonitor.findOneAndUpdate(
    { ...toScope(screening), recordId: screening._id, deletedAt: null },
    { $set: { deletedAt: at } },
    { session: unit.mongoSession },
  ).lean<AmlMonitorRecord>();
  if (monitor === null) return;
  await unit.audit(toScope(screening), { actor: 'system', action: 'aml_monitor.deleted', subject: monitor._id });
}

/**
 * Records that a screening failed. One of a client ends with its monitor and releases its Idempotency-Key: the response
 * asks the client to try again. `reason` is an error code.
 */
export const failScreening = (platform: Platform, screeningId: string, reason: string): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const at = platform.clock.now();
    const failed = await AmlScreening.findOneAndUpdate(
      { _id: screeningId, status: 'processing', deletedAt: null },
      {
        $set: {
          status: 'failed',
          monitored: false,
          failure: toFailureCode(reason),
          completedAt: at,
        },
      },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<AmlScreeningRecord>();
    if (failed === null || failed.monitorId !== null) return;
    await endMonitorOf(unit, failed, at);
    await releaseKeysOfRecord(unit, failed.organisationId, failed._id);
    await emitCompleted(unit, failed, at);
  });

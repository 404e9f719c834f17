import type { Hit } from '../../../domain/identity/aml/screening';
import { newId } from '../../../lib/ids';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord } from '../../../models/identity/aml/aml-hit';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import type { AmlMonitorRecord } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import { emitEvent } from '../../platform/webhooks/events';
import type { Platform } from '../../platform/platform';
import { recordCipher } from '../../platform/evidence/record-cipher';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { scopeOf } from '../sessions/session-store';
import type { UsableList } from './lists';
import { hitsPlace } from './screenings';
import { entryKey, rememberedReviews } from './subjects';

/** A hit in one of the lists that were searched. */
export interface ListHit extends Hit {
  list: UsableList;
}

/** What is sealed of a hit. */
export interface FoundHit extends Pick<Hit, 'entry' | 'score' | 'matchedName' | 'explanation'> {
  id: string;
  list: string;
  listVersion: string;
}

/** How a screening ended, in codes: what a workflow and its history may know. */
export interface ScreeningSummary {
  /** `erased` once the screening is deleted */
  status: AmlScreeningRecord['status'] | 'erased';
  match: boolean | null;
  hits: number;
}

export const ERASED_SCREENING: ScreeningSummary = { status: 'erased', match: null, hits: 0 };

export const screeningSummary = ({ status, match, hitCount }: AmlScreeningRecord): ScreeningSummary => ({
  status,
  match,
  hits: hitCount ?? 0,
});

/** The screening a workflow runs, in whatever scope it lies; null once it is deleted. Never call it for a request. */
export const screeningOfWorkflow = (id: string): Promise<AmlScreeningRecord | null> =>
  AmlScreening.findOne({ _id: id, deletedAt: null }).lean<AmlScreeningRecord>();

/** Hits that nobody has called a mistake. */
export const standing = <T extends Pick<AmlHitRecord, 'review'>>(hits: readonly T[]): T[] =>
  hits.filter(({ review }) => review?.status !== 'false_positive');

/** Tells of hits that the subject's last screening did not have, and notes the screening as the last. */
async function settleMonitor(unit: UnitOfWork, screening: AmlScreeningRecord, hits: readonly AmlHitRecord[], at: Date) {
  const monitor = await AmlMonitor.findOne({ _id: screening.monitorId, deletedAt: null })
    .session(unit.session)
    .lean<AmlMonitorRecord>();
  if (monitor === null) return;
  const before = await AmlHit.find({ ...scopeOf(screening), screeningId: monitor.lastScreeningId })
    .session(unit.session)
    .lean<AmlHitRecord[]>();
  const known = new Set(before.map((hit) => entryKey(hit.listId, hit.entryId, hit.entryHash)));
  const found = standing(hits).filter((hit) => !known.has(entryKey(hit.listId, hit.entryId, hit.entryHash)));
  await AmlMonitor.updateOne(
    { _id: monitor._id },
    { $set: { lastScreeningId: screening._id, lastScreenedAt: at }, $inc: { alerts: found.length > 0 ? 1 : 0 } },
    { session: unit.session },
  );
  if (found.length === 0) return;
  await emitEvent(unit, scopeOf(screening), {
    type: 'aml.alert',
    key: `aml.alert:${screening._id}`,
    subjectId: screening.recordId,
    data: {
      monitorId: monitor._id,
      screeningId: screening._id,
      newHits: found.length,
      score: Math.max(...found.map(({ score }) => score)),
      match: screening.match,
    },
    at,
  });
}

const tellCompleted = (unit: UnitOfWork, screening: AmlScreeningRecord, at: Date) =>
  emitEvent(unit, scopeOf(screening), {
    type: 'check.completed',
    key: `check.completed:${screening._id}`,
    subjectId: screening.recordId,
    data: {
      checkId: screening._id,
      kind: 'aml_screening',
      sessionId: null,
      status: screening.status,
      outcome: screening.match === null ? null : screening.match ? 'review' : 'approved',
    },
    at,
  });

/**
 * Records the answer of a screening once: its hits with what reviewers said of the same entries before, sealed details,
 * and the alert of a monitor. A second call finds it answered and changes nothing.
 */
export async function completeScreening(
  platform: Platform,
  screening: AmlScreeningRecord,
  lists: readonly UsableList[],
  hits: readonly ListHit[],
): Promise<ScreeningSummary> {
  const at = platform.clock.now();
  const cipher = await recordCipher(platform, screening, screening.recordId);
  const reviews = await rememberedReviews(screening, { subjectKey: screening.subjectKey, personKey: null });
  const records = hits.map((hit): AmlHitRecord => ({
    _id: newId('hit'),
    ...scopeOf(screening),
    screeningId: screening._id,
    recordId: screening.recordId,
    subjectKey: screening.subjectKey,
    personKey: null,
    listId: hit.list.listId,
    entryId: hit.entry.id,
    entryHash: hit.entry.hash,
    score: hit.score,
    review: reviews.get(entryKey(hit.list.listId, hit.entry.id, hit.entry.hash)) ?? null,
    createdAt: at,
  }));
  const found = hits.map(({ entry, score, matchedName, explanation, list }, index): FoundHit => {
    const id = records[index]?._id ?? '';
    return { id, list: list.list, listVersion: list.version, entry, score, matchedName, explanation };
  });
  const best = Math.max(0, ...standing(records).map(({ score }) => score));
  return transact(platform, async (unit) => {
    const completed = await AmlScreening.findOneAndUpdate(
      { _id: screening._id, status: 'processing', deletedAt: null },
      {
        $set: {
          status: 'completed',
          match: standing(records).length > 0,
          score: best,
          hitCount: records.length,
          sealedHits: cipher.seal(JSON.stringify(found), hitsPlace(screening._id)),
          listsSearched: lists.map(({ listId: _listId, objectKey: _objectKey, ...searched }) => searched),
          risks: lists.some(({ stale }) => stale) ? ['aml_list_stale'] : [],
          completedAt: at,
        },
      },
      { session: unit.session, returnDocument: 'after' },
    ).lean<AmlScreeningRecord>();
    if (completed === null) {
      const now = await screeningOfWorkflow(screening._id);
      return now === null ? ERASED_SCREENING : screeningSummary(now);
    }
    if (records.length > 0) await AmlHit.insertMany(records, { session: unit.session });
    if (completed.monitorId === null) await tellCompleted(unit, completed, at);
    else await settleMonitor(unit, completed, records, at);
    return screeningSummary(completed);
  });
}

/** Gives a screening up: nothing was found out. `reason` is an error code. */
export const failScreening = (platform: Platform, screeningId: string, reason: string): Promise<void> =>
  transact(platform, async (unit) => {
    const at = platform.clock.now();
    const failed = await AmlScreening.findOneAndUpdate(
      { _id: screeningId, status: 'processing', deletedAt: null },
      {
        $set: { status: 'failed', failure: /^[a-z][a-z_]*$/.test(reason) ? reason : 'internal_error', completedAt: at },
      },
      { session: unit.session, returnDocument: 'after' },
    ).lean<AmlScreeningRecord>();
    if (failed !== null && failed.monitorId === null) await tellCompleted(unit, failed, at);
  });

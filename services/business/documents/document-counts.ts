import { Decimal, ZERO } from '../../../domain/business/decimal';
import type { ClientSession } from 'mongoose';
import { readOptions, withMongoTransaction } from '../../../lib/mongo';
import { summariseError } from '../../../lib/logger';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { DocumentCount } from '../../../models/business/documents/document-count';
import type { DocumentCountRecord } from '../../../models/business/documents/document-count';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { buildChoiceCondition, buildDayRange } from '../records/lists';

/** Rows folded into buckets in one transaction; a longer backlog takes several transactions. */
const COMPACTION_BATCH_SIZE = 2000;
/** A list is compacted after this many new documents. */
const COMPACTION_INTERVAL_DOCUMENTS = 500;

export interface CountChange {
  organisationId: string;
  list: string;
  status: string;
  /** `YYYY-MM-DD`. */
  day: string;
  /** 1 for an added document, −1 for a removed one. */
  count: number;
  baseTotal: Decimal;
}

/** Records within a transaction how the number of documents of a list changes. */
export async function recordCountChanges(unit: UnitOfWork, changes: readonly CountChange[]): Promise<void> {
  const rows = changes.map((change) => ({ ...change, baseTotal: toDecimal128(change.baseTotal), folded: false }));
  await DocumentCount.insertMany(rows, { session: unit.mongoSession, lean: true });
}

export interface CountFilter {
  organisationId: string;
  list: string;
  /** @default all */
  statuses?: readonly string[] | undefined;
  /** Inclusive dates. */
  from?: string | undefined;
  to?: string | undefined;
}

function buildRowFilter({ organisationId, list, statuses, from, to }: CountFilter) {
  const day = buildDayRange({ from, to });
  return {
    organisationId,
    list,
    ...(day === null ? {} : { day }),
    ...(statuses === undefined ? {} : { status: buildChoiceCondition(statuses) }),
  };
}

/** Computes the exact number of documents from buckets and uncompacted rows; `session` reads both in one snapshot. */
export async function countFromRows(filter: CountFilter, mongoSession: ClientSession): Promise<number> {
  const [row] = await DocumentCount.aggregate<{ count: number }>(
    [{ $match: buildRowFilter(filter) }, { $group: { _id: null, count: { $sum: '$count' } } }],
    readOptions(mongoSession),
  );
  return row?.count ?? 0;
}

/**
 * Finds the day of the document after `skip` others, counted from the first day (`step` 1) or backwards from the last
 * (-1), and how many documents of that day precede it; null if there are not as many documents.
 */
export async function findDayAfter(
  filter: CountFilter,
  skip: number,
  step: 1 | -1,
  mongoSession: ClientSession,
): Promise<{ day: string; skip: number } | null> {
  const days = await DocumentCount.aggregate<{ _id: string; count: number }>(
    [
      { $match: buildRowFilter(filter) },
      { $group: { _id: '$day', count: { $sum: '$count' } } },
      { $sort: { _id: step } },
    ],
    readOptions(mongoSession),
  );
  let left = skip;
  for (const { _id: day, count } of days) {
    if (count > left) return { day, skip: left };
    left -= count;
  }
  return null;
}

async function compactBatch(organisationId: string, list: string): Promise<number> {
  return withMongoTransaction(async (mongoSession) => {
    const rows = await DocumentCount.find({ organisationId, list, folded: false })
      .sort({ _id: 1 })
      .limit(COMPACTION_BATCH_SIZE)
      .session(mongoSession)
      .lean<DocumentCountRecord[]>();
    const buckets = new Map<string, { day: string; status: string; count: number; baseTotal: Decimal }>();
    for (const row of rows) {
      const key = `${row.day}/${row.status}`;
      const bucket = buckets.get(key) ?? { day: row.day, status: row.status, count: 0, baseTotal: ZERO };
      bucket.count += row.count;
      bucket.baseTotal = bucket.baseTotal.plus(fromDecimal128(row.baseTotal));
      buckets.set(key, bucket);
    }
    for (const { day, status, count, baseTotal } of buckets.values())
      await DocumentCount.updateOne(
        { organisationId, list, day, status, folded: true },
        { $inc: { count, baseTotal: toDecimal128(new Decimal(baseTotal)) } },
        { upsert: true, session: mongoSession },
      );
    await DocumentCount.deleteMany({ _id: { $in: rows.map((row) => row._id) } }, { session: mongoSession });
    return rows.length;
  });
}

/**
 * Compacts the rows of a list into its day buckets. Safe to run in parallel and to kill at any point: a row either
 * still exists or is counted in its bucket.
 * @returns the number of compacted rows.
 */
export async function compactCounts(organisationId: string, list: string): Promise<number> {
  let compacted = 0;
  for (;;) {
    const batch = await compactBatch(organisationId, list);
    compacted += batch;
    if (batch < COMPACTION_BATCH_SIZE) return compacted;
  }
}

/**
 * Starts {@link compactCounts} without waiting for it, once every {@link COMPACTION_INTERVAL_DOCUMENTS} documents.
 * @param sequence sequence number of the document just created
 */
export function compactCountsPeriodically(
  platform: Platform,
  organisationId: string,
  list: string,
  sequence: number,
): void {
  if (sequence % COMPACTION_INTERVAL_DOCUMENTS !== 0) return;
  compactCounts(organisationId, list).catch((error: unknown) => {
    platform.logger.warn(
      { reason: summariseError(error) },
      'Compacting count rows failed; the next compaction includes them',
    );
  });
}

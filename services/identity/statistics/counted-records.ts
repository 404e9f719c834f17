import type { Collection, PipelineStage } from 'mongoose';
import { MINUTE_MS } from '../../../domain/durations';
import { QUARTER_HOUR_MS } from '../../../domain/platform/statistics/quarter-hours';
import type { Span } from '../../../domain/platform/statistics/quarter-hours';
import type { CountedRecords } from '../../../models/identity/statistics/day-count';
import type { Scope } from '../../platform/platform';
import { buildPeriodFilter } from '../../platform/statistics/day-groups';

/** How the records of a collection are counted: `Q` is what figures show by day, `T` what they show of a whole period. */
export interface CountDefinition<Q extends object, T extends object> {
  records: CountedRecords;
  /** Whether a scope has at least so many records. */
  hasAtLeast: (scope: Scope, count: number) => Promise<boolean>;
  /** When the first record of a scope was created; null without any. */
  findFirst: (scope: Scope) => Promise<Date | null>;
  aggregate: <R extends object>(pipeline: PipelineStage[]) => Promise<R[]>;
  /** Expressions of the fields of a group. */
  quarterGroup: Record<keyof Q, unknown>;
  totalGroup: Record<keyof T, unknown>;
}

/**
 * Defines how records are counted.
 * @param index begins with organisation, mode and creation, and has every field that is counted
 */
export const defineCounts = <Q extends object, T extends object>(
  records: CountedRecords,
  { collection }: { collection: Collection },
  index: Readonly<Record<string, 1>>,
  groups: Pick<CountDefinition<Q, T>, 'quarterGroup' | 'totalGroup'>,
): CountDefinition<Q, T> => ({
  records,
  ...groups,
  hasAtLeast: async ({ organisationId, mode }, count) =>
    (await collection.countDocuments({ organisationId, mode }, { limit: count, hint: index })) === count,
  async findFirst({ organisationId, mode }) {
    const first = await collection.findOne<{ createdAt: Date }>(
      { organisationId, mode },
      { projection: { _id: 0, createdAt: 1 }, sort: { createdAt: 1 }, hint: index },
    );
    return first?.createdAt ?? null;
  },
  aggregate: <R extends object>(pipeline: PipelineStage[]) =>
    collection.aggregate<R>(pipeline, { hint: index }).toArray(),
});

/** Records of one group that were created in the quarter hour or on the day in UTC that begins at a time. */
export interface CountRow<G> {
  at: Date;
  group: G;
  count: number;
}

/**
 * Whether a record was erased, as a key of a group: unlike a condition on null, it is read from an index alone. Such
 * groups are left out afterwards.
 */
const IS_DELETED = { $gt: ['$deletedAt', null] } as const;

const QUARTER_HOUR = { unit: 'minute', binSize: QUARTER_HOUR_MS / MINUTE_MS } as const;
const DAY = { unit: 'day' } as const;

async function countGroups<Q extends object, T extends object, G extends object>(
  { aggregate }: CountDefinition<Q, T>,
  scope: Scope,
  span: Span,
  unit: typeof QUARTER_HOUR | typeof DAY,
  group: Record<keyof G, unknown>,
): Promise<CountRow<G>[]> {
  const names = Object.keys(group);
  const fields = Object.fromEntries(names.map((name) => [name, { $ifNull: [`$_id.${name}`, null] }] as const));
  return aggregate<CountRow<G>>([
    { $match: buildPeriodFilter(scope, span) },
    {
      $group: {
        _id: { ...group, at: { $dateTrunc: { date: '$createdAt', ...unit } }, deleted: IS_DELETED },
        count: { $sum: 1 },
      },
    },
    { $match: { '_id.deleted': false } },
    { $project: { _id: 0, at: '$_id.at', group: fields, count: 1 } },
  ]);
}

/** The records of a span of time, by quarter hour and by day in UTC. */
export interface SpanCounts<Q, T> {
  quarters: CountRow<Q>[];
  totals: CountRow<T>[];
}

/** Counts the records that were created within a span of time. Reads an index alone, without any record. */
export async function countSpan<Q extends object, T extends object>(
  definition: CountDefinition<Q, T>,
  scope: Scope,
  span: Span,
): Promise<SpanCounts<Q, T>> {
  const [quarters, totals] = await Promise.all([
    countGroups<Q, T, Q>(definition, scope, span, QUARTER_HOUR, definition.quarterGroup),
    countGroups<Q, T, T>(definition, scope, span, DAY, definition.totalGroup),
  ]);
  return { quarters, totals };
}

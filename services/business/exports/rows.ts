import type { Cell, ExportColumn } from '../../../domain/business/exports/exports';
import { readAhead } from '../../../lib/read-ahead';
import type { ExportKey, ExportRecord } from '../../../models/business/exports/export';
import { buildExportCondition } from './conditions';
import type { Batch, DerivedSource, ExportSource, SourceColumn } from './source';
import { listColumns, EXPORT_SOURCES } from './sources';

/**
 * Number of documents fetched at once. Larger batches survive into the old generation of the heap, whose garbage
 * collection then takes as long as writing the rows.
 */
const BATCH_SIZE = 250;

const isDerived = (source: ExportSource | DerivedSource): source is DerivedSource => 'findLastKey' in source;

/** A record as MongoDB returns it: its key, its cells, and those of the members of its array. */
interface Projected {
  k: ExportKey;
  c: Cell[];
  e?: Cell[][];
}

const buildExpression = ({ from, kind }: SourceColumn, prefix: string): unknown => {
  if (from === null) return null;
  const value = typeof from === 'string' ? `${prefix}${from}` : from;
  // MongoDB converts decimals to text, so that they are exact and need no parsing here.
  return kind === 'decimal' ? { $toString: value } : value;
};

function buildProjection(source: ExportSource): object {
  const buildCells = (columns: readonly SourceColumn[], prefix: string) =>
    columns.map((column) => buildExpression(column, prefix));
  return {
    _id: 0,
    k: `$${source.key}`,
    c: buildCells(source.columns, '$'),
    ...(source.each === undefined
      ? {}
      : { e: { $map: { input: `$${source.each.from}`, as: 'm', in: buildCells(source.each.columns, '$$m.') } } }),
  };
}

/** The condition of the rows of an export. */
export const buildRecordCondition = (record: ExportRecord): Record<string, unknown> =>
  buildExportCondition(record.organisationId, record.resource, record.filters, record);

const buildKeyCondition = ({ key }: ExportSource, record: ExportRecord, after: ExportKey | null) => ({
  [key]: { ...(after === null ? {} : { $gt: after }), $lte: record.highestKey },
});

/** The current highest key of the list; null if the list is empty. */
export async function findHighestKey(record: ExportRecord): Promise<ExportKey | null> {
  const { organisationId, resource } = record;
  const source = EXPORT_SOURCES[resource];
  if (isDerived(source)) return source.findLastKey(record);
  const { model, key, base, index } = source;
  const [last] = await model.collection
    .find({ organisationId, ...base }, { projection: { _id: 0, k: `$${key}` }, hint: { ...index } })
    .sort({ [key]: -1 })
    .limit(1)
    .toArray();
  const value: unknown = last?.['k'];
  return value === undefined ? null : (value as ExportKey);
}

/** Counts the rows of an export. */
export async function countRows(record: ExportRecord): Promise<number> {
  const source = EXPORT_SOURCES[record.resource];
  if (record.highestKey === null) return 0;
  if (isDerived(source)) return source.count(record);
  const { model, each } = source;
  const filter = { $and: [buildRecordCondition(record), buildKeyCondition(source, record, null)] };
  if (each === undefined) return model.collection.countDocuments(filter);
  const [sum] = await model.collection
    .aggregate<{ rows: number }>([
      { $match: filter },
      { $group: { _id: null, rows: { $sum: { $size: { $ifNull: [`$${each.from}`, []] } } } } },
    ])
    .toArray();
  return sum?.rows ?? 0;
}

const toRows = (batch: readonly Projected[]): Cell[][] =>
  batch.flatMap(({ c, e }) => (e === undefined ? [c] : e.map((member) => [...c, ...member])));

/** Finds records in the order of their keys. An aggregation would take MongoDB a third longer. */
async function* findRecords(
  source: ExportSource,
  record: ExportRecord,
  after: ExportKey | null,
): AsyncGenerator<Projected[]> {
  const cursor = source.model.collection.find<Projected>(
    { $and: [buildRecordCondition(record), buildKeyCondition(source, record, after)] },
    {
      projection: buildProjection(source),
      sort: { [source.key]: 1 },
      hint: { ...source.index },
      batchSize: BATCH_SIZE,
    },
  );
  try {
    while (await cursor.hasNext()) yield cursor.readBufferedDocuments();
  } finally {
    await cursor.close();
  }
}

/** Reads the rows of an export after a key, complete records at a time, in the order of their keys. */
export async function* readRows(record: ExportRecord, after: ExportKey | null): AsyncGenerator<Batch<Cell[]>> {
  const source = EXPORT_SOURCES[record.resource];
  if (record.highestKey === null) return;
  if (isDerived(source)) {
    yield* source.read(record, after);
    return;
  }
  const names = listColumns(source).map(({ name }) => name);
  const at = (column: string): number => names.indexOf(column);
  // MongoDB finds the next records while the derived columns of these are added.
  for await (const found of readAhead(findRecords(source, record, after))) {
    const last = found.at(-1);
    if (last === undefined) continue;
    const items = toRows(found);
    await source.derive?.(record, items, at);
    yield { items, lastKey: last.k };
  }
}

/** The columns of the rows of an export. */
export const listExportColumns = (record: Pick<ExportRecord, 'resource'>): readonly ExportColumn[] =>
  listColumns(EXPORT_SOURCES[record.resource]);

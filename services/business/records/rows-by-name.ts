import type { ClientSession, Model, QueryFilter } from 'mongoose';
import { readOptions } from '../../../lib/mongo';
import { NAME_COLLATION, NAME_INDEX } from '../../../models/name-order';
import type { PageWindow } from '../../platform/lists/pages';

/** So many hits are sorted by name in memory; of more, a page is found sooner in the order of names. */
const MAX_SORTED_HITS = 10_000;

/** Whether the index in the order of names has every field of a condition. */
function isInNameIndex<T>(model: Model<T>, condition: object): boolean {
  const [keys = {}] = model.schema.indexes().find(([, { name }]) => name === NAME_INDEX) ?? [];
  return Object.keys(condition).every((field) => field in keys);
}

/**
 * Reads rows in the order of names. With its collation, MongoDB uses no other index that begins with a text, such as the
 * organisation: what a search or another filter finds is found first, and then sorted.
 * @param hint the index by which a search is read
 */
export async function readRowsByName<T, R>(
  model: Model<T>,
  filter: QueryFilter<T>,
  { sort, skip, limit }: PageWindow,
  mongoSession: ClientSession,
  hint: { hint?: Record<string, 1> },
): Promise<R[]> {
  const options = readOptions(mongoSession);
  const read = (condition: QueryFilter<T>, index: string | Record<string, 1>): Promise<R[]> =>
    model
      .find(condition)
      .collation(NAME_COLLATION)
      .setOptions({ hint: index, ...options })
      .sort(sort)
      .skip(skip)
      .limit(limit)
      .lean<R[]>()
      .exec();
  if (isInNameIndex(model, filter)) return read(filter, NAME_INDEX);
  const hits = await model
    .find(filter, { _id: 1 })
    .setOptions({ ...hint, ...options })
    .limit(MAX_SORTED_HITS + 1)
    .lean<{ _id: unknown }[]>();
  if (hits.length > MAX_SORTED_HITS) return read(filter, NAME_INDEX);
  return read({ $and: [filter, { _id: { $in: hits.map(({ _id }) => _id) } }] }, { _id: 1 });
}

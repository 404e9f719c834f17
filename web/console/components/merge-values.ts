/** The values of a form after a conflict. */
export interface MergedValues<V> {
  values: V;
  /** Fields that both sides changed, by path such as `address.city`, with the value of the current version. */
  both: Readonly<Record<string, unknown>>;
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function mergeFields(
  read: Fields,
  typed: Fields,
  current: Fields,
  prefix: string,
  both: Record<string, unknown>,
): Fields {
  const names = new Set([...Object.keys(typed), ...Object.keys(current)]);
  return Object.fromEntries(
    [...names].map((name): [string, unknown] => {
      const [before, mine, theirs] = [read[name], typed[name], current[name]];
      const path = prefix + name;
      if (isFields(before) && isFields(mine) && isFields(theirs))
        return [name, mergeFields(before, mine, theirs, `${path}.`, both)];
      if (isEqual(mine, before)) return [name, theirs];
      if (!isEqual(theirs, before) && !isEqual(theirs, mine)) both[path] = theirs;
      return [name, mine];
    }),
  );
}

/**
 * Merges what the user has typed with a newer version of the record: a field that the user has not changed takes its
 * current value, every other keeps what was typed. A list counts as one field.
 *
 * @param read the values that the user began with
 */
export function mergeValues<V extends Fields>(read: V, typed: V, current: V): MergedValues<V> {
  const both: Record<string, unknown> = {};
  // The merged record has the fields of the three, which are of one type.
  const values = mergeFields(read, typed, current, '', both) as V;
  return { values, both };
}

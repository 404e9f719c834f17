import type { Schema } from 'mongoose';

/**
 * The order of names in lists: that of a dictionary, in which `Ärzte` comes before `bank` and `Zebra`. Case and diacritics
 * decide only between names that are otherwise equal.
 */
export const NAME_COLLATION = { locale: 'en' } as const;

/** The index in the order of names; it is named, because an index of an earlier version has the same fields. */
export const NAME_INDEX = 'names_in_order';

/**
 * Indexes a collection for lists in the order of names.
 * @param filtered fields by which lists are filtered without reading the record
 */
export function indexNames<T>(schema: Schema<T>, filtered: { active?: 1 } = {}): void {
  const keys = { organisationId: 1, name: 1, id: 1, ...filtered } as const;
  schema.index(keys, { name: NAME_INDEX, collation: NAME_COLLATION });
}

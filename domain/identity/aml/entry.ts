/** What an entry of a watch list is. `unknown` if its publisher does not say. */
export const ENTITY_TYPES = ['person', 'company', 'vessel', 'aircraft'] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];

export type ListedType = EntityType | 'unknown';

export type Gender = 'male' | 'female';

/**
 * A name of an entry. `weak`: its publisher marks it as low quality (a nickname, a common word), so that it never makes
 * a match on its own.
 */
export interface ListedName {
  name: string;
  weak: boolean;
}

/** An identifying number: passport, tax number, IMO number, registration. */
export interface ListedIdentifier {
  type: string;
  value: string;
  country: string | null;
}

/** One entry of a watch list, independent of the publisher's format. */
export interface WatchListEntry {
  /** Unique within its list and stable between versions. */
  id: string;
  type: ListedType;
  /** Primary name. */
  caption: string;
  /** All other names. */
  aliases: ListedName[];
  /** YYYY, YYYY-MM or YYYY-MM-DD; prefixed with `~` if approximate. */
  datesOfBirth: string[];
  /** Countries of nationality, residence or registration, alpha-2. */
  countries: string[];
  genders: Gender[];
  identifiers: ListedIdentifier[];
  programs: string[];
  positions: string[];
  /** One line per address. */
  addresses: string[];
  remarks: string | null;
  sourceUrl: string | null;
  /** Day on which its publisher listed it, if stated: YYYY-MM-DD. */
  listedOn: string | null;
}

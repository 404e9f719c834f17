/** What an entry of a watch list is about. `unknown` where its publisher does not say. */
export const ENTITY_TYPES = ['person', 'company', 'vessel', 'aircraft'] as const;

export type EntityType = (typeof ENTITY_TYPES)[number];

export type ListedType = EntityType | 'unknown';

export type Gender = 'male' | 'female';

/**
 * A name of an entry. `weak`: its publisher calls it of low quality (a nickname, one common word), so that on its own
 * it can never make a match.
 */
export interface ListedName {
  name: string;
  weak: boolean;
}

/** A number that identifies: passport, tax number, IMO number, registration. */
export interface ListedIdentifier {
  type: string;
  value: string;
  country: string | null;
}

/** One entry of a watch list, the same whatever format its publisher uses. */
export interface WatchListEntry {
  /** unique within its list and stable between versions */
  id: string;
  type: ListedType;
  /** the name it is known by first */
  caption: string;
  /** every other name */
  aliases: ListedName[];
  /** YYYY, YYYY-MM or YYYY-MM-DD; `~` before one that is approximate */
  datesOfBirth: string[];
  /** alpha-2 of nationality, residence or registration */
  countries: string[];
  genders: Gender[];
  identifiers: ListedIdentifier[];
  programs: string[];
  positions: string[];
  /** one line each */
  addresses: string[];
  remarks: string | null;
  sourceUrl: string | null;
  /** day its publisher listed it, where stated: YYYY-MM-DD */
  listedOn: string | null;
}

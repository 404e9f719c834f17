import type { GoldenCopyDataset, ParentRelation } from '../../../../domain/identity/registers/gleif/golden-copy';
import type { CompanyQuery, Parent } from '../../../../domain/identity/kyb/company';
import { companyNameKeys } from '../../../../domain/identity/kyb/names';
import { GleifEdition } from '../../../../models/identity/registers/gleif-edition';
import type { GleifEditionRecord } from '../../../../models/identity/registers/gleif-edition';
import { GleifEntity } from '../../../../models/identity/registers/gleif-entity';
import type { GleifEntityRecord } from '../../../../models/identity/registers/gleif-entity';
import { GleifParent } from '../../../../models/identity/registers/gleif-parent';
import type { GleifParentRecord } from '../../../../models/identity/registers/gleif-parent';

/** Entities of one name that are read; the best of them are scored. */
const MOST_CANDIDATES = 200;
/** A word in more names than this is looked for only where no rarer one is left. */
const COMMON_WORD = 2000;

/** The edition of a data set that is in use; null where none was imported. */
export const activeEdition = (dataset: GoldenCopyDataset): Promise<GleifEditionRecord | null> =>
  GleifEdition.findOne({ dataset, status: 'active' }).lean<GleifEditionRecord>();

/** Registers differ in how many zeros they put in front. */
const spellings = (number: string): string[] => {
  const bare = number.replace(/^0+(?=.)/, '');
  return [...new Set([number, bare, bare.padStart(8, '0')])];
};

const entities = (filter: object): Promise<GleifEntityRecord[]> =>
  GleifEntity.find(filter).limit(MOST_CANDIDATES).lean<GleifEntityRecord[]>();

/** Words of a name with how many entities have them, the rarest first. */
async function byRarity(edition: number, words: readonly string[]): Promise<{ word: string; entities: number }[]> {
  const counted = await Promise.all(
    words.map(async (word) => ({
      word,
      entities: await GleifEntity.countDocuments({ edition, nameWords: word }, { limit: COMMON_WORD }),
    })),
  );
  return counted.filter((each) => each.entities > 0).sort((a, b) => a.entities - b.entities);
}

/** Entities of this very name, and those that share its rarest words: one may be misspelt. */
async function byName(edition: number, companyName: string, country: string | null): Promise<GleifEntityRecord[]> {
  const { key, words } = companyNameKeys(companyName);
  const found = new Map<string, GleifEntityRecord>();
  const keep = (rows: readonly GleifEntityRecord[]): void => rows.forEach((row) => found.set(row.lei, row));
  const within = country === null ? {} : { 'company.country': country };
  keep(await entities({ edition, nameKeys: key, ...within }));
  keep(await entities({ edition, nameKeys: key }));
  const known = await byRarity(edition, words);
  if (known.length > 1) keep(await entities({ edition, nameWords: { $all: known.map(({ word }) => word) } }));
  const rare = known.filter((each) => each.entities < COMMON_WORD);
  for (const { word } of rare) {
    if (found.size >= MOST_CANDIDATES) break;
    keep(await entities({ edition, nameWords: word, ...within }));
  }
  return [...found.values()];
}

/**
 * Entities of an edition that may be the one asked for, by the number that was given, else by name. They are looked for
 * in the order of how well each tells companies apart; the first that finds any ends it.
 */
export async function findEntities(edition: number, query: CompanyQuery): Promise<GleifEntityRecord[]> {
  const { lei, registrationNumber, country, companyName } = query;
  if (lei !== null) {
    const found = await entities({ edition, lei });
    if (found.length > 0) return found;
  }
  if (registrationNumber !== null) {
    const within = country === null ? {} : { 'company.country': country };
    const found = await entities({ edition, registrationNumber: { $in: spellings(registrationNumber) }, ...within });
    if (found.length > 0) return found;
  }
  return byName(edition, companyName, country);
}

/** An entity of an edition; null where it is not in it. */
export const findEntity = (edition: number, lei: string): Promise<GleifEntityRecord | null> =>
  GleifEntity.findOne({ edition, lei }).lean<GleifEntityRecord>();

const parentIn = async (
  edition: GleifEditionRecord | null,
  lei: string,
  relation: ParentRelation,
): Promise<GleifParentRecord | null> =>
  edition === null ? null : GleifParent.findOne({ edition: edition._id, lei, relation }).lean<GleifParentRecord>();

/** The parent of an entity, or why none is named; null where nothing was reported or level 2 was not imported. */
export async function findParent(entityEdition: number, lei: string, relation: ParentRelation): Promise<Parent | null> {
  const named = await parentIn(await activeEdition('relationships'), lei, relation);
  const parentLei = named?.parentLei ?? null;
  if (parentLei !== null) {
    const parent = await findEntity(entityEdition, parentLei);
    const { legalName = null, country = null } = parent?.company ?? {};
    return { lei: parentLei, legalName, country, exceptions: [] };
  }
  const excused = await parentIn(await activeEdition('exceptions'), lei, relation);
  return excused === null ? null : { lei: null, legalName: null, country: null, exceptions: excused.exceptions };
}

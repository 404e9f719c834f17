import type { GoldenCopyDataset, ParentRelation } from '../../../../domain/identity/registers/gleif/golden-copy';
import type { CompanyQuery, Parent } from '../../../../domain/identity/kyb/company';
import { listNumberSpellings } from '../../../../domain/identity/kyb/match';
import { buildCompanyNameKeys } from '../../../../domain/identity/kyb/names';
import { listCorrections } from '../../../../domain/identity/kyb/typos';
import { GleifEdition } from '../../../../models/identity/registers/gleif-edition';
import type { GleifEditionRecord } from '../../../../models/identity/registers/gleif-edition';
import { GleifEntity } from '../../../../models/identity/registers/gleif-entity';
import type { GleifEntityRecord } from '../../../../models/identity/registers/gleif-entity';
import { GleifParent } from '../../../../models/identity/registers/gleif-parent';
import type { GleifParentRecord } from '../../../../models/identity/registers/gleif-parent';

/** Maximum number of entities that are read for a name; the best of them are scored. */
const MAX_CANDIDATES = 200;
/** Words of at least this many names are only searched together with all others. */
const COMMON_WORD_COUNT = 2000;

/** The active edition of a data set; null if none was imported. */
export const findActiveEdition = (dataset: GoldenCopyDataset): Promise<GleifEditionRecord | null> =>
  GleifEdition.findOne({ dataset, status: 'active' }).lean<GleifEditionRecord>();

const queryEntities = (filter: object): Promise<GleifEntityRecord[]> =>
  GleifEntity.find(filter).limit(MAX_CANDIDATES).lean<GleifEntityRecord[]>();

/** Words of a name with the number of entities that have them, rarest first. */
async function rankWordsByRarity(
  edition: number,
  words: readonly string[],
): Promise<{ word: string; entities: number }[]> {
  const counted = await Promise.all(
    words.map(async (word) => ({
      word,
      entities: await GleifEntity.countDocuments({ edition, nameWords: word }, { limit: COMMON_WORD_COUNT }),
    })),
  );
  return counted.filter((each) => each.entities > 0).sort((a, b) => a.entities - b.entities);
}

/** Entities with exactly this name or one that differs by a letter, and entities that share its rarest words, because one word may be misspelt. */
async function findEntitiesByName(
  edition: number,
  companyName: string,
  country: string | null,
): Promise<GleifEntityRecord[]> {
  const { key, words } = buildCompanyNameKeys(companyName);
  const found = new Map<string, GleifEntityRecord>();
  const keep = (rows: readonly GleifEntityRecord[]): void => rows.forEach((row) => found.set(row.lei, row));
  const countryFilter = country === null ? {} : { 'company.country': country };
  keep(await queryEntities({ edition, nameKeys: key, ...countryFilter }));
  keep(await queryEntities({ edition, nameKeys: key }));
  if (found.size === 0) keep(await queryEntities({ edition, nameKeys: { $in: listCorrections(key) } }));
  const rankedWords = await rankWordsByRarity(edition, words);
  if (rankedWords.length > 1)
    keep(await queryEntities({ edition, nameWords: { $all: rankedWords.map(({ word }) => word) } }));
  const rareWords = rankedWords.filter((each) => each.entities < COMMON_WORD_COUNT);
  for (const { word } of rareWords) {
    if (found.size >= MAX_CANDIDATES) break;
    keep(await queryEntities({ edition, nameWords: word, ...countryFilter }));
  }
  return [...found.values()];
}

/**
 * Entities of an edition that may be the requested one. They are searched by the most distinctive key first; the first
 * key with a result ends the search.
 */
export async function findEntities(edition: number, query: CompanyQuery): Promise<GleifEntityRecord[]> {
  const { lei, registrationNumber, country, companyName } = query;
  if (lei !== null) {
    const found = await queryEntities({ edition, lei });
    if (found.length > 0) return found;
  }
  if (registrationNumber !== null) {
    const countryFilter = country === null ? {} : { 'company.country': country };
    const found = await queryEntities({
      edition,
      registrationNumber: { $in: listNumberSpellings(registrationNumber) },
      ...countryFilter,
    });
    if (found.length > 0) return found;
  }
  return findEntitiesByName(edition, companyName, country);
}

/** An entity of an edition; null if the edition does not contain it. */
export const findEntity = (edition: number, lei: string): Promise<GleifEntityRecord | null> =>
  GleifEntity.findOne({ edition, lei }).lean<GleifEntityRecord>();

const findParentRecord = async (
  edition: GleifEditionRecord | null,
  lei: string,
  relation: ParentRelation,
): Promise<GleifParentRecord | null> =>
  edition === null ? null : GleifParent.findOne({ edition: edition._id, lei, relation }).lean<GleifParentRecord>();

/**
 * The parent of an entity, or the reasons why none is reported; null if nothing was reported or level 2 was not
 * imported.
 */
export async function findParent(entityEdition: number, lei: string, relation: ParentRelation): Promise<Parent | null> {
  const reported = await findParentRecord(await findActiveEdition('relationships'), lei, relation);
  const parentLei = reported?.parentLei ?? null;
  if (parentLei !== null) {
    const parent = await findEntity(entityEdition, parentLei);
    const { legalName = null, country = null } = parent?.company ?? {};
    return { lei: parentLei, legalName, country, exceptions: [] };
  }
  const exception = await findParentRecord(await findActiveEdition('exceptions'), lei, relation);
  return exception === null ? null : { lei: null, legalName: null, country: null, exceptions: exception.exceptions };
}

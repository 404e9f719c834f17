import type { GoldenCopyDataset, GoldenCopyParent } from '../../../../domain/identity/registers/gleif/golden-copy';
import { parseEntity } from '../../../../domain/identity/registers/gleif/golden-copy';
import { buildCompanyNameKeys } from '../../../../domain/identity/kyb/names';
import type { CsvRow } from '../../../../domain/identity/registers/rows';
import { insertNew } from '../../../../lib/mongo';
import { GleifEntity } from '../../../../models/identity/registers/gleif-entity';
import type { GleifEntityRecord } from '../../../../models/identity/registers/gleif-entity';
import { GleifParent } from '../../../../models/identity/registers/gleif-parent';
import type { GleifParentRecord } from '../../../../models/identity/registers/gleif-parent';

/** Creates and inserts the rows of a data set. */
export interface EditionWriter<T> {
  /** @returns null for a row that is ignored */
  toRecord(edition: number, row: CsvRow): T | null;
  /** Leaves rows that were written before unchanged. */
  insert(rows: T[]): Promise<void>;
}

function buildEntityRecord(edition: number, row: CsvRow): GleifEntityRecord | null {
  const entity = parseEntity(row);
  if (entity === null) return null;
  const { lei, company, updatedAt } = entity;
  const names = [company.legalName, ...company.otherNames].filter((name) => name !== null);
  const keys = names.map(buildCompanyNameKeys);
  return {
    edition,
    lei,
    nameKeys: [...new Set(keys.map(({ key }) => key))],
    nameWords: [...new Set(keys.flatMap(({ words }) => words))],
    registrationNumber: company.registrationNumber,
    company,
    updatedAt,
  };
}

export const ENTITY_WRITER: EditionWriter<GleifEntityRecord> = {
  toRecord: buildEntityRecord,
  async insert(rows) {
    await insertNew(GleifEntity, rows);
  },
};

/** @param parse parses a row of relationships or of exceptions */
export const createParentWriter = (
  parse: (row: CsvRow) => GoldenCopyParent | null,
): EditionWriter<GleifParentRecord> => ({
  toRecord(edition, row) {
    const parent = parse(row);
    return parent === null ? null : { edition, ...parent };
  },
  async insert(rows) {
    await insertNew(GleifParent, rows);
  },
});

/** Removes all rows of an edition. */
export async function removeEditionRows(dataset: GoldenCopyDataset, edition: number): Promise<void> {
  if (dataset === 'entities') await GleifEntity.deleteMany({ edition });
  else await GleifParent.deleteMany({ edition });
}

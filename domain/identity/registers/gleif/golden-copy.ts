import type { Address, Company } from '../../kyb/company';
import { isLei } from '../../kyb/lei';
import type { ColumnSet } from '../columns';
import type { CsvRow } from '../rows';
import { getJurisdictionCountry, toDateString, normaliseRegistrationNumber, toCompanyStatus } from './entity';

/**
 * Data sets of GLEIF's golden copy in CSV, one file each: LEI-CDF 3.1 (level 1), RR-CDF 2.1 (parents, level 2) and
 * reporting exceptions (why no parent is reported). Each is imported and replaced separately.
 */
export const GOLDEN_COPY_DATASETS = ['entities', 'relationships', 'exceptions'] as const;

export type GoldenCopyDataset = (typeof GOLDEN_COPY_DATASETS)[number];

/** The parent that a level 2 row describes. */
export type ParentRelation = 'direct' | 'ultimate';

/** A legal entity of level 1. */
export interface GoldenCopyEntity {
  lei: string;
  company: Company;
  /** Time of the last update by the LEI issuer, ISO 8601. */
  updatedAt: string | null;
}

/** A row of level 2: the parent of a relation, or the reasons why none is reported. */
export interface GoldenCopyParent {
  lei: string;
  relation: ParentRelation;
  parentLei: string | null;
  exceptions: string[];
}

const OTHER_NAMES = [1, 2, 3, 4, 5].flatMap((at) => [
  `Entity.OtherEntityNames.OtherEntityName.${at}`,
  `Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName.${at}`,
]);

const REASONS = [1, 2, 3, 4, 5].map((at) => `Exception.Reason.${at}`);

const ADDRESS_LINES = ['FirstAddressLine', ...[1, 2, 3].map((at) => `AdditionalAddressLine.${at}`)];
const listAddressColumns = (address: string): string[] =>
  [...ADDRESS_LINES, 'City', 'Region', 'Country', 'PostalCode'].map((part) => `${address}.${part}`);

/** The columns that are read, by the names that GLEIF publishes; all others are ignored. */
export const GOLDEN_COPY_COLUMNS: Readonly<Record<GoldenCopyDataset, ColumnSet>> = {
  entities: {
    required: ['LEI', 'Entity.LegalName', 'Entity.EntityStatus', 'Registration.RegistrationStatus'],
    optional: [
      ...OTHER_NAMES,
      ...listAddressColumns('Entity.LegalAddress'),
      ...listAddressColumns('Entity.HeadquartersAddress'),
      'Entity.RegistrationAuthority.RegistrationAuthorityEntityID',
      'Entity.LegalJurisdiction',
      'Entity.LegalForm.EntityLegalFormCode',
      'Entity.LegalForm.OtherLegalForm',
      'Entity.EntityCreationDate',
      'Entity.EntityExpirationDate',
      'Entity.EntityExpirationReason',
      'Registration.LastUpdateDate',
    ],
  },
  relationships: {
    required: [
      'Relationship.StartNode.NodeID',
      'Relationship.EndNode.NodeID',
      'Relationship.RelationshipType',
      'Relationship.RelationshipStatus',
    ],
    optional: [],
  },
  exceptions: { required: ['LEI', 'Exception.Category', 'Exception.Reason.1'], optional: REASONS.slice(1) },
};

/** The data set of a file, by its header; null if it is not a GLEIF file. */
export function detectDataset(header: readonly string[]): GoldenCopyDataset | null {
  const columns = new Set(header);
  const fits = (dataset: GoldenCopyDataset): boolean =>
    GOLDEN_COPY_COLUMNS[dataset].required.every((name) => columns.has(name));
  return GOLDEN_COPY_DATASETS.find(fits) ?? null;
}

/**
 * Publication time of a file, by the name that GLEIF gives it: `20261121-0800-gleif-goldencopy-lei2-golden-copy.csv`.
 * Null if the name contains none.
 */
export function parsePublishedAt(fileName: string): Date | null {
  const [, year, month, day, hour, minute] = /^(\d{4})(\d\d)(\d\d)-(\d\d)(\d\d)-/.exec(fileName) ?? [];
  if (year === undefined) return null;
  const instant = new Date(`${year}-${month}-${day}T${hour}:${minute}:00Z`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

/** Whether a file contains only changes, by its name. Imported as a golden copy it would empty the register. */
export const isDeltaFile = (fileName: string): boolean => /-(?:intra-day|last-[a-z]+|delta)\b/i.test(fileName);

const readColumn = (row: CsvRow, column: string): string | null => {
  const value = row[column];
  return value === undefined || value === '' ? null : value;
};

function readAddress(row: CsvRow, address: string): Address | null {
  const lines = ADDRESS_LINES.flatMap((part) => readColumn(row, `${address}.${part}`) ?? []);
  const found = {
    lines,
    city: readColumn(row, `${address}.City`),
    region: readColumn(row, `${address}.Region`),
    postalCode: readColumn(row, `${address}.PostalCode`),
    country: readColumn(row, `${address}.Country`),
  };
  return lines.length === 0 && found.city === null && found.country === null ? null : found;
}

/** @returns null for a row without a valid LEI or name */
export function parseEntity(row: CsvRow): GoldenCopyEntity | null {
  const lei = readColumn(row, 'LEI');
  const legalName = readColumn(row, 'Entity.LegalName');
  if (lei === null || legalName === null || !isLei(lei)) return null;
  const code = readColumn(row, 'Entity.LegalForm.EntityLegalFormCode');
  const form = readColumn(row, 'Entity.LegalForm.OtherLegalForm');
  const registeredAddress = readAddress(row, 'Entity.LegalAddress');
  const others = OTHER_NAMES.flatMap((column) => readColumn(row, column) ?? []);
  return {
    lei,
    company: {
      legalName,
      otherNames: [...new Set(others)].filter((name) => name !== legalName),
      country:
        getJurisdictionCountry(readColumn(row, 'Entity.LegalJurisdiction')) ?? registeredAddress?.country ?? null,
      registrationNumber: normaliseRegistrationNumber(
        readColumn(row, 'Entity.RegistrationAuthority.RegistrationAuthorityEntityID'),
      ),
      vatNumber: null,
      lei,
      leiStatus: readColumn(row, 'Registration.RegistrationStatus'),
      status: toCompanyStatus(readColumn(row, 'Entity.EntityStatus'), readColumn(row, 'Entity.EntityExpirationReason')),
      legalForm: code === null && form === null ? null : { code, name: form },
      incorporationDate: toDateString(readColumn(row, 'Entity.EntityCreationDate')),
      dissolutionDate: toDateString(readColumn(row, 'Entity.EntityExpirationDate')),
      registeredAddress,
      headquarters: readAddress(row, 'Entity.HeadquartersAddress'),
    },
    updatedAt: readColumn(row, 'Registration.LastUpdateDate'),
  };
}

const RELATIONS: Readonly<Record<string, ParentRelation>> = {
  IS_DIRECTLY_CONSOLIDATED_BY: 'direct',
  IS_ULTIMATELY_CONSOLIDATED_BY: 'ultimate',
};

const CATEGORIES: Readonly<Record<string, ParentRelation>> = {
  DIRECT_ACCOUNTING_CONSOLIDATION_PARENT: 'direct',
  ULTIMATE_ACCOUNTING_CONSOLIDATION_PARENT: 'ultimate',
};

/**
 * Parses a relationship in which `StartNode` is consolidated by `EndNode`.
 * @returns null for funds, branches and ended relationships, which have no parent
 */
export function parseRelationship(row: CsvRow): GoldenCopyParent | null {
  const lei = readColumn(row, 'Relationship.StartNode.NodeID');
  const parentLei = readColumn(row, 'Relationship.EndNode.NodeID');
  const relation = RELATIONS[readColumn(row, 'Relationship.RelationshipType') ?? ''];
  if (lei === null || parentLei === null || relation === undefined) return null;
  if (readColumn(row, 'Relationship.RelationshipStatus') !== 'ACTIVE' || !isLei(lei) || !isLei(parentLei)) return null;
  return { lei, relation, parentLei, exceptions: [] };
}

/** @returns null for a category other than the two kinds of parents */
export function parseException(row: CsvRow): GoldenCopyParent | null {
  const lei = readColumn(row, 'LEI');
  const relation = CATEGORIES[readColumn(row, 'Exception.Category') ?? ''];
  if (lei === null || relation === undefined || !isLei(lei)) return null;
  return { lei, relation, parentLei: null, exceptions: REASONS.flatMap((column) => readColumn(row, column) ?? []) };
}

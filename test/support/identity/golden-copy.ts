import { crc32, deflateRawSync } from 'node:zlib';

/** A legal entity of the generated golden copy. */
export interface TestEntity {
  lei: string;
  name: string;
  otherName?: string;
  country?: string;
  registeredAs?: string;
  status?: string;
  leiStatus?: string;
}

const ENTITY_COLUMNS = [
  'LEI',
  'Entity.LegalName',
  'Entity.LegalName.xmllang',
  'Entity.OtherEntityNames.OtherEntityName.1',
  'Entity.OtherEntityNames.OtherEntityName.1.type',
  'Entity.LegalAddress.FirstAddressLine',
  'Entity.LegalAddress.City',
  'Entity.LegalAddress.Country',
  'Entity.RegistrationAuthority.RegistrationAuthorityEntityID',
  'Entity.LegalJurisdiction',
  'Entity.LegalForm.EntityLegalFormCode',
  'Entity.EntityStatus',
  'Registration.LastUpdateDate',
  'Registration.RegistrationStatus',
  'ConformityFlag',
];

const toCsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join('\n');

/** A level 1 file in the form published by GLEIF, with a subset of its columns, including some the import ignores. */
export const buildEntitiesCsv = (entities: readonly TestEntity[]): string =>
  toCsv([
    ENTITY_COLUMNS,
    ...entities.map(({ lei, name, otherName = '', country = 'GB', registeredAs = '', status, leiStatus }) => [
      lei,
      name,
      'en',
      otherName,
      otherName === '' ? '' : 'TRADING_OR_OPERATING_NAME',
      '4 Quay Street\nSecond floor',
      'Whitby',
      country,
      registeredAs,
      country,
      'H0PO',
      status ?? 'ACTIVE',
      '2026-10-02T08:00:00Z',
      leiStatus ?? 'ISSUED',
      'CONFORMING',
    ]),
  ]);

/** A level 2 relationship file; each row is `[child, parent, 'DIRECTLY' | 'ULTIMATELY']`. */
export const buildRelationshipsCsv = (rows: readonly (readonly [string, string, string])[]): string =>
  toCsv([
    [
      'Relationship.StartNode.NodeID',
      'Relationship.StartNode.NodeIDType',
      'Relationship.EndNode.NodeID',
      'Relationship.EndNode.NodeIDType',
      'Relationship.RelationshipType',
      'Relationship.RelationshipStatus',
      'Relationship.Period.1.startDate',
    ],
    ...rows.map(([child, parent, how]) => [child, 'LEI', parent, 'LEI', `IS_${how}_CONSOLIDATED_BY`, 'ACTIVE', '']),
  ]);

/** A level 2 file of reporting exceptions; each row is `[child, 'DIRECT' | 'ULTIMATE', reason]`. */
export const buildExceptionsCsv = (rows: readonly (readonly [string, string, string])[]): string =>
  toCsv([
    ['LEI', 'Exception.Category', 'Exception.Reason.1', 'Exception.Reason.2', 'Exception.Reference.1'],
    ...rows.map(([lei, which, reason]) => [lei, `${which}_ACCOUNTING_CONSOLIDATION_PARENT`, reason, '', '']),
  ]);

/** A ZIP archive of one file, deflated. */
export function buildZip(name: string, content: string): Buffer {
  const data = Buffer.from(content, 'utf8');
  const packed = deflateRawSync(data);
  const file = Buffer.from(name, 'utf8');
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(8, 4);
  common.writeUInt32LE(crc32(data), 10);
  common.writeUInt32LE(packed.length, 14);
  common.writeUInt32LE(data.length, 18);
  common.writeUInt16LE(file.length, 22);
  const local = Buffer.concat([Buffer.from('PK\u0003\u0004', 'latin1'), common, file, packed]);
  const central = Buffer.concat([
    Buffer.from('PK\u0001\u0002', 'latin1'),
    Buffer.from([20, 0]),
    common,
    Buffer.alloc(14),
    file,
  ]);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}

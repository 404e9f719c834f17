import {
  detectDataset,
  isDeltaFile,
  parseEntity,
  parseException,
  parseRelationship,
  parsePublishedAt,
} from '../../../../../domain/identity/registers/gleif/golden-copy';

const LEI = '529900T8BM49AURSDO55';
const PARENT = 'HWUPKR0MPOU8FGXBT394';

const entity = {
  LEI,
  'Entity.LegalName': 'Nordlicht Energie GmbH',
  'Entity.OtherEntityNames.OtherEntityName.1': 'Northern Light Energy',
  'Entity.TransliteratedOtherEntityNames.TransliteratedOtherEntityName.1': 'Nordlicht Energie GmbH',
  'Entity.LegalAddress.FirstAddressLine': 'Am Kai 1',
  'Entity.LegalAddress.AdditionalAddressLine.1': 'Haus 2',
  'Entity.LegalAddress.City': 'Kiel',
  'Entity.LegalAddress.Country': 'DE',
  'Entity.RegistrationAuthority.RegistrationAuthorityEntityID': 'HRB 12/345',
  'Entity.LegalJurisdiction': 'DE',
  'Entity.LegalForm.EntityLegalFormCode': '2HBR',
  'Entity.EntityStatus': 'ACTIVE',
  'Entity.EntityCreationDate': '1999-05-04T00:00:00Z',
  'Registration.RegistrationStatus': 'ISSUED',
  'Registration.LastUpdateDate': '2026-03-02T08:00:00Z',
};

test('a row of level 1 is parsed as a company', () => {
  expect(parseEntity(entity)).toEqual({
    lei: LEI,
    updatedAt: '2026-03-02T08:00:00Z',
    company: {
      legalName: 'Nordlicht Energie GmbH',
      otherNames: ['Northern Light Energy'],
      country: 'DE',
      registrationNumber: 'HRB12345',
      vatNumber: null,
      lei: LEI,
      leiStatus: 'ISSUED',
      status: 'active',
      legalForm: { code: '2HBR', name: null },
      incorporationDate: '1999-05-04',
      dissolutionDate: null,
      registeredAddress: {
        lines: ['Am Kai 1', 'Haus 2'],
        city: 'Kiel',
        region: null,
        postalCode: null,
        country: 'DE',
      },
      headquarters: null,
    },
  });
});

test.each([
  ['INACTIVE', 'DISSOLVED', 'dissolved'],
  ['INACTIVE', 'CORPORATE_ACTION', 'inactive'],
  ['NULL', '', 'unknown'],
])('an entity that is %s for %s is %s', (status, reason, expected) => {
  const row = { ...entity, 'Entity.EntityStatus': status, 'Entity.EntityExpirationReason': reason };
  expect(parseEntity(row)?.company.status).toBe(expected);
});

test('a row without a valid LEI or without a name is ignored', () => {
  expect(parseEntity({ ...entity, LEI: '529900T8BM49AURSDO56' })).toBeNull();
  expect(parseEntity({ ...entity, 'Entity.LegalName': '' })).toBeNull();
});

const relationship = {
  'Relationship.StartNode.NodeID': LEI,
  'Relationship.EndNode.NodeID': PARENT,
  'Relationship.RelationshipType': 'IS_ULTIMATELY_CONSOLIDATED_BY',
  'Relationship.RelationshipStatus': 'ACTIVE',
};

test('the end node of a relationship is the parent of its start node', () => {
  expect(parseRelationship(relationship)).toEqual({
    lei: LEI,
    relation: 'ultimate',
    parentLei: PARENT,
    exceptions: [],
  });
});

test.each([
  ['a fund', { 'Relationship.RelationshipType': 'IS_FUND-MANAGED_BY' }],
  ['one that has ended', { 'Relationship.RelationshipStatus': 'INACTIVE' }],
])('%s names no parent', (_title, change) => {
  expect(parseRelationship({ ...relationship, ...change })).toBeNull();
});

test('an exception contains the reasons why no parent is reported', () => {
  const row = {
    LEI,
    'Exception.Category': 'DIRECT_ACCOUNTING_CONSOLIDATION_PARENT',
    'Exception.Reason.1': 'NATURAL_PERSONS',
    'Exception.Reason.2': '',
  };
  expect(parseException(row)).toEqual({
    lei: LEI,
    relation: 'direct',
    parentLei: null,
    exceptions: ['NATURAL_PERSONS'],
  });
});

test('the data set of a file is detected by its columns only', () => {
  expect(detectDataset(Object.keys(entity))).toBe('entities');
  expect(detectDataset(Object.keys(relationship))).toBe('relationships');
  expect(detectDataset(['LEI', 'Exception.Category', 'Exception.Reason.1'])).toBe('exceptions');
  expect(detectDataset(['name', 'country'])).toBeNull();
});

test('the publication time and delta files are detected by the file name', () => {
  expect(parsePublishedAt('20261121-0800-gleif-goldencopy-lei2-golden-copy.csv')).toEqual(
    new Date('2026-11-21T08:00Z'),
  );
  expect(parsePublishedAt('lei-records.csv')).toBeNull();
  expect(parsePublishedAt('20261399-0800-gleif.csv')).toBeNull();
  expect(isDeltaFile('20261121-0800-gleif-goldencopy-lei2-last-week.csv')).toBe(true);
  expect(isDeltaFile('20261121-0800-gleif-goldencopy-lei2-intra-day.csv')).toBe(true);
  expect(isDeltaFile('20261121-0800-gleif-goldencopy-lei2-golden-copy.csv')).toBe(false);
});

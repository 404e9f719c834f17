import type { Company, CompanyDetail, Officer, Owner } from '../../../../domain/identity/kyb/company';
import {
  applyPartyReview,
  assessScreeningRisks,
  buildPartyScreening,
  limitPartyHits,
  evaluateParties,
  listParties,
} from '../../../../domain/identity/kyb/screening';
import type { PartyScreening } from '../../../../domain/identity/kyb/screening';
import { keepBestHits } from '../../../../domain/identity/aml/screening';
import type { AmlResultHit } from '../../../../domain/identity/aml/aml-result';

const company: Company = {
  legalName: 'Harbour Lights Limited',
  otherNames: ['Old Lights Ltd'],
  country: 'GB',
  registrationNumber: '01234567',
  vatNumber: null,
  lei: '529900T8BM49AURSDO55',
  leiStatus: null,
  status: 'active',
  legalForm: null,
  incorporationDate: null,
  dissolutionDate: null,
  registeredAddress: null,
  headquarters: null,
};

const buildOfficer = (change: Partial<Officer>): Officer => ({
  name: 'Edith Quayle',
  kind: 'person',
  role: 'director',
  appointedOn: null,
  resignedOn: null,
  nationality: 'British',
  country: 'GBR',
  dateOfBirth: { year: 1971, month: 8, day: null },
  ...change,
});

const buildOwner = (change: Partial<Owner>): Owner => ({
  name: 'Edith QUAYLE',
  kind: 'person',
  sharesPercent: null,
  control: [],
  registrationNumber: null,
  country: null,
  nationality: null,
  dateOfBirth: { year: 1971, month: 8, day: null },
  notifiedOn: null,
  ceasedOn: null,
  ...change,
});

const buildDetail = (change: Partial<CompanyDetail>): CompanyDetail => ({
  company,
  officers: [],
  owners: [],
  parents: { direct: null, ultimate: null },
  dataAt: null,
  ...change,
});

test('a company is screened under each of its names, with its number and country', () => {
  expect(listParties(buildDetail({}))).toEqual([
    {
      roles: ['company'],
      name: 'Harbour Lights Limited',
      kind: 'company',
      queries: [
        { fullName: 'Harbour Lights Limited', entityType: 'company', country: 'GB', documentNumber: '01234567' },
        { fullName: 'Old Lights Ltd', entityType: 'company', country: 'GB', documentNumber: '01234567' },
      ],
    },
  ]);
});

test('a person who is officer and owner is screened once, with the registered date of birth', () => {
  const [, person, ...rest] = listParties(buildDetail({ officers: [buildOfficer({})], owners: [buildOwner({})] }));
  expect(rest).toEqual([]);
  expect(person).toMatchObject({
    roles: ['officer', 'owner'],
    queries: [{ fullName: 'Edith Quayle', entityType: 'person', dateOfBirth: '1971-08', country: 'GB' }],
  });
});

test('two people with equal names and different dates of birth are screened separately', () => {
  const other = buildOwner({ dateOfBirth: { year: 1999, month: null, day: null } });
  expect(listParties(buildDetail({ officers: [buildOfficer({})], owners: [other] }))).toHaveLength(3);
});

test('former officers and owners, and a company without a name, are not screened', () => {
  const gone = buildDetail({
    company: { ...company, legalName: null, otherNames: [] },
    officers: [buildOfficer({ resignedOn: '2020-01-01' })],
    owners: [buildOwner({ ceasedOn: '2020-01-01' })],
    parents: { direct: { lei: null, legalName: null, country: null, exceptions: ['NATURAL_PERSONS'] }, ultimate: null },
  });
  expect(listParties(gone)).toEqual([]);
});

const buildHit = (entryId: string, score: number, falsePositive = false): AmlResultHit => ({
  id: `hit_${entryId}`,
  list: 'un',
  listVersion: 'alv_1',
  entryId,
  entryHash: entryId,
  entityType: 'company',
  caption: entryId,
  matchedName: entryId,
  score,
  explanation: [],
  aliases: [],
  datesOfBirth: [],
  countries: [],
  genders: [],
  programs: [],
  identifiers: [],
  positions: [],
  addresses: [],
  remarks: null,
  sourceUrl: null,
  firstSeen: '2026-01-01T00:00:00.000Z',
  lastChanged: '2026-01-01T00:00:00.000Z',
  reviewStatus: falsePositive ? 'false_positive' : 'unreviewed',
  review: null,
});

test('an entry found under two names is one hit, the better one', () => {
  const found = [
    { entry: { id: 'a' }, score: 72 },
    { entry: { id: 'b' }, score: 95 },
    { entry: { id: 'a' }, score: 81 },
  ];
  expect(keepBestHits(found)).toEqual([found[1], found[2]]);
});

test('a false positive of a party does not count, and a review evaluates only its party again', () => {
  const [party] = listParties(buildDetail({}));
  if (party === undefined) throw new Error('The company is a party.');
  const screened = buildPartyScreening(party, 'key', [buildHit('b', 95, true), buildHit('a', 81)]);
  expect(screened).toMatchObject({ match: true, score: 81, subject: { key: 'key', queries: party.queries } });
  const other = buildPartyScreening(party, 'other', [buildHit('c', 90)]);
  const reviewed = applyPartyReview(
    { status: 'completed', parties: [screened, other], listsSearched: [], at: new Date(0) },
    'hit_a',
    { reviewStatus: 'false_positive', review: null },
  );
  expect(reviewed.parties).toEqual([expect.objectContaining({ match: false, score: 0 }), other]);
  expect(evaluateParties(reviewed.parties)).toMatchObject({ match: true, score: 90 });
});

test('hits that do not fit are left out, the lesser ones of every party first, and count all the same', () => {
  const [party] = listParties(buildDetail({}));
  if (party === undefined) throw new Error('The company is a party.');
  const parties = [
    buildPartyScreening(party, 'one', [buildHit('a', 95), buildHit('b', 90), buildHit('c', 85)]),
    buildPartyScreening(party, 'two', [buildHit('d', 99)]),
    buildPartyScreening(party, 'three', [buildHit('e', 80), buildHit('f', 71)]),
  ];
  const keep = (count: number) =>
    limitPartyHits(parties, count, () => 1).map(({ hits }) => hits.map(({ entryId }) => entryId));
  expect(keep(6)).toEqual([['a', 'b', 'c'], ['d'], ['e', 'f']]);
  expect(keep(4)).toEqual([['a', 'b'], ['d'], ['e']]);
  expect(keep(2)).toEqual([['a'], ['d'], []]);
  expect(limitPartyHits(parties, 0, () => 1)).toMatchObject([
    { match: true, score: 95 },
    { match: true, score: 99 },
    { match: true, score: 80 },
  ]);
});

const buildScreenings = (...scores: number[]): PartyScreening[] =>
  scores.map((score) => ({ roles: ['officer'], name: 'Someone', kind: 'person', match: score >= 70, score, hits: [] }));

test('each kind of match is one risk with the best score and the number of parties, without names', () => {
  const at = new Date(0);
  const listsSearched = [{ list: 'un', version: 'alv_1', ageHours: 99, stale: true }];
  const risks = assessScreeningRisks({
    status: 'completed',
    parties: buildScreenings(91, 12, 88, 74),
    listsSearched,
    at,
  });
  expect(risks.map(({ code, details }) => [code, details])).toEqual([
    ['aml_match', { score: 91, parties: 2 }],
    ['aml_possible_match', { score: 74, parties: 1 }],
    ['aml_list_stale', { lists: 'un' }],
  ]);
});

test('an unavailable screening requires a review', () => {
  expect(assessScreeningRisks({ status: 'unavailable', reason: 'lists_unavailable', at: new Date(0) })).toMatchObject([
    { code: 'processing_failed', feature: 'aml', action: 'review', details: { reason: 'lists_unavailable' } },
  ]);
});

import type { Company, CompanyDetail, Officer, Owner } from '../../../../domain/identity/kyb/company';
import { listParties, buildPartyScreening, assessScreeningRisks } from '../../../../domain/identity/kyb/screening';
import type { PartyScreening } from '../../../../domain/identity/kyb/screening';
import type { AmlResult, AmlResultHit } from '../../../../domain/identity/aml/aml-result';

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

const buildResult = (...hits: AmlResultHit[]): AmlResult => ({
  status: 'approved',
  risks: [],
  match: false,
  score: 0,
  hits,
  thresholds: { review: 70, decline: null },
  listsSearched: [],
});

test('an entry found under two names keeps the better hit; a false positive does not count', () => {
  const [party] = listParties(buildDetail({}));
  if (party === undefined) throw new Error('The company is a party.');
  expect(
    buildPartyScreening(party, [
      buildResult(buildHit('a', 72), buildHit('b', 95, true)),
      buildResult(buildHit('a', 81)),
    ]),
  ).toMatchObject({
    match: true,
    score: 81,
    hits: [{ entryId: 'b' }, { entryId: 'a', score: 81 }],
  });
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

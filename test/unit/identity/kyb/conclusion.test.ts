import { concludeKyb } from '../../../../domain/identity/kyb/conclusion';
import type { SourceResponse } from '../../../../domain/identity/kyb/conclusion';
import type { Company, CompanyQuery, KybProviderName } from '../../../../domain/identity/kyb/company';
import { selectCompany } from '../../../../domain/identity/kyb/match';

const AT = new Date('2026-01-01T00:00:00Z');
const LEI = '529900T8BM49AURSDO55';

const buildQuery = (change: Partial<CompanyQuery>): CompanyQuery => ({
  companyName: 'Acme GmbH',
  country: null,
  registrationNumber: null,
  vatNumber: null,
  lei: null,
  ...change,
});

const buildCompany = (change: Partial<Company>): Company => ({
  legalName: 'Acme GmbH',
  otherNames: [],
  country: 'DE',
  registrationNumber: null,
  vatNumber: null,
  lei: null,
  leiStatus: null,
  status: 'active',
  legalForm: null,
  incorporationDate: null,
  dissolutionDate: null,
  registeredAddress: null,
  headquarters: null,
  ...change,
});

const BRITISH = { legalName: 'Acme Ltd', country: 'GB' };
const BRITISH_QUERY = { companyName: 'Acme Ltd', country: 'GB', registrationNumber: '01234567' };

/** The response of a register that knows these companies. */
function answer(query: CompanyQuery, provider: KybProviderName, ...companies: Partial<Company>[]): SourceResponse {
  const known = companies.map((change, index) => ({ providerId: String(index), company: buildCompany(change) }));
  const { candidates, chosen } = selectCompany(query, known);
  const detail =
    chosen === null
      ? null
      : { company: chosen.company, officers: [], owners: [], parents: { direct: null, ultimate: null }, dataAt: null };
  return { provider, status: 'answered', candidates, detail, copy: null, at: AT };
}

const fail = (provider: KybProviderName): SourceResponse => ({
  provider,
  status: 'unavailable',
  reason: 'timeout',
  at: AT,
});

function conclude(change: Partial<CompanyQuery>, build: (query: CompanyQuery) => SourceResponse[]) {
  const query = buildQuery(change);
  const { status, risks } = concludeKyb(query, build(query), null);
  return { status, risks: risks.map(({ code, action, details }) => [code, action, details?.['field']]) };
}

describe('a registration number without a country', () => {
  test.each([
    ['no company', []],
    ['a British company of the same name', [{ ...BRITISH, registrationNumber: '00000007' }]],
  ])('that GLEIF confirms needs no confirmation by Companies House, which finds %s', (_title, british) => {
    const concluded = conclude({ companyName: 'Acme', registrationNumber: 'HRB42' }, (query) => [
      answer(query, 'companies_house', ...british),
      answer(query, 'gleif', { registrationNumber: 'HRB42', lei: LEI }),
    ]);
    expect(concluded).toEqual({ status: 'found', risks: [] });
  });

  test('that GLEIF confirms needs no response of Companies House', () => {
    const concluded = conclude({ registrationNumber: 'HRB42' }, (query) => [
      fail('companies_house'),
      answer(query, 'gleif', { registrationNumber: 'HRB42' }),
    ]);
    expect(concluded).toEqual({
      status: 'found',
      risks: [['kyb_registry_unavailable', 'ignore', undefined]],
    });
  });

  test('is Companies House’s to confirm once a British company was found', () => {
    const change = { companyName: 'Acme Ltd', registrationNumber: '42', lei: LEI };
    const gleif = { ...BRITISH, lei: LEI };
    expect(conclude(change, (query) => [answer(query, 'companies_house'), answer(query, 'gleif', gleif)])).toEqual({
      status: 'review',
      risks: [['kyb_identifier_mismatch', 'review', 'registrationNumber']],
    });
    expect(conclude(change, (query) => [fail('companies_house'), answer(query, 'gleif', gleif)])).toEqual({
      status: 'review',
      risks: [['kyb_registry_unavailable', 'review', undefined]],
    });
  });

  test('that differs from the one of the company that its LEI leads to is reported', () => {
    const concluded = conclude({ registrationNumber: 'HRB42', lei: LEI }, (query) => [
      answer(query, 'companies_house'),
      answer(query, 'gleif', { registrationNumber: 'HRB7', lei: LEI }),
    ]);
    expect(concluded).toEqual({
      status: 'review',
      risks: [['kyb_identifier_mismatch', 'review', 'registrationNumber']],
    });
  });
});

describe('a registration number of a British company', () => {
  const change = { companyName: 'Acme Ltd', country: 'GB', registrationNumber: '42' };

  test('that Companies House does not know is reported, whatever company of another country has it', () => {
    const concluded = conclude(change, (query) => [
      answer(query, 'companies_house'),
      answer(query, 'gleif', { legalName: 'Acme Ltd', country: 'IE', registrationNumber: '42' }),
    ]);
    expect(concluded.status).toBe('review');
    expect(concluded.risks).toContainEqual(['kyb_identifier_mismatch', 'review', 'registrationNumber']);
  });

  test('that GLEIF confirms needs no response of Companies House', () => {
    const concluded = conclude(change, (query) => [
      fail('companies_house'),
      answer(query, 'gleif', { ...BRITISH, registrationNumber: '00000042' }),
    ]);
    expect(concluded).toEqual({ status: 'found', risks: [['kyb_registry_unavailable', 'ignore', undefined]] });
  });
});

test('a LEI that GLEIF does not know is reported, also if another register lists the company', () => {
  const concluded = conclude({ lei: LEI }, (query) => [answer(query, 'register', {}), answer(query, 'gleif')]);
  expect(concluded).toEqual({ status: 'review', risks: [['kyb_identifier_mismatch', 'review', 'lei']] });
});

test('a VAT number is that of the register with or without the letters of its state; another one is reported', () => {
  const conclusionOf = (vatNumber: string, registered: string) =>
    conclude({ ...BRITISH_QUERY, vatNumber }, (query) => [
      answer(query, 'register', { ...BRITISH, registrationNumber: '01234567', vatNumber: registered }),
    ]);
  for (const [queried, registered] of [
    ['123456789', 'GB123456789'],
    ['GB123456789', '123456789'],
    ['AB123456789', 'FRAB123456789'],
  ] as const)
    expect(conclusionOf(queried, registered)).toEqual({ status: 'found', risks: [] });
  expect(conclusionOf('GB123456780', 'GB123456789')).toMatchObject({
    status: 'review',
    risks: [['kyb_identifier_mismatch', 'review', 'vatNumber']],
  });
});

import fc from 'fast-check';
import type { Company, CompanyQuery } from '../../../../domain/identity/kyb/company';
import { selectCompany } from '../../../../domain/identity/kyb/match';
import { isLei } from '../../../../domain/identity/kyb/lei';
import { covers } from '../../../../domain/identity/kyb/coverage';
import { parseVatNumber } from '../../../../domain/platform/vat-numbers';
import { differByOneLetter, listCorrections } from '../../../../domain/identity/kyb/typos';
import { buildCompanyNameKeys, computeCompanyNameScore } from '../../../../domain/identity/kyb/names';

const buildQuery = (change: Partial<CompanyQuery>): CompanyQuery => ({
  companyName: 'Acme',
  country: null,
  registrationNumber: null,
  vatNumber: null,
  lei: null,
  ...change,
});

const buildCompany = (legalName: string, change: Partial<Company> = {}): Company => ({
  legalName,
  otherNames: [],
  country: 'GB',
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

const matchCandidates = (...companies: Company[]) =>
  companies.map((one, index) => ({ providerId: String(index), company: one }));

describe('company names', () => {
  test.each([
    ['Harbour Lights Ltd', 'HARBOUR LIGHTS LIMITED'],
    ['Glashütte Süd Aktiengesellschaft', 'Glashutte Sud AG'],
    ['Müller & Söhne GmbH', 'Muller and Sohne Gesellschaft mit beschränkter Haftung'],
    ['Rossi S.p.A.', 'ROSSI SPA'],
    ['Sunrise Trading B.V.', 'Sunrise Trading BV'],
    ['Kowalski Sp. z o.o.', 'KOWALSKI SP Z O O'],
    ['Société Anonyme Duval', 'Societe Anonyme Duval'],
    ['Ромашка ООО', 'OOO Romashka'],
    ['Intl Harbour Trading', 'International Harbour Trading Co'],
  ])('%s is %s', (a, b) => {
    expect(computeCompanyNameScore(a, b)).toBe(100);
  });

  test.each([
    ['Harbour Lights Ltd', 'Harbour Lighthouse Ltd'],
    ['Sunrise Trading', 'Sunset Trading'],
    ['Acme Ltd', 'Acne Studios Ltd'],
  ])('%s is not %s', (a, b) => {
    expect(computeCompanyNameScore(a, b)).toBeLessThan(90);
  });

  test('a different legal form lowers the score below equality; a missing or equivalent one does not', () => {
    expect(computeCompanyNameScore('Acme Ltd', 'Acme plc')).toBe(85);
    expect(computeCompanyNameScore('Acme', 'Acme GmbH')).toBe(100);
    expect(computeCompanyNameScore('Acme Ltd', 'Acme GmbH')).toBe(100);
  });

  test('a name that consists of a legal form is kept', () => {
    expect(buildCompanyNameKeys('SA').words).toEqual(['sa']);
  });

  test('lookup keys are independent of legal form, case and script', () => {
    expect(buildCompanyNameKeys('Harbour Lights Ltd')).toEqual(buildCompanyNameKeys('HARBOUR LIGHTS LIMITED'));
    expect(buildCompanyNameKeys('Ромашка ООО')).toEqual(buildCompanyNameKeys('Romashka'));
    expect(buildCompanyNameKeys('Quillon Trading Bank').words).toEqual(['kuilon']);
    expect(buildCompanyNameKeys('Trading Bank').words).toHaveLength(2);
    expect(buildCompanyNameKeys('???')).toEqual({ key: '???', words: [] });
  });

  test('the score is between 0 and 100, 100 for equal names, and symmetrical', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        const score = computeCompanyNameScore(a, b);
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(100);
        expect(computeCompanyNameScore(b, a)).toBe(score);
        expect(computeCompanyNameScore(a, a)).toBe(100);
      }),
    );
  });
});

describe('a mistyped name', () => {
  test.each([
    ['Deutsche Bnak AG', 'Deutsche Bank AG'],
    ['Deutsche Bankk AG', 'Deutsche Bank AG'],
    ['Deutche Bank AG', 'Deutsche Bank AG'],
    ['Sieemens AG', 'Siemens Aktiengesellschaft'],
    ['Harbour Lighst', 'Harbour Lights Ltd'],
  ])('%s lists %s as a candidate, found by its key', (mistyped, registered) => {
    const key = (name: string) => buildCompanyNameKeys(name).key;
    expect(listCorrections(key(mistyped))).toContain(key(registered));
    const { candidates, chosen } = selectCompany(
      buildQuery({ companyName: mistyped }),
      matchCandidates(buildCompany(registered)),
    );
    expect(candidates.map(({ company }) => company.legalName)).toEqual([registered]);
    expect(chosen?.score ?? 100).toBeGreaterThanOrEqual(90);
  });

  test('is not assumed where numbers or short names differ', () => {
    expect(computeCompanyNameScore('Fund 1 Holding', 'Fund 2 Holding')).toBeLessThan(70);
    expect(listCorrections('acme')).toEqual([]);
    expect(listCorrections('fund 1').some((key) => key.includes('2'))).toBe(false);
  });

  test('corrections and the comparison of two keys agree', () => {
    const name = fc.stringMatching(/^[a-z]{3,5} [a-z0-9]{3,5}$/);
    fc.assert(
      fc.property(name, name, (a, b) => {
        for (const key of [b, ...listCorrections(a).slice(0, 40)]) {
          expect([a, key, differByOneLetter(a, key)]).toEqual([a, key, listCorrections(a).includes(key)]);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('selection of a company', () => {
  test('a number takes precedence over the name', () => {
    const { chosen } = selectCompany(
      buildQuery({ companyName: 'Acme', registrationNumber: '42' }),
      matchCandidates(
        buildCompany('Acme', { registrationNumber: '7' }),
        buildCompany('Other', { registrationNumber: '00042' }),
      ),
    );
    expect(chosen?.company.legalName).toBe('Other');
  });

  test('a company with a different number is listed but never selected', () => {
    const selection = selectCompany(
      buildQuery({ registrationNumber: '42' }),
      matchCandidates(buildCompany('Acme', { registrationNumber: '7' })),
    );
    expect(selection.chosen).toBeNull();
    expect(selection.candidates).toMatchObject([{ contradicted: ['registrationNumber'] }]);
  });

  test('two companies with equal names are listed and neither is selected', () => {
    const selection = selectCompany(
      buildQuery({}),
      matchCandidates(buildCompany('Acme Ltd'), buildCompany('ACME LIMITED')),
    );
    expect(selection).toMatchObject({ chosen: null, candidates: [{ score: 100 }, { score: 100 }] });
  });

  test('a company of another country is not selected by its name', () => {
    expect(selectCompany(buildQuery({ country: 'FR' }), matchCandidates(buildCompany('Acme'))).chosen).toBeNull();
  });

  test('companies with dissimilar names are not listed', () => {
    expect(selectCompany(buildQuery({}), matchCandidates(buildCompany('Zebra Holdings'))).candidates).toEqual([]);
  });
});

describe('numbers', () => {
  test.each(['529900T8BM49AURSDO55', 'HWUPKR0MPOU8FGXBT394'])('%s is a LEI', (lei) => expect(isLei(lei)).toBe(true));
  test.each(['529900T8BM49AURSDO56', '529900T8BM49AURSDO5', '529900t8bm49aursdo55', ''])('%s is not a LEI', (lei) =>
    expect(isLei(lei)).toBe(false),
  );

  test.each([
    ['FR40303265045', null, { prefix: 'FR', number: '40303265045' }],
    ['40303265045', 'FR', { prefix: 'FR', number: '40303265045' }],
    ['GR094259216', null, { prefix: 'EL', number: '094259216' }],
    ['094259216', 'GR', { prefix: 'EL', number: '094259216' }],
    ['XI123456789', 'GB', { prefix: 'XI', number: '123456789' }],
    ['GB123456789', 'GB', null],
    ['123456789', null, null],
  ])('the VAT number %s of %s', (vatNumber, country, expected) => {
    expect(parseVatNumber(buildQuery({ vatNumber, country }))).toEqual(expected);
  });

  test('a register is queried only for companies that it may contain', () => {
    expect(covers('companies_house', buildQuery({ country: 'FR' }))).toBe(false);
    expect(covers('companies_house', buildQuery({}))).toBe(true);
    expect(covers('vies', buildQuery({ country: 'FR' }))).toBe(false);
    expect(covers('gleif', buildQuery({ country: 'FR' }))).toBe(true);
  });
});

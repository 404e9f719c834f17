import type { Company, CompanyDetail, CompanyQuery } from './company';
import type { Candidate } from './match';

/** Company names by which a test key selects the outcome of a business check; any other company is found. */
export const SANDBOX_COMPANIES = {
  dissolved: 'Sandbox Dissolved Ltd',
  lapsed: 'Sandbox Lapsed Ltd',
  several: 'Sandbox Several Ltd',
  listed: 'Sandbox Listed Ltd',
  missing: 'Sandbox Missing Ltd',
  unavailable: 'Sandbox Unavailable Ltd',
} as const;

export type SandboxOutcome = keyof typeof SANDBOX_COMPANIES | 'found';

const isOutcome = (name: string): name is keyof typeof SANDBOX_COMPANIES => Object.hasOwn(SANDBOX_COMPANIES, name);

/** The outcome that a test key requests. */
export function getSandboxOutcome({ companyName }: CompanyQuery): SandboxOutcome {
  const normalisedName = companyName.trim().toLowerCase();
  const found = Object.entries(SANDBOX_COMPANIES).find(([, name]) => name.toLowerCase() === normalisedName)?.[0];
  return found !== undefined && isOutcome(found) ? found : 'found';
}

const buildSandboxCompany = (query: CompanyQuery, overrides: Partial<Company> = {}): Company => ({
  legalName: query.companyName,
  otherNames: [],
  country: query.country ?? 'GB',
  registrationNumber: query.registrationNumber ?? '00000001',
  vatNumber: query.vatNumber,
  lei: query.lei ?? '00000000000000000098',
  leiStatus: 'ISSUED',
  status: 'active',
  legalForm: { code: null, name: 'Private limited company' },
  incorporationDate: '2020-01-01',
  dissolutionDate: null,
  registeredAddress: {
    lines: ['1 Sandbox Street'],
    city: 'Testville',
    region: null,
    postalCode: 'T1 1ST',
    country: 'GB',
  },
  headquarters: null,
  ...overrides,
});

/** The companies that a test key finds; none for the outcomes `missing` and `unavailable`. */
export function buildSandboxCandidates(query: CompanyQuery): Candidate[] {
  const plain: Candidate = { providerId: 'sandbox-1', company: buildSandboxCompany(query) };
  switch (getSandboxOutcome(query)) {
    case 'missing':
    case 'unavailable':
      return [];
    case 'dissolved':
      return [
        {
          ...plain,
          company: buildSandboxCompany(query, { status: 'dissolved', dissolutionDate: '2024-06-30' }),
        },
      ];
    case 'lapsed':
      return [{ ...plain, company: buildSandboxCompany(query, { leiStatus: 'LAPSED' }) }];
    case 'several':
      return [
        plain,
        { providerId: 'sandbox-2', company: buildSandboxCompany(query, { registrationNumber: '00000002' }) },
      ];
    case 'listed':
    case 'found':
      return [plain];
  }
}

/** The director of the listed company is on the fictional watch list that test keys search. */
const DIRECTORS = {
  listed: { name: 'Aurelio Montezuma Quillfeather', dateOfBirth: { year: 1961, month: 4, day: null } },
  other: { name: 'Sandy Boxer', dateOfBirth: { year: 1980, month: 1, day: null } },
} as const;

/** The officers and owners of a fictional company. */
export const buildSandboxDetail = (query: CompanyQuery, company: Company): CompanyDetail => ({
  company,
  officers: [
    {
      ...(getSandboxOutcome(query) === 'listed' ? DIRECTORS.listed : DIRECTORS.other),
      kind: 'person',
      role: 'director',
      appointedOn: '2020-01-01',
      resignedOn: null,
      nationality: null,
      country: 'GB',
    },
  ],
  owners: [
    {
      name: 'Sandy Boxer',
      kind: 'person',
      sharesPercent: { from: 75, to: 100 },
      control: ['ownership-of-shares-75-to-100-percent'],
      registrationNumber: null,
      country: 'GB',
      nationality: null,
      dateOfBirth: { year: 1980, month: 1, day: null },
      notifiedOn: '2020-01-01',
      ceasedOn: null,
    },
  ],
  parents: { direct: null, ultimate: null },
  dataAt: null,
});

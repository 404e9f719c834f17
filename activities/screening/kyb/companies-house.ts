import type { z } from 'zod';
import type {
  Address,
  Company,
  CompanyDetail,
  CompanyQuery,
  CompanyStatus,
  Officer,
  Owner,
  PartialDate,
  PartyKind,
} from '../../../domain/identity/kyb/company';
import type { Candidate } from '../../../domain/identity/kyb/match';
import { officersSchema, profileSchema, pscSchema, searchSchema } from './companies-house-responses';
import type { addressSchema, birthSchema } from './companies-house-responses';
import { emptyToNull } from './provider';
import type { KybProvider, RegisterSearchResult } from './provider';
import { registerUnavailableError } from '../../../lib/registers/register-client';
import type { RegisterClient } from '../../../lib/registers/register-client';

const PAGE_SIZE = 20;
/** Officers or owners per request, the most that the register returns. */
const PARTIES_PAGE_SIZE = 100;
/** Bounds the requests about a company; no company has so many officers or owners. */
const MAX_PARTIES = 5000;

/** A part of the officers or owners of a company. */
interface PartiesPage<T> {
  total_results?: number | null | undefined;
  items?: T[] | null | undefined;
}

type ControlItem = NonNullable<z.infer<typeof pscSchema>['items']>[number];
type OfficerItem = NonNullable<z.infer<typeof officersSchema>['items']>[number];

/** `company_status` of the register's published enumerations. */
const STATUSES: Readonly<Record<string, CompanyStatus>> = {
  active: 'active',
  open: 'active',
  registered: 'active',
  dissolved: 'dissolved',
  removed: 'dissolved',
  'converted-closed': 'dissolved',
  closed: 'dissolved',
  liquidation: 'liquidation',
  administration: 'administration',
  receivership: 'insolvency',
  'voluntary-arrangement': 'insolvency',
  'insolvency-proceedings': 'insolvency',
};

/** `company_type` of the register's published enumerations: the common forms; others keep their code. */
const LEGAL_FORMS: Readonly<Record<string, string>> = {
  ltd: 'Private limited company',
  plc: 'Public limited company',
  llp: 'Limited liability partnership',
  'limited-partnership': 'Limited partnership',
  'private-unlimited': 'Private unlimited company',
  'private-limited-guarant-nsc': 'Private company limited by guarantee without share capital',
  'private-limited-guarant-nsc-limited-exemption':
    "Private company limited by guarantee without share capital, exempt from 'Limited'",
  'royal-charter': 'Royal charter company',
  'oversea-company': 'Overseas company',
  'registered-society-non-jurisdictional': 'Registered society',
  'unregistered-company': 'Unregistered company',
};

function toAddress(address: z.infer<typeof addressSchema> | null | undefined): Address | null {
  if (address == null) return null;
  const firstLine = [emptyToNull(address.premises), emptyToNull(address.address_line_1)]
    .filter((part) => part !== null)
    .join(' ');
  return {
    lines: [firstLine, emptyToNull(address.address_line_2) ?? ''].filter((line) => line !== ''),
    city: emptyToNull(address.locality),
    region: emptyToNull(address.region),
    postalCode: emptyToNull(address.postal_code),
    country: emptyToNull(address.country),
  };
}

const toBirthDate = (date: z.infer<typeof birthSchema>): PartialDate | null =>
  date == null ? null : { year: date.year, month: date.month ?? null, day: null };

/** Converts `SURNAME, Forenames, Title` of a person to spoken order, without the title. */
function toNaturalName(name: string): string {
  const [surname = '', forenames = ''] = name.split(',').map((part) => part.trim());
  return `${forenames} ${surname}`.trim();
}

const toOfficerKind = (role: string | null): PartyKind =>
  role?.startsWith('corporate-') === true ? 'company' : 'person';

function toOfficer(item: OfficerItem): Officer {
  const role = emptyToNull(item.officer_role);
  const kind = toOfficerKind(role);
  return {
    name: kind === 'person' ? toNaturalName(item.name) : item.name.trim(),
    kind,
    role,
    appointedOn: emptyToNull(item.appointed_on),
    resignedOn: emptyToNull(item.resigned_on),
    nationality: emptyToNull(item.nationality),
    country: emptyToNull(item.country_of_residence),
    dateOfBirth: toBirthDate(item.date_of_birth),
  };
}

/** Parses ranges such as `ownership-of-shares-25-to-50-percent`. */
function parseShares(natures: readonly string[]): Owner['sharesPercent'] {
  for (const nature of natures) {
    const band = /^ownership-of-shares-(\d+)-to-(\d+)-percent/.exec(nature);
    if (band !== null) return { from: Number(band[1]), to: Number(band[2]) };
    const minimum = /^ownership-of-shares-more-than-(\d+)-percent/.exec(nature);
    if (minimum !== null) return { from: Number(minimum[1]), to: 100 };
  }
  return null;
}

function buildOwnerName({ name, name_elements: parts }: ControlItem): string {
  const fullName = [parts?.forename, parts?.middle_name ?? parts?.other_forenames, parts?.surname]
    .filter((part): part is string => emptyToNull(part) !== null)
    .join(' ');
  return fullName === '' ? (emptyToNull(name) ?? '') : fullName;
}

function toOwnerKind(kind: string | null): PartyKind {
  if (kind?.startsWith('individual') === true) return 'person';
  return kind?.startsWith('corporate') === true ? 'company' : 'unknown';
}

const toOwner = (item: ControlItem): Owner => ({
  name: buildOwnerName(item),
  kind: toOwnerKind(emptyToNull(item.kind)),
  sharesPercent: parseShares(item.natures_of_control ?? []),
  control: item.natures_of_control ?? [],
  registrationNumber: emptyToNull(item.identification?.registration_number),
  country: emptyToNull(item.country_of_residence) ?? emptyToNull(item.identification?.country_registered),
  nationality: emptyToNull(item.nationality),
  dateOfBirth: toBirthDate(item.date_of_birth),
  notifiedOn: emptyToNull(item.notified_on),
  ceasedOn: emptyToNull(item.ceased_on),
});

interface CompanySummary {
  name: string;
  number: string;
  status: string | null;
  type: string | null;
  created: string | null;
  ended: string | null;
  address: Address | null;
  formerNames: string[];
}

const toCompany = ({ name, number, status, type, created, ended, address, formerNames }: CompanySummary): Company => ({
  legalName: name,
  otherNames: formerNames,
  country: 'GB',
  registrationNumber: number,
  vatNumber: null,
  lei: null,
  leiStatus: null,
  status: STATUSES[status ?? ''] ?? 'unknown',
  legalForm: type === null ? null : { code: null, name: LEGAL_FORMS[type] ?? type },
  incorporationDate: created,
  dissolutionDate: ended,
  registeredAddress: address,
  headquarters: null,
});

/** Company numbers have eight characters with leading zeros. */
const padCompanyNumber = (number: string): string => (/^\d{1,8}$/.test(number) ? number.padStart(8, '0') : number);

const toProfileCompany = (profile: z.infer<typeof profileSchema>): Company => ({
  ...toCompany({
    name: profile.company_name,
    number: profile.company_number,
    status: emptyToNull(profile.company_status),
    type: emptyToNull(profile.type),
    created: emptyToNull(profile.date_of_creation),
    ended: emptyToNull(profile.date_of_cessation),
    address: toAddress(profile.registered_office_address),
    formerNames: (profile.previous_company_names ?? []).map(({ name }) => name),
  }),
  headquarters: toAddress(profile.service_address),
});

/** The register of companies of the United Kingdom, by its public data API. */
export class CompaniesHouseProvider implements KybProvider {
  readonly name = 'companies_house';

  constructor(private readonly client: RegisterClient) {}

  /** A British company number is looked up exactly, padded to eight digits; otherwise the first 20 results by name. */
  async search({ query }: { query: CompanyQuery }): Promise<RegisterSearchResult> {
    if (query.registrationNumber !== null && query.country === 'GB') {
      const profile = await this.fetchProfile(padCompanyNumber(query.registrationNumber));
      if (profile !== null) {
        return { candidates: [{ providerId: profile.company_number, company: toProfileCompany(profile) }], copy: null };
      }
    }
    const parameters = new URLSearchParams({ q: query.companyName, items_per_page: String(PAGE_SIZE) });
    const page = await this.client.get(`/search/companies?${parameters.toString()}`, searchSchema);
    const candidates = (page?.items ?? []).map((item) => ({
      providerId: item.company_number,
      company: toCompany({
        name: item.title,
        number: item.company_number,
        status: emptyToNull(item.company_status),
        type: emptyToNull(item.company_type),
        created: emptyToNull(item.date_of_creation),
        ended: emptyToNull(item.date_of_cessation),
        address: toAddress(item.address),
        formerNames: [],
      }),
    }));
    return { candidates, copy: null };
  }

  /** Profile, officers and persons with significant control; the register knows no parent companies. */
  async fetchDetail({ providerId }: Candidate): Promise<CompanyDetail> {
    const path = `/company/${encodeURIComponent(providerId)}`;
    const profile = await this.fetchProfile(providerId);
    // The company existed a moment ago.
    if (profile === null) throw registerUnavailableError('register_answer_invalid');
    const officers = await this.fetchParties(`${path}/officers`, officersSchema);
    const control = await this.fetchParties(`${path}/persons-with-significant-control`, pscSchema);
    return {
      company: toProfileCompany(profile),
      officers: officers.map(toOfficer),
      owners: control.map(toOwner),
      parents: { direct: null, ultimate: null },
      dataAt: null,
    };
  }

  /** All officers or owners: old companies have several pages, because those who left are included. */
  private async fetchParties<T>(path: string, schema: z.ZodType<PartiesPage<T>>): Promise<T[]> {
    const parties: T[] = [];
    for (;;) {
      const range = `items_per_page=${PARTIES_PAGE_SIZE}&start_index=${parties.length}`;
      const page = await this.client.get(`${path}?${range}`, schema);
      const items = page?.items ?? [];
      parties.push(...items);
      const expected = Math.min(page?.total_results ?? 0, MAX_PARTIES);
      if (items.length === 0 || parties.length >= expected) return parties;
    }
  }

  private fetchProfile(number: string): Promise<z.infer<typeof profileSchema> | null> {
    return this.client.get(`/company/${encodeURIComponent(number)}`, profileSchema);
  }
}

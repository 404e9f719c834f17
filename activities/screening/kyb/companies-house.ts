import { z } from 'zod';
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
import type { KybProvider, SearchAnswer } from './provider';
import { registerUnavailable } from './register-client';
import type { RegisterClient } from './register-client';

const PAGE_SIZE = 20;
const MOST_PARTIES = 100;

const text = z.string().nullish();

const addressSchema = z.object({
  premises: text,
  address_line_1: text,
  address_line_2: text,
  locality: text,
  region: text,
  postal_code: text,
  country: text,
});

const birthSchema = z.object({ year: z.coerce.number(), month: z.coerce.number().nullish() }).nullish();

const searchSchema = z.object({
  items: z
    .array(
      z.object({
        title: z.string(),
        company_number: z.string(),
        company_status: text,
        company_type: text,
        date_of_creation: text,
        date_of_cessation: text,
        address: addressSchema.nullish(),
      }),
    )
    .nullish(),
});

const profileSchema = z.object({
  company_name: z.string(),
  company_number: z.string(),
  company_status: text,
  type: text,
  date_of_creation: text,
  date_of_cessation: text,
  registered_office_address: addressSchema.nullish(),
  service_address: addressSchema.nullish(),
  previous_company_names: z.array(z.object({ name: z.string() })).nullish(),
});

const officersSchema = z.object({
  items: z
    .array(
      z.object({
        name: z.string(),
        officer_role: text,
        appointed_on: text,
        resigned_on: text,
        nationality: text,
        country_of_residence: text,
        date_of_birth: birthSchema,
      }),
    )
    .nullish(),
});

const pscSchema = z.object({
  items: z
    .array(
      z.object({
        name: text,
        name_elements: z.object({ forename: text, other_forenames: text, middle_name: text, surname: text }).nullish(),
        kind: text,
        natures_of_control: z.array(z.string()).nullish(),
        nationality: text,
        country_of_residence: text,
        date_of_birth: birthSchema,
        identification: z.object({ registration_number: text, country_registered: text }).nullish(),
        notified_on: text,
        ceased_on: text,
      }),
    )
    .nullish(),
});
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

/** `company_type` of the register's published enumerations: the forms that are common; others keep their code. */
const FORMS: Readonly<Record<string, string>> = {
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

const orNull = (value: string | null | undefined): string | null => (value == null || value === '' ? null : value);

function addressOf(address: z.infer<typeof addressSchema> | null | undefined): Address | null {
  if (address == null) return null;
  const first = [orNull(address.premises), orNull(address.address_line_1)].filter((part) => part !== null).join(' ');
  return {
    lines: [first, orNull(address.address_line_2) ?? ''].filter((line) => line !== ''),
    city: orNull(address.locality),
    region: orNull(address.region),
    postalCode: orNull(address.postal_code),
    country: orNull(address.country),
  };
}

const birthOf = (date: z.infer<typeof birthSchema>): PartialDate | null =>
  date == null ? null : { year: date.year, month: date.month ?? null, day: null };

/** Officers are listed as `SURNAME, Forenames`. */
function spokenName(name: string): string {
  const [surname, ...forenames] = name.split(',').map((part) => part.trim());
  return forenames.length === 0 ? name.trim() : `${forenames.join(' ')} ${surname ?? ''}`.trim();
}

const kindOfRole = (role: string | null): PartyKind => (role?.startsWith('corporate-') === true ? 'company' : 'person');

const officerOf = (item: OfficerItem): Officer => ({
  name: spokenName(item.name),
  kind: kindOfRole(orNull(item.officer_role)),
  role: orNull(item.officer_role),
  appointedOn: orNull(item.appointed_on),
  resignedOn: orNull(item.resigned_on),
  nationality: orNull(item.nationality),
  country: orNull(item.country_of_residence),
  dateOfBirth: birthOf(item.date_of_birth),
});

/** `ownership-of-shares-25-to-50-percent` and its kin. */
function sharesOf(natures: readonly string[]): Owner['sharesPercent'] {
  for (const nature of natures) {
    const band = /^ownership-of-shares-(\d+)-to-(\d+)-percent/.exec(nature);
    if (band !== null) return { from: Number(band[1]), to: Number(band[2]) };
    const over = /^ownership-of-shares-more-than-(\d+)-percent/.exec(nature);
    if (over !== null) return { from: Number(over[1]), to: 100 };
  }
  return null;
}

function ownerName({ name, name_elements: parts }: ControlItem): string {
  const spoken = [parts?.forename, parts?.middle_name ?? parts?.other_forenames, parts?.surname]
    .filter((part): part is string => orNull(part) !== null)
    .join(' ');
  return spoken === '' ? (orNull(name) ?? '') : spoken;
}

function kindOfControl(kind: string | null): PartyKind {
  if (kind?.startsWith('individual') === true) return 'person';
  return kind?.startsWith('corporate') === true ? 'company' : 'unknown';
}

const ownerOf = (item: ControlItem): Owner => ({
  name: ownerName(item),
  kind: kindOfControl(orNull(item.kind)),
  sharesPercent: sharesOf(item.natures_of_control ?? []),
  control: item.natures_of_control ?? [],
  registrationNumber: orNull(item.identification?.registration_number),
  country: orNull(item.country_of_residence) ?? orNull(item.identification?.country_registered),
  nationality: orNull(item.nationality),
  dateOfBirth: birthOf(item.date_of_birth),
  notifiedOn: orNull(item.notified_on),
  ceasedOn: orNull(item.ceased_on),
});

interface Summary {
  name: string;
  number: string;
  status: string | null;
  type: string | null;
  created: string | null;
  ended: string | null;
  address: Address | null;
  formerNames: string[];
}

const companyOf = ({ name, number, status, type, created, ended, address, formerNames }: Summary): Company => ({
  legalName: name,
  otherNames: formerNames,
  country: 'GB',
  registrationNumber: number,
  vatNumber: null,
  lei: null,
  leiStatus: null,
  status: STATUSES[status ?? ''] ?? 'unknown',
  legalForm: type === null ? null : { code: null, name: FORMS[type] ?? type },
  incorporationDate: created,
  dissolutionDate: ended,
  registeredAddress: address,
  headquarters: null,
});

/** Numbers are written in eight characters, with zeros in front. */
const paddedNumber = (number: string): string => (/^\d{1,8}$/.test(number) ? number.padStart(8, '0') : number);

const profileCompany = (profile: z.infer<typeof profileSchema>): Company => ({
  ...companyOf({
    name: profile.company_name,
    number: profile.company_number,
    status: orNull(profile.company_status),
    type: orNull(profile.type),
    created: orNull(profile.date_of_creation),
    ended: orNull(profile.date_of_cessation),
    address: addressOf(profile.registered_office_address),
    formerNames: (profile.previous_company_names ?? []).map(({ name }) => name),
  }),
  headquarters: addressOf(profile.service_address),
});

/** The register of companies of the United Kingdom, by its public data API. */
export class CompaniesHouseProvider implements KybProvider {
  readonly name = 'companies_house';

  constructor(private readonly client: RegisterClient) {}

  async search({ query }: { query: CompanyQuery }): Promise<SearchAnswer> {
    if (query.registrationNumber !== null && query.country === 'GB') {
      const profile = await this.profile(paddedNumber(query.registrationNumber));
      if (profile !== null) {
        return { candidates: [{ providerId: profile.company_number, company: profileCompany(profile) }], copy: null };
      }
    }
    const parameters = new URLSearchParams({ q: query.companyName, items_per_page: String(PAGE_SIZE) });
    const page = await this.client.get(`/search/companies?${parameters.toString()}`, searchSchema);
    const candidates = (page?.items ?? []).map((item) => ({
      providerId: item.company_number,
      company: companyOf({
        name: item.title,
        number: item.company_number,
        status: orNull(item.company_status),
        type: orNull(item.company_type),
        created: orNull(item.date_of_creation),
        ended: orNull(item.date_of_cessation),
        address: addressOf(item.address),
        formerNames: [],
      }),
    }));
    return { candidates, copy: null };
  }

  async detail({ providerId }: Candidate): Promise<CompanyDetail> {
    const path = `/company/${encodeURIComponent(providerId)}`;
    const profile = await this.profile(providerId);
    // It was found a moment ago.
    if (profile === null) throw registerUnavailable('register_answer_invalid');
    const officers = await this.client.get(`${path}/officers?items_per_page=${MOST_PARTIES}`, officersSchema);
    const control = await this.client.get(
      `${path}/persons-with-significant-control?items_per_page=${MOST_PARTIES}`,
      pscSchema,
    );
    return {
      company: profileCompany(profile),
      officers: (officers?.items ?? []).map(officerOf),
      owners: (control?.items ?? []).map(ownerOf),
      parents: { direct: null, ultimate: null },
      dataAt: null,
    };
  }

  private profile(number: string): Promise<z.infer<typeof profileSchema> | null> {
    return this.client.get(`/company/${encodeURIComponent(number)}`, profileSchema);
  }
}

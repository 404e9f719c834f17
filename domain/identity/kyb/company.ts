/** Sources of company data. */
export const KYB_PROVIDERS = ['register', 'companies_house', 'gleif', 'vies', 'sandbox'] as const;

export type KybProviderName = (typeof KYB_PROVIDERS)[number];

/** `found`: one company matches without contradiction. `failed`: no register could be queried. */
export const KYB_STATUSES = ['processing', 'found', 'not_found', 'review', 'failed'] as const;

export type KybStatus = (typeof KYB_STATUSES)[number];

/** Legal status of a company. `inactive`: no longer operating, for an unspecified reason. */
export const COMPANY_STATUSES = [
  'active',
  'dissolved',
  'liquidation',
  'administration',
  'insolvency',
  'inactive',
  'unknown',
] as const;

export type CompanyStatus = (typeof COMPANY_STATUSES)[number];

/** A date of birth as registers publish it, often without the day. */
export interface PartialDate {
  year: number;
  month: number | null;
  day: number | null;
}

export interface Address {
  lines: string[];
  city: string | null;
  region: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-2, or the name in the register if it states no code. */
  country: string | null;
}

/** `code`: ISO 20275 (ELF), if the register states one. */
export interface LegalForm {
  code: string | null;
  name: string | null;
}

export type PartyKind = 'person' | 'company' | 'unknown';

/** A person or company that acts for a company. */
export interface Officer {
  name: string;
  kind: PartyKind;
  role: string | null;
  appointedOn: string | null;
  resignedOn: string | null;
  nationality: string | null;
  country: string | null;
  dateOfBirth: PartialDate | null;
}

/** A person or company that owns or controls a company. */
export interface Owner {
  name: string;
  kind: PartyKind;
  /** Share of ownership in percent; a range if the register publishes ranges. */
  sharesPercent: { from: number; to: number } | null;
  /** Kinds of control, in the register's terms. */
  control: string[];
  registrationNumber: string | null;
  country: string | null;
  nationality: string | null;
  dateOfBirth: PartialDate | null;
  notifiedOn: string | null;
  ceasedOn: string | null;
}

/** A company that consolidates the accounts of another, or the reasons why none is reported. */
export interface Parent {
  lei: string | null;
  legalName: string | null;
  country: string | null;
  /** Reported reasons for the absence of a parent, such as NATURAL_PERSONS. */
  exceptions: string[];
}

/** A company as described by one register. Dates are ISO 8601; unknown values are null. */
export interface Company {
  /** Null if the register confirms a number without disclosing the name. */
  legalName: string | null;
  otherNames: string[];
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
  /** Status of the LEI registration, such as ISSUED or LAPSED. */
  leiStatus: string | null;
  status: CompanyStatus;
  legalForm: LegalForm | null;
  incorporationDate: string | null;
  dissolutionDate: string | null;
  registeredAddress: Address | null;
  headquarters: Address | null;
}

/** Company data of a register beyond the summary. */
export interface CompanyDetail {
  company: Company;
  officers: Officer[];
  owners: Owner[];
  parents: { direct: Parent | null; ultimate: Parent | null };
  /** Time of the register's last update of this data, if stated. */
  dataAt: string | null;
}

/** The company that a client asks about. Numbers are compact; the country is alpha-2. */
export interface CompanyQuery {
  companyName: string;
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
}

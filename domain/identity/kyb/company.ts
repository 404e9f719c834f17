/** Where a company's data came from. */
export const KYB_PROVIDERS = ['register', 'companies_house', 'gleif', 'vies', 'sandbox'] as const;

export type KybProviderName = (typeof KYB_PROVIDERS)[number];

/** `found`: one company fits and nothing speaks against it. `failed`: no register could be asked. */
export const KYB_STATUSES = ['processing', 'found', 'not_found', 'review', 'failed'] as const;

export type KybStatus = (typeof KYB_STATUSES)[number];

/** A company's legal state. `inactive`: no longer operating, without saying how it ended. */
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

/** A birth date as registers publish it, often without the day. */
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
  /** ISO 3166-1 alpha-2, or as the register writes it where it names none */
  country: string | null;
}

/** `code`: ISO 20275 (ELF), where the register gives one. */
export interface LegalForm {
  code: string | null;
  name: string | null;
}

export type PartyKind = 'person' | 'company' | 'unknown';

/** Someone who acts for a company. */
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

/** Someone who owns or controls a company. */
export interface Owner {
  name: string;
  kind: PartyKind;
  /** of the shares; a band where the register publishes bands */
  sharesPercent: { from: number; to: number } | null;
  /** kinds of control, in the register's own terms */
  control: string[];
  registrationNumber: string | null;
  country: string | null;
  nationality: string | null;
  dateOfBirth: PartialDate | null;
  notifiedOn: string | null;
  ceasedOn: string | null;
}

/** A company that consolidates another one's accounts, or why none is named. */
export interface Parent {
  lei: string | null;
  legalName: string | null;
  country: string | null;
  /** reasons a company gives for naming none, such as NATURAL_PERSONS */
  exceptions: string[];
}

/** A company as one register knows it. Dates are ISO 8601; unknown is null. */
export interface Company {
  /** null where the register confirms a number and keeps the name to itself */
  legalName: string | null;
  otherNames: string[];
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
  /** status of the LEI's own registration, such as ISSUED or LAPSED */
  leiStatus: string | null;
  status: CompanyStatus;
  legalForm: LegalForm | null;
  incorporationDate: string | null;
  dissolutionDate: string | null;
  registeredAddress: Address | null;
  headquarters: Address | null;
}

/** What a register tells of a company beyond its summary. */
export interface CompanyDetail {
  company: Company;
  officers: Officer[];
  owners: Owner[];
  parents: { direct: Parent | null; ultimate: Parent | null };
  /** when the register last brought this up to date, where it says so */
  dataAt: string | null;
}

/** What a client knows of the company it asks about. Numbers are compact; the country is alpha-2. */
export interface CompanyQuery {
  companyName: string;
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
}

import type { ModelUse } from '../../biometrics/result';
import type { Risk, Verdict } from '../../checks/risks';

export const ADDRESS_PROOF_TYPES = ['utility_bill', 'bank_statement', 'government_letter', 'other'] as const;

export type AddressProofType = (typeof ADDRESS_PROOF_TYPES)[number];

/** A postal address; parts that were not recognised are null, `raw` contains all of it. */
export interface PostalAddress {
  /** The lines as printed, joined by commas. */
  raw: string;
  /** Street with number, including preceding parts such as a flat. */
  street: string | null;
  city: string | null;
  /** State, province or county, if the address has one. */
  region: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-3. */
  country: string | null;
}

/** The result of reading a proof of address, before it is compared with a person. */
export interface AddressProofResult {
  documentType: AddressProofType;
  issuer: string | null;
  /** YYYY-MM-DD. */
  issueDate: string | null;
  /** ISO 639-1. */
  language: string | null;
  /** The recipient as printed. */
  name: string | null;
  /** Other people named with the recipient, such as a second holder of the account. */
  otherNames: string[];
  address: PostalAddress | null;
  /** The text inside a PDF, or characters recognised on an image. */
  source: 'text_layer' | 'recognition';
  /** Number of pages read. */
  pages: number;
  /** Mean confidence of the characters, 0–1; 1 for a text layer. */
  confidence: number;
  risks: Risk[];
  status: Verdict;
  thresholds: Record<string, number>;
  models: ModelUse[];
}

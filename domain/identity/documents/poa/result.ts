import type { ModelUse } from '../../biometrics/result';
import type { Risk, Verdict } from '../../checks/risks';

export const ADDRESS_PROOF_TYPES = ['utility_bill', 'bank_statement', 'government_letter', 'other'] as const;

export type AddressProofType = (typeof ADDRESS_PROOF_TYPES)[number];

/** A postal address; parts that could not be told apart are null, `raw` holds it whole. */
export interface PostalAddress {
  /** the lines as printed, joined by commas */
  raw: string;
  /** street with number, and what stands before it, such as a flat */
  street: string | null;
  city: string | null;
  /** state, province or county where the address has one */
  region: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-3 */
  country: string | null;
}

/** What was read on a proof of address, before it is compared with a person. */
export interface AddressProofResult {
  documentType: AddressProofType;
  issuer: string | null;
  /** YYYY-MM-DD */
  issueDate: string | null;
  /** ISO 639-1 */
  language: string | null;
  /** whom it is addressed to, as printed */
  name: string | null;
  /** other people it names beside them, such as a second holder of the account */
  otherNames: string[];
  address: PostalAddress | null;
  /** the text inside a PDF, or characters recognised on a picture */
  source: 'text_layer' | 'recognition';
  /** pages looked at */
  pages: number;
  /** mean certainty of the characters, 0–1; 1 for a text layer */
  confidence: number;
  risks: Risk[];
  status: Verdict;
  thresholds: Record<string, number>;
  models: ModelUse[];
}

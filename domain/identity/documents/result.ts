import type { Box, ModelUse, Rotation } from '../biometrics/result';
import type { MrzCheckDigit, MrzFields, MrzFormat } from './mrz/parse';
import type { Risk, Verdict } from '../checks/risks';
import type { AamvaData } from './aamva';

export type DocumentType = 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';

export type DocumentSide = 'front' | 'back';

/** Where a value was read. */
export type FieldSource = 'mrz' | 'visual' | 'barcode';

export type FieldName =
  | 'documentNumber'
  | 'personalNumber'
  | 'firstName'
  | 'lastName'
  | 'dateOfBirth'
  | 'sex'
  | 'nationality'
  | 'issueDate'
  | 'expiryDate'
  | 'placeOfBirth'
  | 'address';

export interface DocumentField {
  name: FieldName;
  /** dates as YYYY-MM-DD, names as printed in that source, states as ICAO three-letter codes */
  value: string;
  source: FieldSource;
  /** 0–1 */
  confidence: number;
  side: DocumentSide;
  /** pixels of that side's image; null where the value has no place of its own */
  box: Box | null;
  /** whether the other source shows the same; null where only one source has the field */
  agrees: boolean | null;
}

export interface MrzReading {
  format: MrzFormat;
  side: DocumentSide;
  lines: string[];
  fields: MrzFields;
  checkDigits: MrzCheckDigit[];
  /** all check digits verify; they are not proof that every character is right */
  valid: boolean;
  /** one character was replaced so that the digits verify */
  repaired: boolean;
  /** 0–1, mean certainty of the characters */
  confidence: number;
  box: Box;
}

/** The PDF417 symbol of a card, and what it states where it follows the standard of North American licences. */
export interface BarcodeReading {
  symbology: 'PDF417';
  side: DocumentSide;
  /** null for a symbol of another content, or one that could not be decoded */
  aamva: AamvaData | null;
  /** it was decoded; an AAMVA one has no faults */
  valid: boolean;
  box: Box;
}

export interface DocumentQuality {
  /** 0–100, from the variance of the Laplacian over the text */
  sharpness: number;
  /** share of the document burnt out, 0–1 */
  glare: number;
  /** mean luminance, 0–255 */
  brightness: number;
  /** part of the document lies outside the image */
  cutOff: boolean;
  /** height of a capital letter of the smallest text relied on, pixels; 0 where no text was found */
  resolution: number;
}

export interface DocumentSideReading {
  side: DocumentSide;
  width: number;
  height: number;
  rotation: Rotation;
  quality: DocumentQuality;
}

/** What the reading of an identity document found, before a session's own settings are applied. */
export interface DocumentResult {
  documentType: DocumentType | null;
  /** ICAO 9303 three-letter code (ISO 3166-1 alpha-3 where there is one) */
  issuingState: string | null;
  documentNumber: string | null;
  personalNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  /** YYYY-MM-DD; an unknown month or day stands as XX */
  dateOfBirth: string | null;
  /** whole years on the day of reading */
  age: number | null;
  sex: 'F' | 'M' | 'X' | null;
  nationality: string | null;
  issueDate: string | null;
  expiryDate: string | null;
  placeOfBirth: string | null;
  address: string | null;
  mrz: MrzReading | null;
  barcode: BarcodeReading | null;
  fields: DocumentField[];
  portrait: { side: DocumentSide; box: Box; confidence: number } | null;
  quality: DocumentQuality;
  sides: DocumentSideReading[];
  risks: Risk[];
  status: Verdict;
  thresholds: Record<string, number>;
  models: ModelUse[];
}

import type { Box, ModelUse, Rotation } from '../biometrics/result';
import type { MrzCheckDigit, MrzFields, MrzFormat } from './mrz/parse';
import type { Risk, Verdict } from '../checks/risks';
import type { AamvaData } from './aamva';

export type DocumentType = 'passport' | 'identity_card' | 'driving_licence' | 'residence_permit' | 'visa';

export type DocumentSide = 'front' | 'back';

/** The source of a value. */
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
  /** Dates as YYYY-MM-DD, names as printed in that source, states as three-letter ICAO codes. */
  value: string;
  source: FieldSource;
  /** 0–1. */
  confidence: number;
  side: DocumentSide;
  /** Position in pixels of that side's image; null if the value has none. */
  box: Box | null;
  /** Whether the other source states the same; null if only one source has the field. */
  agrees: boolean | null;
}

export interface MrzReading {
  format: MrzFormat;
  side: DocumentSide;
  lines: string[];
  fields: MrzFields;
  checkDigits: MrzCheckDigit[];
  /** True if all check digits verify, which does not prove that every character is right. */
  valid: boolean;
  /** True if one character was replaced so that the check digits verify. */
  repaired: boolean;
  /** Mean confidence of the characters, 0–1. */
  confidence: number;
  box: Box;
}

/** The PDF417 barcode of a card, with its content if it follows the standard of North American licences. */
export interface BarcodeReading {
  symbology: 'PDF417';
  side: DocumentSide;
  /** Null for other content, or a barcode that could not be decoded. */
  aamva: AamvaData | null;
  /** True if it was decoded and, for AAMVA content, has no faults. */
  valid: boolean;
  box: Box;
}

export interface DocumentQuality {
  /** 0–100, from the variance of the Laplacian over the text. */
  sharpness: number;
  /** Overexposed share of the document, 0–1. */
  glare: number;
  /** Mean luminance, 0–255. */
  brightness: number;
  /** True if part of the document lies outside the image. */
  cutOff: boolean;
  /** Height in pixels of a capital letter of the smallest text used; 0 if no text was found. */
  resolution: number;
}

export interface DocumentSideReading {
  side: DocumentSide;
  width: number;
  height: number;
  rotation: Rotation;
  quality: DocumentQuality;
}

/** The result of reading an identity document, before the session's settings are applied. */
export interface DocumentResult {
  documentType: DocumentType | null;
  /** Three-letter ICAO 9303 code (ISO 3166-1 alpha-3 where there is one). */
  issuingState: string | null;
  documentNumber: string | null;
  personalNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  /** YYYY-MM-DD; an unknown month or day is XX. */
  dateOfBirth: string | null;
  /** Whole years on the day of reading. */
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

import { isAamvaCountry, listJurisdictions } from './aamva-issuers';
import { isVerifiedZone } from './mrz/verification';
import type { DocumentResult } from './result';

/** Identifies a document: its number and the state that issued it. */
export interface DocumentIdentity {
  documentNumber: string;
  /** ISO 3166-1 alpha-3. */
  issuingState: string;
  /**
   * The state or province that numbers its own licences and identity cards, as AAMVA codes it; null or missing if the
   * country numbers the document, or if it is unknown.
   */
  jurisdiction?: string | null;
}

type DocumentReading = Pick<DocumentResult, 'documentNumber' | 'issuingState' | 'documentType' | 'mrz' | 'barcode'>;

/** The document that was read; null without its number or issuing state. */
export function identifyDocument({ documentNumber, issuingState, barcode }: DocumentReading): DocumentIdentity | null {
  if (documentNumber === null || issuingState === null) return null;
  const aamva = barcode?.aamva ?? null;
  // An enhanced licence also has a zone, with a number of its own.
  const isNumberOfBarcode = aamva !== null && aamva.fields.documentNumber === documentNumber;
  return { documentNumber, issuingState, jurisdiction: isNumberOfBarcode ? aamva.jurisdiction : null };
}

/**
 * The documents that one may be on the blocklist as. An entry without a jurisdiction blocks its number in all of them:
 * it is of an earlier version, or was added by number and country.
 */
export const listBlockedIdentities = (document: DocumentIdentity): DocumentIdentity[] =>
  document.jurisdiction == null ? [document] : [document, { ...document, jurisdiction: null }];

/**
 * The documents that a reading may be of. A licence or identity card without its barcode may be of any state or
 * province, so that one of which only the front is shown does not escape the blocklist.
 */
export function listPossibleIdentities(reading: DocumentReading): DocumentIdentity[] {
  const document = identifyDocument(reading);
  if (document === null) return [];
  const { documentType, mrz, barcode } = reading;
  const isCard = documentType === 'driving_licence' || documentType === 'identity_card';
  const hasOwnNumber = (mrz !== null && isVerifiedZone(mrz)) || barcode?.aamva != null;
  if (!isCard || hasOwnNumber || !isAamvaCountry(document.issuingState)) return listBlockedIdentities(document);
  const jurisdictions = listJurisdictions(document.issuingState);
  return [document, ...jurisdictions.map((jurisdiction) => ({ ...document, jurisdiction }))];
}

/** Codes of states in the texts of which hashes were stored by earlier versions. */
const EARLIER_CODES: Readonly<Record<string, string>> = { XKK: 'XKX' };

/** The same text for the same document, regardless of spacing in the number. */
export function formatDocumentIdentity({ documentNumber, issuingState, jurisdiction }: DocumentIdentity): string {
  const state = issuingState.toUpperCase();
  const issuer = `${EARLIER_CODES[state] ?? state}${jurisdiction == null ? '' : `-${jurisdiction}`}`;
  return `${issuer}:${documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
}

/**
 * A hint by which a client recognises an entry, but which does not reveal the number: its last three of six or more
 * characters.
 */
export function maskDocumentNumber(documentNumber: string): string {
  const plain = documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const shown = plain.length >= 6 ? 3 : 1;
  return '•'.repeat(Math.max(0, plain.length - shown)) + plain.slice(-shown);
}

/** The part of a document use that decides whether two uses are by the same person. */
export interface DocumentUsage {
  /** The client's own id of the person. */
  externalId: string | null;
  /** The date of birth; unlike a name, a date is protected by a check digit. */
  holder: string | null;
}

/**
 * Whether two uses of one document are by different people: by the client's ids if both have one, else by the date of
 * birth. The same person may use a document repeatedly.
 */
export function isUsedByAnother(one: DocumentUsage, other: DocumentUsage): boolean {
  if (one.externalId !== null && other.externalId !== null) return one.externalId !== other.externalId;
  return one.holder !== null && other.holder !== null && one.holder !== other.holder;
}

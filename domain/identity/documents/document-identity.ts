/** Identifies a document: its number and the state that issued it. */
export interface DocumentIdentity {
  documentNumber: string;
  /** ISO 3166-1 alpha-3. */
  issuingState: string;
}

/** Codes of states in the texts of which hashes were stored by earlier versions. */
const EARLIER_CODES: Readonly<Record<string, string>> = { XKK: 'XKX' };

/** The same text for the same document, regardless of spacing in the number. */
export function formatDocumentIdentity({ documentNumber, issuingState }: DocumentIdentity): string {
  const state = issuingState.toUpperCase();
  return `${EARLIER_CODES[state] ?? state}:${documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;
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

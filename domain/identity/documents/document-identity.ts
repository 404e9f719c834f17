/** What makes a document one of its kind: its number and the state that issued it. */
export interface DocumentIdentity {
  documentNumber: string;
  /** ISO 3166-1 alpha-3 */
  issuingState: string;
}

/** The same text for the same document, however its number is spaced. */
export const formatDocumentIdentity = ({ documentNumber, issuingState }: DocumentIdentity): string =>
  `${issuingState.toUpperCase()}:${documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, '')}`;

/** Enough of a number to recognise one's own entry by, and too little to use: the last three characters of six or more. */
export function maskDocumentNumber(documentNumber: string): string {
  const plain = documentNumber.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const shown = plain.length >= 6 ? 3 : 1;
  return '•'.repeat(Math.max(0, plain.length - shown)) + plain.slice(-shown);
}

/** One use of a document, as far as it tells whether another use is by somebody else. */
export interface DocumentUsage {
  /** the client's own id of the person */
  externalId: string | null;
  /** keyed hash of the date of birth read; a name may be misread, a date has a check digit */
  holder: string | null;
}

/**
 * Whether two uses of one document are by different people: by the client's ids where both have one, else by the date of
 * birth. The same id, or the same holder without ids, may come back as often as they like.
 */
export function isUsedByAnother(one: DocumentUsage, other: DocumentUsage): boolean {
  if (one.externalId !== null && other.externalId !== null) return one.externalId !== other.externalId;
  return one.holder !== null && other.holder !== null && one.holder !== other.holder;
}

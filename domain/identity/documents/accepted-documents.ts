import type { DocumentResult, DocumentType } from './result';
import { makeRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';

/** A type of document a session takes, from any state or from some. */
export interface AcceptedDocument {
  type: DocumentType;
  /** ISO 3166-1 alpha-3 of the issuing states; left out: any */
  countries?: string[] | undefined;
}

/**
 * `document_not_accepted` where a document is of none of the accepted kinds. A document whose type or state could not be
 * told is judged by that, not by this.
 */
export function assessAcceptedDocumentRisks(
  accepted: readonly AcceptedDocument[] | null,
  { documentType, issuingState }: Pick<DocumentResult, 'documentType' | 'issuingState'>,
): Risk[] {
  if (accepted === null || documentType === null) return [];
  const ofType = accepted.filter(({ type }) => type === documentType);
  const fits = ofType.some(
    ({ countries }) => countries === undefined || issuingState === null || countries.includes(issuingState),
  );
  if (fits) return [];
  return [makeRisk('document_not_accepted', { details: { documentType, issuingState } })];
}

import type { DocumentResult, DocumentType } from './result';
import { buildRisk } from '../checks/risks';
import type { Risk } from '../checks/risks';

/** A type of document that a session accepts, from any or from certain states. */
export interface AcceptedDocument {
  type: DocumentType;
  /** ISO 3166-1 alpha-3 codes of the issuing states @default any state */
  countries?: string[] | undefined;
}

/**
 * Returns `document_not_accepted` if a document is of none of the accepted kinds. A document whose type or state was
 * not recognised has a risk of its own instead.
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
  return [buildRisk('document_not_accepted', { details: { documentType, issuingState } })];
}

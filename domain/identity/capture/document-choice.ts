import type { AcceptedDocument } from '../documents/accepted-documents';

/** The documents that a person can choose on the capture page, in the order in which it offers them. */
export const CAPTURE_DOCUMENT_TYPES = [
  'passport',
  'identity_card',
  'driving_licence',
  'residence_permit',
  'visa',
] as const;

export type CaptureDocumentType = (typeof CAPTURE_DOCUMENT_TYPES)[number];

/** The document that the person has chosen to photograph. */
export interface DocumentChoice {
  type: CaptureDocumentType;
  /** Issuing state, ISO 3166-1 alpha-3. */
  country: string;
}

/** Whether the back of a document of this type has to be photographed as well. */
export const hasBack = (type: CaptureDocumentType): boolean => type !== 'passport' && type !== 'visa';

/** Whether a session accepts a document; null accepts all. */
export const isChoiceAccepted = (accepted: readonly AcceptedDocument[] | null, choice: DocumentChoice): boolean =>
  accepted === null ||
  accepted.some(
    ({ type, countries }) => type === choice.type && (countries === undefined || countries.includes(choice.country)),
  );

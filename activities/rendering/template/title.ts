import { DEPOSIT_TEXTS } from '../../../domain/business/documents/labels/deposits';
import type { DocumentLabels } from '../../../domain/business/documents/labels';
import type { PrintableDocument } from '../../../domain/business/documents/printable-document';

/** The kind of the document in its language. */
export const getDocumentTitle = (
  { kind, isDeposit, language }: Pick<PrintableDocument, 'kind' | 'isDeposit' | 'language'>,
  labels: DocumentLabels,
): string =>
  kind === 'credit_note' ? labels.creditNote : isDeposit === true ? DEPOSIT_TEXTS[language].title : labels.invoice;

/** A PDF that cannot be read, with the reason. */
export class PdfRejectedError extends Error {
  constructor(readonly code: 'pdf_encrypted' | 'pdf_unreadable' | 'too_complex' | 'too_large') {
    super(code);
  }
}

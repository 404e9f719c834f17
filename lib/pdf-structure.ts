const PDF_SIGNATURE = Buffer.from('%PDF-');
const PDF_END_MARKER = Buffer.from('%%EOF');
/** Readers accept a few additional bytes before the signature and after the end. */
const MAX_JUNK_BYTES = 1024;

/** Detects a PDF by its first bytes (ISO 32000-1, 7.5.2). */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(MAX_JUNK_BYTES, bytes.length)).includes(PDF_SIGNATURE);

/** False for a PDF whose end is missing (7.5.5); the content in between is not checked. */
export const isCompletePdf = (bytes: Buffer): boolean => bytes.subarray(-MAX_JUNK_BYTES).includes(PDF_END_MARKER);

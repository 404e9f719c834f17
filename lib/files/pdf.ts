const PDF_SIGNATURE = Buffer.from('%PDF-');
const PDF_END_MARKER = Buffer.from('%%EOF');
/** Readers accept a few additional bytes after the end. */
const MAX_JUNK_BYTES = 1024;
/** Line breaks and a byte order mark that some programs write before the signature. */
const LEADING_BYTES = new Set([0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]);

/** Detects a PDF by its first bytes (ISO 32000-1, 7.5.2), after white space only: other bytes may be another format. */
export function isPdf(bytes: Buffer): boolean {
  const limit = Math.min(MAX_JUNK_BYTES, bytes.length);
  let at = 0;
  while (at < limit && LEADING_BYTES.has(bytes[at] ?? 0)) at += 1;
  return bytes.subarray(at, at + PDF_SIGNATURE.length).equals(PDF_SIGNATURE);
}

/** Whether the signature of a PDF is anywhere in a file: lenient readers would open it as one. */
export const containsPdf = (bytes: Buffer): boolean => bytes.includes(PDF_SIGNATURE);

/** False for a PDF whose end is missing (7.5.5); the content in between is not checked. */
export const isCompletePdf = (bytes: Buffer): boolean => bytes.subarray(-MAX_JUNK_BYTES).includes(PDF_END_MARKER);

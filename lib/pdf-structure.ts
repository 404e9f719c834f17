const SIGNATURE = Buffer.from('%PDF-');
const END = Buffer.from('%%EOF');
/** Readers accept a few bytes of junk before the signature and after the end. */
const SLACK = 1024;

/** True for a PDF by its first bytes (ISO 32000-1, 7.5.2). */
export const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(SLACK, bytes.length)).includes(SIGNATURE);

/** False for a PDF whose end is missing (7.5.5); says nothing of what lies between. */
export const isWholePdf = (bytes: Buffer): boolean => bytes.subarray(-SLACK).includes(END);

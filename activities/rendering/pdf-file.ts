import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors';

/** What is written into the file's own fields in place of the moment and place it was printed. */
export interface FileIdentity {
  /** The instant of issue: creation and modification date of the file, to the second. */
  issuedAt: Date;
  /** Names the content; equal contents have equal ids (ISO 32000-1, 14.4). */
  contentId: string;
}

const FIXED_DATE = /\/(CreationDate|ModDate) \(D:\d{14}\+00'00'\)/g;

/** `D:YYYYMMDDHHmmSS+00'00'`, as wide as what Chromium writes, so no offset in the file moves. */
const formatPdfDate = (instant: Date): string => `D:${instant.toISOString().replace(/\D/g, '').slice(0, 14)}+00'00'`;

/** The file identifier of a content, 32 hex digits. */
export const computeFileId = (contentId: string): string =>
  createHash('sha256').update(contentId).digest('hex').slice(0, 32);

/**
 * Makes the bytes of a printed file depend on its content alone: the dates become the instant of issue, and the
 * trailer, which stands behind the cross-reference table and so may grow, gets a file identifier.
 * @throws AppError `pdf_unexpected` when the file is not laid out as Chromium's PDF back end writes it.
 */
export function writeFileIdentity(printed: Uint8Array, identity: FileIdentity): Buffer {
  // Latin-1 maps bytes to characters one to one and back.
  const file = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength).toString('latin1');
  const infoEnd = file.indexOf('endobj');
  const trailerStart = file.lastIndexOf('trailer\n<<');
  const info = file.slice(0, infoEnd);
  if (infoEnd < 0 || trailerStart < 0 || info.match(FIXED_DATE)?.length !== 2) {
    throw new AppError(
      'pdf_unexpected',
      500,
      'The browser wrote a PDF whose dates and trailer are not where they belong.',
    );
  }
  const date = formatPdfDate(identity.issuedAt);
  const id = computeFileId(identity.contentId);
  const dictionary = trailerStart + 'trailer\n<<'.length;
  return Buffer.from(
    info.replace(FIXED_DATE, (_, name: string) => `/${name} (${date})`) +
      file.slice(infoEnd, dictionary) +
      `/ID [<${id}> <${id}>]\n` +
      file.slice(dictionary),
    'latin1',
  );
}

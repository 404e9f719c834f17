import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors';

/** Metadata written into the file instead of the time of printing. */
export interface FileIdentity {
  /** Instant of issue: creation and modification date of the file, to the second. */
  issuedAt: Date;
  /** Identifies the content; equal contents have equal ids (ISO 32000-1, 14.4). */
  contentId: string;
}

const FIXED_DATE = /\/(CreationDate|ModDate) \(D:\d{14}\+00'00'\)/g;

/** `D:YYYYMMDDHHmmSS+00'00'`, with the same length as Chromium's dates, so that no offset in the file changes. */
const formatPdfDate = (instant: Date): string => `D:${instant.toISOString().replace(/\D/g, '').slice(0, 14)}+00'00'`;

/** Chromium's PDF back end writes every page as an object of its own. */
const PAGE_OBJECT = '/Type /Page\n';

/** Counts the pages of a printed file. */
export function countPages(printed: Buffer): number {
  let count = 0;
  for (let at = printed.indexOf(PAGE_OBJECT); at >= 0; at = printed.indexOf(PAGE_OBJECT, at + 1)) count += 1;
  return count;
}

/** Computes the file identifier of a content, 32 hex digits. */
export const computeFileId = (contentId: string): string =>
  createHash('sha256').update(contentId).digest('hex').slice(0, 32);

/**
 * Makes the bytes of a printed file depend only on its content: the dates become the instant of issue, and the trailer
 * gets a file identifier. The trailer may grow because it follows the cross-reference table.
 * @throws AppError `pdf_unexpected` if the file does not have the layout that Chromium's PDF back end writes.
 */
export function writeFileIdentity(printed: Uint8Array, identity: FileIdentity): Buffer {
  // Latin-1 maps bytes to characters one to one in both directions.
  const file = Buffer.from(printed.buffer, printed.byteOffset, printed.byteLength).toString('latin1');
  const infoEnd = file.indexOf('endobj');
  const trailerStart = file.lastIndexOf('trailer\n<<');
  const info = file.slice(0, infoEnd);
  if (infoEnd < 0 || trailerStart < 0 || info.match(FIXED_DATE)?.length !== 2) {
    throw new AppError(
      'pdf_unexpected',
      500,
      'The browser wrote a PDF without dates and trailer in the expected places.',
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

import { AppError, invalidFieldError } from '../../../domain/errors';
import type { ErrorStatus } from '../../../domain/errors';
import { fileTooLargeError, MAX_FILE_BYTES } from '../../../domain/file-size';
import { identifyFile } from '../../../lib/files/identify';
import type { FileProblem, FileType } from '../../../lib/files/identify';
import { readImageSize } from '../../../lib/files/image-size';
import type { ImageSize } from '../../../lib/files/image-size';
import { imageProblemError } from '../../platform/evidence/image-problems';

/** Limits of an upload; the decoder applies the same ones. */
export const UPLOAD_LIMITS = { maxBytes: MAX_FILE_BYTES, maxPixels: 50_000_000, maxSide: 20_000 } as const;

/** The kinds of file that a field accepts; documents may be PDF files. */
export type AcceptedKinds = 'image' | 'image or PDF';

const ACCEPTED_LABELS: Record<AcceptedKinds, string> = {
  image: 'JPEG, PNG, WebP or HEIC',
  'image or PDF': 'JPEG, PNG, WebP, HEIC or PDF',
};

/** An upload whose content is of an accepted kind and structurally complete. */
export interface Upload {
  field: string;
  /** The only identification of the file: it is recorded with the evidence and used by every decoder. */
  contentType: FileType;
  body: Buffer;
}

const uploadError = (code: string, status: ErrorStatus, field: string, problem: string): AppError =>
  new AppError(code, status, `${field}: ${problem}`, { fields: [{ field, problem }] });

/**
 * Checks an upload without decoding it, so that a crafted file never reaches a native decoder in the API process. File
 * names and declared types are ignored.
 *
 * @throws AppError 400 missing, empty, truncated, animated, or with data that does not belong to the format; 413 too
 *   many bytes or pixels; 415 another kind of file; the error names the field
 */
export function checkUpload(field: string, body: Buffer | undefined, kinds: AcceptedKinds = 'image'): Upload {
  const accepted = ACCEPTED_LABELS[kinds];
  if (body === undefined) throw invalidFieldError(field, `a file is required; accepts ${accepted}`);
  if (body.length === 0) throw uploadError('empty_file', 400, field, 'the file is empty');
  if (body.length > UPLOAD_LIMITS.maxBytes) throw fileTooLargeError(field);
  const file = identifyFile(body);
  if (file === null || (file.type === 'application/pdf' && kinds === 'image')) {
    const problem = `accepts ${accepted}; the type is detected from the content, not the name`;
    throw uploadError('unsupported_media_type', 415, field, problem);
  }
  if (file.type !== 'application/pdf') requireSingleImage(field, body, file.problem);
  else if (file.problem !== null) throw uploadError('file_truncated', 400, field, 'the PDF is truncated');
  return { field, contentType: file.type, body };
}

function requireSingleImage(field: string, body: Buffer, found: FileProblem | null): void {
  // Completeness first: a truncated header can state any size.
  const size = found === null ? readImageSize(body) : null;
  const problem = found ?? (size === null ? 'truncated' : null);
  if (problem !== null) throw imageProblemError(field, problem);
  if (size !== null && hasTooManyPixels(size)) {
    const { maxPixels, maxSide } = UPLOAD_LIMITS;
    const limits = `accepts up to ${maxPixels / 1_000_000} megapixels and ${maxSide} pixels per side`;
    throw uploadError('image_too_large', 413, field, limits);
  }
}

/** @throws AppError 415 naming the field, for a document as a PDF in a session that accepts only photographs */
export function rejectPdfs(uploads: readonly Upload[]): void {
  const pdf = uploads.find(({ contentType }) => contentType === 'application/pdf');
  if (pdf === undefined) return;
  const problem = `the session accepts ${ACCEPTED_LABELS.image}, and no PDF`;
  throw uploadError('unsupported_media_type', 415, pdf.field, problem);
}

const hasTooManyPixels = ({ width, height }: ImageSize): boolean =>
  width * height > UPLOAD_LIMITS.maxPixels || Math.max(width, height) > UPLOAD_LIMITS.maxSide;

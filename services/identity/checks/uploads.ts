import { AppError, invalidFieldError } from '../../../domain/errors';
import type { ErrorStatus } from '../../../domain/errors';
import { isCompleteHeic, sniffHeicType } from '../../../lib/heic-structure';
import type { HeicType } from '../../../lib/heic-structure';
import { isCompleteImage, readImageSize, sniffImageType } from '../../../lib/image-structure';
import type { ImageSize, ImageType } from '../../../lib/image-structure';
import { isPdf, isCompletePdf } from '../../../lib/pdf-structure';

/** Limits of an upload; the decoder applies the same ones. */
export const UPLOAD_LIMITS = { maxBytes: 15 * 1024 * 1024, maxPixels: 50_000_000, maxSide: 20_000 } as const;

/** The kinds of file that a field accepts; documents may be PDF files. */
export type AcceptedKinds = 'image' | 'image or PDF';

const ACCEPTED_LABELS: Record<AcceptedKinds, string> = {
  image: 'JPEG, PNG, WebP or HEIC',
  'image or PDF': 'JPEG, PNG, WebP, HEIC or PDF',
};

/** An upload whose content is of an accepted kind and structurally complete. */
export interface Upload {
  field: string;
  contentType: ImageType | HeicType | 'application/pdf';
  body: Buffer;
}

const rejection = (code: string, status: ErrorStatus, field: string, problem: string): AppError =>
  new AppError(code, status, `${field}: ${problem}`, { fields: [{ field, problem }] });

const fileTooLarge = (field: string): AppError =>
  rejection('file_too_large', 413, field, `accepts files up to ${UPLOAD_LIMITS.maxBytes / 1024 / 1024} MB`);

/**
 * Checks an upload without decoding it, so that a crafted file never reaches a native decoder in the API process. File
 * names and declared types are ignored.
 *
 * @throws AppError 400 missing, empty or truncated; 413 too many bytes or pixels; 415 another kind of file; the error
 *   names the field
 */
export function checkUpload(field: string, body: Buffer | undefined, kinds: AcceptedKinds = 'image'): Upload {
  const accepted = ACCEPTED_LABELS[kinds];
  if (body === undefined) throw invalidFieldError(field, `a file is required; accepts ${accepted}`);
  if (body.length === 0) throw rejection('empty_file', 400, field, 'the file is empty');
  if (body.length > UPLOAD_LIMITS.maxBytes) throw fileTooLarge(field);
  const contentType = sniffImageType(body);
  if (contentType !== null) return checkImage(field, contentType, body, isCompleteImage(contentType, body));
  const heicType = sniffHeicType(body);
  if (heicType !== null) return checkImage(field, heicType, body, isCompleteHeic(body));
  if (kinds === 'image or PDF' && isPdf(body)) return checkPdf(field, body);
  const problem = `accepts ${accepted}; the type is detected from the content, not the name`;
  throw rejection('unsupported_media_type', 415, field, problem);
}

function checkPdf(field: string, body: Buffer): Upload {
  if (!isCompletePdf(body)) throw rejection('file_truncated', 400, field, 'the PDF is truncated');
  return { field, contentType: 'application/pdf', body };
}

function checkImage(field: string, contentType: ImageType | HeicType, body: Buffer, complete: boolean): Upload {
  // Completeness first: a truncated header can state any size.
  const size = complete ? readImageSize(body) : null;
  if (size === null) throw rejection('image_truncated', 400, field, 'the image is damaged or truncated');
  if (hasTooManyPixels(size)) {
    const { maxPixels, maxSide } = UPLOAD_LIMITS;
    const problem = `accepts up to ${maxPixels / 1_000_000} megapixels and ${maxSide} pixels per side`;
    throw rejection('image_too_large', 413, field, problem);
  }
  return { field, contentType, body };
}

const hasTooManyPixels = ({ width, height }: ImageSize): boolean =>
  width * height > UPLOAD_LIMITS.maxPixels || Math.max(width, height) > UPLOAD_LIMITS.maxSide;

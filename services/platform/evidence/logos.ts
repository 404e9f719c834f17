import { AppError, invalidFieldError } from '../../../domain/errors';
import { identifyFile } from '../../../lib/files/identify';
import { readImageSize } from '../../../lib/files/image-size';
import { imageProblemError } from './image-problems';

interface LogoLimits {
  maxBytes: number;
  /** Pixels of the longer side. */
  maxSide: number;
  maxPixels: number;
}

const LOGO_TYPES = ['image/png', 'image/jpeg'] as const;

type LogoType = (typeof LOGO_TYPES)[number];

const describeBytes = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`;

/**
 * Checks a logo without decoding it.
 * @returns its type, which is recognised by the content
 * @throws AppError 400, 413 or 415, naming the field
 */
export function requireLogo(field: string, bytes: Buffer, { maxBytes, maxSide, maxPixels }: LogoLimits): LogoType {
  if (bytes.length > maxBytes) {
    const problem = `accepts at most ${describeBytes(maxBytes)}`;
    throw new AppError('file_too_large', 413, `${field}: ${problem}.`, { fields: [{ field, problem }] });
  }
  const file = identifyFile(bytes);
  const type = LOGO_TYPES.find((each) => each === file?.type);
  if (file === null || type === undefined) {
    const problem = 'accepts PNG and JPEG';
    throw new AppError('unsupported_media_type', 415, `${field}: ${problem}.`, { fields: [{ field, problem }] });
  }
  if (file.problem !== null) throw imageProblemError(field, file.problem);
  const size = readImageSize(bytes);
  if (size === null || Math.max(size.width, size.height) > maxSide) {
    throw invalidFieldError(field, `accepts 1 to ${maxSide} pixels a side`);
  }
  if (size.width * size.height > maxPixels) {
    throw invalidFieldError(field, `accepts at most ${maxPixels / 1_000_000} megapixels`);
  }
  return type;
}

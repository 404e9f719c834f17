import { readHeicStructure, sniffHeicType } from './heic';
import type { HeicType } from './heic';
import { readJpegStructure } from './jpeg';
import { isJpeg } from './jpeg-image';
import { containsPdf, isCompletePdf, isPdf } from './pdf';
import { isPng, readPngStructure } from './png';
import { skipZeros } from './structure';
import type { ImageStructure } from './structure';
import { isWebp, readWebpStructure } from './webp';

export type ImageType = 'image/jpeg' | 'image/png' | 'image/webp' | HeicType;
/** The formats that the service stores and decodes. */
export type FileType = ImageType | 'application/pdf';

export const FILE_TYPES = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
] as const satisfies readonly FileType[];

/** Whether a recorded content type is one that the service decodes. */
export const isFileType = (type: string): type is FileType => FILE_TYPES.some((known) => known === type);

/** Why a file of a known format is not accepted. */
export type FileProblem = 'truncated' | 'animated' | 'contains_pdf' | 'data_after_end';

/** The format of a file, detected from its content; names and declared types are ignored. */
export interface IdentifiedFile {
  type: FileType;
  problem: FileProblem | null;
}

function detectType(bytes: Buffer): FileType | null {
  if (isJpeg(bytes)) return 'image/jpeg';
  if (isPng(bytes)) return 'image/png';
  if (isWebp(bytes)) return 'image/webp';
  return sniffHeicType(bytes) ?? (isPdf(bytes) ? 'application/pdf' : null);
}

function readStructure(type: ImageType, bytes: Buffer): ImageStructure | null {
  switch (type) {
    case 'image/jpeg':
      return readJpegStructure(bytes);
    case 'image/png':
      return readPngStructure(bytes);
    case 'image/webp':
      return readWebpStructure(bytes);
    case 'image/heic':
    case 'image/heif':
      return readHeicStructure(bytes);
  }
}

function findImageProblem(type: ImageType, bytes: Buffer): FileProblem | null {
  const structure = readStructure(type, bytes);
  if (structure === null) return 'truncated';
  if (structure.animated) return 'animated';
  if (containsPdf(bytes)) return 'contains_pdf';
  return skipZeros(bytes, structure.end) < bytes.length ? 'data_after_end' : null;
}

/**
 * Identifies a file, once, when it is sent. Everything that reads the file later decodes it as the type found here, so
 * that no two programs see different pictures in it. Nothing is decoded; the pixels are not checked.
 * @returns null for a format that is not accepted anywhere
 */
export function identifyFile(bytes: Buffer): IdentifiedFile | null {
  const type = detectType(bytes);
  if (type === null) return null;
  if (type === 'application/pdf') return { type, problem: isCompletePdf(bytes) ? null : 'truncated' };
  return { type, problem: findImageProblem(type, bytes) };
}

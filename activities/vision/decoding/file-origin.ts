import type { Metadata } from 'sharp';
import type { FileOrigin } from '../../../domain/identity/documents/recapture';

const SCREENSHOT_NOTE = /screen ?(shot|capture)/i;

/** Format and size of a file, and whether its metadata calls it a screenshot. */
export function readFileOrigin({ format, autoOrient, exif, xmp, comments = [] }: Metadata): FileOrigin {
  // Metadata blocks mix binary data with texts in one or two bytes per character; without null bytes both are
  // searchable.
  const notes = [exif, xmp].map((block) => block?.toString('latin1').replaceAll('\0', '') ?? '');
  const commentTexts = comments.map(({ keyword, text }) => `${keyword} ${text}`);
  return {
    format: format === 'png' || format === 'webp' ? format : 'jpeg',
    width: autoOrient.width,
    height: autoOrient.height,
    namedScreenshot: [...notes, ...commentTexts].some((note) => SCREENSHOT_NOTE.test(note)),
  };
}

import { z } from 'zod';
import { FILE_TYPES } from '../../../lib/files/identify';

const id = z.number().int();
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const pixels = z.number().int().positive();

/** Request to a decoder process: decode an image, or read the text of a letter. */
export const decodeRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('image'),
    id,
    /** recorded when the file was sent; the file is decoded as nothing else */
    type: z.enum(FILE_TYPES),
    bytes,
    /** maximum longer side of the decoded image */
    longSide: pixels,
    /** smaller images are enlarged so that their longer side is this; 0 leaves them as they are */
    minLongSide: z.number().int().nonnegative(),
    maxPixels: pixels,
    /** whether to return what shows how the file, or the pictures in it, were captured */
    examined: z.boolean(),
  }),
  z.object({
    kind: z.literal('letter'),
    id,
    bytes,
    /** limit of each picture on a page */
    maxPixels: pixels,
    /** maximum number of pages, from the first */
    maxPages: pixels,
    /** with fewer characters of text, the pages are also returned as images */
    minCharacters: z.number().int(),
    /** longer side of those images */
    longSide: pixels,
  }),
]);

export type DecodeRequest = z.infer<typeof decodeRequestSchema>;

const rasterSchema = z.object({ width: pixels, height: pixels, data: bytes });

/** What a file, or a picture in a PDF, shows about how it was captured. */
const captureSchema = z.object({
  /** square samples at the original resolution; empty if the picture is too small or too large */
  squares: z.array(rasterSchema),
  origin: z.object({
    format: z.enum(['jpeg', 'png', 'webp', 'pdf']),
    width: pixels,
    height: pixels,
    namedScreenshot: z.boolean(),
  }),
});

export type ExaminedCapture = z.infer<typeof captureSchema>;

const letterPageSchema = z.object({
  /** points */
  width: z.number(),
  height: z.number(),
  runs: z.array(
    z.object({ text: z.string(), left: z.number(), top: z.number(), right: z.number(), bottom: z.number() }),
  ),
  raster: rasterSchema.nullable(),
});

export type LetterPage = z.infer<typeof letterPageSchema>;

export const decodeReplySchema = z.union([
  z.object({
    id,
    ok: z.literal(true),
    kind: z.literal('image'),
    ...rasterSchema.shape,
    /** size of the uploaded image, after its EXIF orientation */
    fullWidth: pixels,
    fullHeight: pixels,
    /** the file, or the pictures in a PDF; empty if not requested */
    captures: z.array(captureSchema),
  }),
  z.object({ id, ok: z.literal(true), kind: z.literal('letter'), pages: z.array(letterPageSchema) }),
  z.object({
    id,
    ok: z.literal(false),
    problem: z.enum(['too_large', 'too_complex', 'unreadable', 'pdf_encrypted', 'pdf_unreadable']),
    reason: z.string(),
  }),
]);

export type DecodeReply = z.infer<typeof decodeReplySchema>;

import { z } from 'zod';

const id = z.number().int();
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const pixels = z.number().int().positive();

/** What the decoder process is asked: the picture in a file, or the text of a letter. */
export const decodeRequestSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('picture'),
    id,
    bytes,
    /** longest side it should come back with */
    longSide: pixels,
    /** smaller images are enlarged so that their longer side is this; 0 leaves them as they are */
    minLongSide: z.number().int().nonnegative(),
    maxPixels: pixels,
    /** whether to come with squares of the picture as it was sent, and what its file says of its origin */
    examined: z.boolean(),
  }),
  z.object({
    kind: z.literal('letter'),
    id,
    bytes,
    /** pages read from the first on */
    maxPages: pixels,
    /** with less text inside than this its pages come back as pictures, too */
    minCharacters: z.number().int(),
    /** longer side of those pictures */
    longSide: pixels,
  }),
]);

export type DecodeRequest = z.infer<typeof decodeRequestSchema>;

const rasterSchema = z.object({ width: pixels, height: pixels, data: bytes });

const originSchema = z.object({
  format: z.enum(['jpeg', 'png', 'webp', 'pdf']),
  width: pixels,
  height: pixels,
  namedScreenshot: z.boolean(),
});

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
    kind: z.literal('picture'),
    ...rasterSchema.shape,
    /** size of the image as sent, after its EXIF orientation */
    fullWidth: pixels,
    fullHeight: pixels,
    /** squares spread over the picture as it was sent; none where they were not asked for or do not fit */
    squares: z.array(rasterSchema),
    origin: originSchema.nullable(),
  }),
  z.object({ id, ok: z.literal(true), kind: z.literal('letter'), pages: z.array(letterPageSchema) }),
  z.object({
    id,
    ok: z.literal(false),
    problem: z.enum(['too_large', 'unreadable', 'pdf_encrypted', 'pdf_unreadable']),
    reason: z.string(),
  }),
]);

export type DecodeReply = z.infer<typeof decodeReplySchema>;

// Checks of what decoders send. Decoders import types only: loading zod would be a third of their start.
import { z } from 'zod';

const id = z.number().int();
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const pixels = z.number().int().positive();

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

import { z } from 'zod';

/** What the decoder process is asked: the bytes of one image, and the longest and shortest side it should come back with. */
export const decodeRequest = z.object({
  id: z.number().int(),
  bytes: z.instanceof(Uint8Array),
  longSide: z.number().int().positive(),
  /** smaller images are enlarged so that their longer side is this; 0 leaves them as they are */
  minLongSide: z.number().int().nonnegative(),
  maxPixels: z.number().int().positive(),
});

export type DecodeRequest = z.infer<typeof decodeRequest>;

export const decodeReply = z.discriminatedUnion('ok', [
  z.object({
    id: z.number().int(),
    ok: z.literal(true),
    width: z.number().int().positive(),
    height: z.number().int().positive(),
    /** size of the image as sent, after its EXIF orientation */
    fullWidth: z.number().int().positive(),
    fullHeight: z.number().int().positive(),
    data: z.instanceof(Uint8Array),
  }),
  z.object({ id: z.number().int(), ok: z.literal(false), tooLarge: z.boolean(), reason: z.string() }),
]);

export type DecodeReply = z.infer<typeof decodeReply>;

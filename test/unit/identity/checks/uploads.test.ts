import { TURNED_HEIC } from '../../../support/identity/heic';
import fc from 'fast-check';
import sharp from 'sharp';
import { AppError } from '../../../../domain/errors';
import type { ImageType } from '../../../../lib/files/identify';
import { checkUpload, UPLOAD_LIMITS } from '../../../../services/identity/checks/uploads';

const createImage = (width: number, height: number) =>
  sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
  });

const catchRejection = (body: Buffer | undefined): AppError => {
  try {
    checkUpload('frontImage', body);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The upload was taken.');
};

const encoded: { name: string; type: ImageType; body: Promise<Buffer> }[] = [
  { name: 'baseline JPEG', type: 'image/jpeg', body: createImage(64, 40).jpeg().toBuffer() },
  { name: 'progressive JPEG', type: 'image/jpeg', body: createImage(64, 40).jpeg({ progressive: true }).toBuffer() },
  { name: 'PNG', type: 'image/png', body: createImage(64, 40).png().toBuffer() },
  { name: 'lossy WebP', type: 'image/webp', body: createImage(64, 40).webp().toBuffer() },
  { name: 'lossless WebP', type: 'image/webp', body: createImage(64, 40).webp({ lossless: true }).toBuffer() },
];

describe.each(encoded)('a $name', ({ type, body }) => {
  test('is accepted with the type and size of its content', async () => {
    expect(checkUpload('frontImage', await body)).toMatchObject({ contentType: type });
  });

  test('is rejected wherever it is truncated', async () => {
    const whole = await body;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: whole.length - 3 }), (length) => {
        const { status, code, details } = catchRejection(whole.subarray(0, length));
        expect(['image_truncated', 'unsupported_media_type']).toContain(code);
        expect(status).toBe(code === 'image_truncated' ? 400 : 415);
        expect(details?.fields?.[0]?.field).toBe('frontImage');
      }),
      // Headers truncated in the middle of their dimensions.
      { examples: [[16], [17], [19], [21], [23], [25], [27], [29]] },
    );
  });

  test('is refused with data behind its end, and accepted with zero bytes', async () => {
    const extended = Buffer.concat([await body, Buffer.from('trailing data of a program')]);
    expect(catchRejection(extended)).toMatchObject({ status: 400, code: 'image_contains_other_data' });
    expect(checkUpload('frontImage', Buffer.concat([await body, Buffer.alloc(512)])).contentType).toBe(type);
  });
});

describe('an upload', () => {
  test('that is missing, empty, or text named .jpg is rejected with its field', () => {
    expect(catchRejection(undefined)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(catchRejection(Buffer.alloc(0))).toMatchObject({ status: 400, code: 'empty_file' });
    expect(catchRejection(Buffer.from('This is no picture.'))).toMatchObject({
      status: 415,
      code: 'unsupported_media_type',
    });
    expect(catchRejection(Buffer.from('%PDF-1.7'))).toMatchObject({ status: 415 });
  });

  test('over the size limit is rejected', () => {
    expect(catchRejection(Buffer.alloc(UPLOAD_LIMITS.maxBytes + 1))).toMatchObject({
      status: 413,
      code: 'file_too_large',
    });
  });

  test('with more than 50 megapixels is rejected by its header alone', async () => {
    const body = await createImage(64, 40).png().toBuffer();
    body.writeUInt32BE(10_000, 16);
    body.writeUInt32BE(6_000, 20);
    expect(catchRejection(body)).toMatchObject({ status: 413, code: 'image_too_large' });
    body.writeUInt32BE(30_000, 16);
    body.writeUInt32BE(1, 20);
    expect(catchRejection(body)).toMatchObject({ status: 413, code: 'image_too_large' });
  });

  test('in HEIC is accepted with its type, and rejected if its end is missing or it is AVIF', () => {
    expect(checkUpload('image', TURNED_HEIC).contentType).toBe('image/heic');
    const general = Buffer.from(TURNED_HEIC);
    general.write('mif1', 8, 'latin1');
    expect(checkUpload('image', general).contentType).toBe('image/heif');
    expect(catchRejection(TURNED_HEIC.subarray(0, -1))).toMatchObject({ status: 400, code: 'image_truncated' });
    const avif = Buffer.from(TURNED_HEIC);
    avif.write('avif', 8, 'latin1');
    expect(catchRejection(avif)).toMatchObject({ status: 415, code: 'unsupported_media_type' });
  });

  test('of arbitrary bytes is accepted or rejected, but never causes an internal error', () => {
    const start = fc.constantFrom(
      Buffer.from([0xff, 0xd8, 0xff]),
      TURNED_HEIC.subarray(0, 28),
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      Buffer.from('RIFF\x40\x00\x00\x00WEBPVP8 ', 'latin1'),
      Buffer.alloc(0),
    );
    fc.assert(
      fc.property(start, fc.uint8Array({ maxLength: 200 }), (head, tail) => {
        const body = Buffer.concat([head, tail]);
        try {
          checkUpload('image', body);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

import sharp from 'sharp';
import { identifyFile } from '../../../../lib/files/identify';
import { createAnimatedWebp, insertJpegSegment, JPEG_SEGMENT } from '../../../support/identity/crafted-files';
import { TURNED_HEIC } from '../../../support/identity/heic';

const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF\n');

const draw = (background = '#336699') => sharp({ create: { width: 48, height: 32, channels: 3, background } });
const findProblem = (bytes: Buffer) => identifyFile(bytes)?.problem;

function makeBox(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header.writeUInt32BE(content.length + 8, 0);
  header.write(type, 4, 'latin1');
  return Buffer.concat([header, content]);
}

/** Samsung's trailer: blocks of data and a directory with the distance and length of each. */
function makeSamsungTrailer(blocks: readonly Buffer[]): Buffer {
  const entries = blocks.map((block, index) => {
    const entry = Buffer.alloc(12);
    entry.writeUInt32LE(Buffer.concat(blocks.slice(index)).length, 4);
    entry.writeUInt32LE(block.length, 8);
    return entry;
  });
  const header = Buffer.alloc(12);
  header.write('SEFH', 0, 'latin1');
  header.writeUInt32LE(106, 4);
  header.writeUInt32LE(blocks.length, 8);
  const footer = Buffer.alloc(8);
  footer.writeUInt32LE(12 + 12 * blocks.length, 0);
  footer.write('SEFT', 4, 'latin1');
  return Buffer.concat([...blocks, header, ...entries, footer]);
}

function makePngChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.length + 12);
  chunk.writeUInt32BE(content.length, 0);
  chunk.write(type, 4, 'latin1');
  content.copy(chunk, 8);
  return chunk;
}

let jpeg: Buffer;
let png: Buffer;
let webp: Buffer;
beforeAll(async () => {
  [jpeg, png, webp] = await Promise.all([draw().jpeg().toBuffer(), draw().png().toBuffer(), draw().webp().toBuffer()]);
});

describe('an image that is a PDF too', () => {
  test.each([
    ['a JPEG with a PDF in a comment', () => insertJpegSegment(jpeg, JPEG_SEGMENT.comment, PDF)],
    [
      'a PNG with a PDF in a chunk',
      () => Buffer.concat([png.subarray(0, 33), makePngChunk('prVt', PDF), png.subarray(33)]),
    ],
    ['a HEIC with a PDF in a free box', () => Buffer.concat([TURNED_HEIC, makeBox('free', PDF)])],
  ])('is refused: %s', (_name, make) => {
    expect(findProblem(make())).toBe('contains_pdf');
  });

  test('is never a PDF: only white space may precede the signature', () => {
    expect(identifyFile(PDF)).toEqual({ type: 'application/pdf', problem: null });
    expect(identifyFile(Buffer.concat([Buffer.from('\ufeff\r\n'), PDF]))?.type).toBe('application/pdf');
    expect(identifyFile(Buffer.concat([Buffer.from('GIF89a'), PDF]))).toBeNull();
    expect(identifyFile(insertJpegSegment(jpeg, JPEG_SEGMENT.comment, PDF))?.type).toBe('image/jpeg');
  });
});

describe('data behind the end', () => {
  test('is refused in every format', () => {
    const archive = Buffer.from('PK\x03\x04 another file');
    expect([jpeg, png, webp, TURNED_HEIC].map((body) => findProblem(Buffer.concat([body, archive])))).toEqual(
      Array.from({ length: 4 }, () => 'data_after_end'),
    );
  });

  test('of a JPEG may be images that it declares, and only those', async () => {
    const gainMap = await draw('#101010').jpeg().toBuffer();
    const declared = insertJpegSegment(jpeg, JPEG_SEGMENT.multiPicture, 'MPF\0MM\0*');
    expect(findProblem(Buffer.concat([declared, Buffer.alloc(16), gainMap]))).toBeNull();
    expect(findProblem(Buffer.concat([declared, gainMap, Buffer.from('rest')]))).toBe('data_after_end');
    expect(findProblem(Buffer.concat([declared, gainMap.subarray(0, -20)]))).toBe('data_after_end');
    expect(findProblem(Buffer.concat([jpeg, gainMap]))).toBe('data_after_end');
  });

  test('of a JPEG may be the video of a motion photo that it declares', () => {
    const video = Buffer.concat([makeBox('ftyp', Buffer.from('mp42')), makeBox('mdat', Buffer.alloc(64, 7))]);
    const declared = insertJpegSegment(
      jpeg,
      JPEG_SEGMENT.xmp,
      'http://ns.adobe.com/xap/1.0/\0 GCamera:MotionPhoto="1"',
    );
    expect(findProblem(Buffer.concat([declared, video]))).toBeNull();
    expect(findProblem(Buffer.concat([declared, video, Buffer.from('rest of data')]))).toBe('data_after_end');
    expect(findProblem(Buffer.concat([jpeg, video]))).toBe('data_after_end');
  });

  test("of a JPEG may be Samsung's trailer if its directory accounts for every byte", async () => {
    const trailer = makeSamsungTrailer([Buffer.from('\0\0\x01\x0aImage_UTC_Data'), Buffer.from('\0\0MCC_Data 262')]);
    expect(findProblem(Buffer.concat([jpeg, trailer]))).toBeNull();
    const declared = insertJpegSegment(jpeg, JPEG_SEGMENT.multiPicture, 'MPF\0MM\0*');
    expect(findProblem(Buffer.concat([declared, await draw().jpeg().toBuffer(), trailer]))).toBeNull();
    expect(findProblem(Buffer.concat([jpeg, Buffer.from('hidden'), trailer]))).toBe('data_after_end');
    expect(findProblem(Buffer.concat([jpeg, makeSamsungTrailer([PDF])]))).toBe('contains_pdf');
  });
});

describe('an image of several frames', () => {
  test('is refused: WebP, PNG and HEIC', async () => {
    expect(findProblem(await createAnimatedWebp())).toBe('animated');
    const control = makePngChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]));
    expect(findProblem(Buffer.concat([png.subarray(0, 33), control, png.subarray(33)]))).toBe('animated');
    expect(findProblem(Buffer.concat([TURNED_HEIC, makeBox('moov', Buffer.alloc(16))]))).toBe('animated');
    const sequence = Buffer.from(TURNED_HEIC);
    sequence.write('hevc', 8, 'latin1');
    expect(findProblem(sequence)).toBe('animated');
  });
});

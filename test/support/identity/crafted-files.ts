import sharp from 'sharp';

/** Markers of JPEG segments. */
export const JPEG_SEGMENT = { comment: 0xfe, xmp: 0xe1, multiPicture: 0xe2 } as const;

/** Inserts a segment behind the first marker of a JPEG. */
export function insertJpegSegment(jpeg: Buffer, code: number, content: Buffer | string): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.from([0xff, code, 0, 0]);
  header.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), header, body, jpeg.subarray(2)]);
}

/** A WebP of two frames, each of its own colour. */
export const createAnimatedWebp = async (): Promise<Buffer> => {
  const frames = await Promise.all(
    ['#c02020', '#2020c0'].map((background) =>
      sharp({ create: { width: 32, height: 32, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .webp({ loop: 0 })
    .toBuffer();
};

const writeObjects = (objects: readonly (readonly (string | Buffer)[])[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...objects.flatMap((parts, index) => [
      Buffer.from(`${index + 1} 0 obj\n`),
      ...parts.map((part) => Buffer.from(part)),
      Buffer.from('\nendobj\n'),
    ]),
    Buffer.from('trailer\n<</Root 1 0 R>>\n%%EOF\n'),
  ]);

/** A PDF of one page, complete enough for any reader. */
function createPdf(content: string, width: number, height: number, picture: readonly (string | Buffer)[]): Buffer {
  const resources = picture.length === 0 ? '<<>>' : '<</XObject<</Im0 5 0 R>>>>';
  return writeObjects([
    ['<</Type/Catalog/Pages 2 0 R>>'],
    ['<</Type/Pages/Kids[3 0 R]/Count 1>>'],
    [`<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents 4 0 R/Resources${resources}>>`],
    [`<</Length ${content.length}>>stream\n${content}\nendstream`],
    ...(picture.length === 0 ? [] : [picture]),
  ]);
}

/** A PDF with the given picture on its only page. */
export const createPicturePdf = (jpeg: Buffer, width: number, height: number): Buffer =>
  createPdf(`q ${width} 0 0 ${height} 0 0 cm /Im0 Do Q`, width, height, [
    `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/DCTDecode/Length ${jpeg.length}>>stream\n`,
    jpeg,
    '\nendstream',
  ]);

/** A PDF with so many lines on its only page. */
export const createPathsPdf = (lines: number): Buffer => createPdf('0 0 m 9 9 l S\n'.repeat(lines), 200, 200, []);

/** A PDF whose text is so large that its place on the page is beyond the range of numbers. */
export const createBoundlessTextPdf = (): Buffer =>
  createPdf(`${'1000000000 0 0 1000000000 0 0 cm '.repeat(6)} BT /F1 12 Tf 50 50 Td (text) Tj ET`, 595, 842, []);

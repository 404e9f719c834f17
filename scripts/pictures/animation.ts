import sharp from 'sharp';

/** One picture of the animation and how long it is shown. */
export interface Frame {
  picture: Buffer;
  caption: string;
  milliseconds: number;
}

const WIDTH = 880;
const HEIGHT = 550;
const CAPTION_HEIGHT = 46;
const BACKGROUND = '#eef1f8';

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** The caption below a picture; fonts are those of the machine. */
const drawCaption = (text: string): Buffer =>
  Buffer.from(
    `<svg width="${WIDTH}" height="${CAPTION_HEIGHT}" xmlns="http://www.w3.org/2000/svg">
      <text x="${WIDTH / 2}" y="30" text-anchor="middle" font-family="sans-serif" font-size="20" fill="#1f2a44">${escapeText(text)}</text>
    </svg>`,
  );

async function drawFrame({ picture, caption }: Frame): Promise<Buffer> {
  const inner = await sharp(picture)
    .resize({ width: WIDTH - 40, height: HEIGHT - CAPTION_HEIGHT - 20, fit: 'inside' })
    .png()
    .toBuffer({ resolveWithObject: true });
  return sharp({ create: { width: WIDTH, height: HEIGHT, channels: 3, background: BACKGROUND } })
    .composite([
      { input: inner.data, top: 14, left: Math.round((WIDTH - inner.info.width) / 2) },
      { input: drawCaption(caption), top: HEIGHT - CAPTION_HEIGHT, left: 0 },
    ])
    .png()
    .toBuffer();
}

/** Joins pictures to an animated WebP that repeats for ever. */
export async function makeAnimation(frames: readonly Frame[]): Promise<Buffer> {
  const drawn: Buffer[] = [];
  for (const frame of frames) drawn.push(await drawFrame(frame));
  return sharp(drawn, { join: { animated: true } })
    .webp({ quality: 70, effort: 6, loop: 0, delay: frames.map(({ milliseconds }) => milliseconds) })
    .toBuffer();
}

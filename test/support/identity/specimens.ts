import path from 'node:path';
import sharp from 'sharp';
import { composeMrz } from '../../../domain/identity/documents/mrz/compose';
import type { MrzContent } from '../../../domain/identity/documents/mrz/compose';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';

const resolveFont = (weight: string): string =>
  path.join(path.dirname(require.resolve('@expo-google-fonts/noto-sans-mono/package.json')), weight);

/** Fonts of zones: OCR-B, which the standard requires, and the one of other print, which some cards use instead. */
const FONTS = {
  'noto-mono': { font: 'Noto Sans Mono Medium 40', fontfile: resolveFont('500Medium/NotoSansMono_500Medium.ttf') },
  'ocr-b': { font: 'OCRB 40', fontfile: path.join(path.dirname(require.resolve('bwip-js')), '../fonts/OCRB7.ttf') },
} as const;
type ZoneFont = keyof typeof FONTS;

/** Sizes in pixels at 300 dpi: cards (ID-1), ID-2 and passport pages (ID-3). */
const SIZES: Record<MrzFormat, [width: number, height: number]> = {
  TD1: [1012, 638],
  TD2: [1240, 874],
  TD3: [1476, 1039],
  MRVA: [1417, 945],
  MRVB: [1240, 874],
  IDFRA: [1240, 874],
};

async function renderLine(text: string, width: number, zoneFont: ZoneFont = 'noto-mono'): Promise<Buffer> {
  const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const rendered = await sharp({
    text: {
      text: `<span foreground="#181818">${escaped}</span>`,
      ...FONTS[zoneFont],
      rgba: true,
      dpi: 96,
    },
  })
    .png()
    .toBuffer();
  return sharp(rendered).resize({ width }).png().toBuffer();
}

export interface SpecimenCard {
  format: MrzFormat;
  content?: MrzContent;
  /** lines of the zone, instead of those composed of the content */
  lines?: string[];
  /** lines printed above the zone, as `caption` and `value` */
  printed?: [caption: string, value: string][];
  /** placed at the left; any size */
  portrait?: Buffer;
  /** @default noto-mono */
  zoneFont?: ZoneFont;
}

export interface Specimen {
  image: Buffer;
  lines: string[];
}

/** Draws a card, page or visa in the size of its zone format, as JPEG. For layouts other than passports. */
export async function drawSpecimen({
  format,
  content = {},
  lines = composeMrz(format, content),
  printed = [],
  portrait,
  zoneFont,
}: SpecimenCard): Promise<Specimen> {
  const [width, height] = SIZES[format];
  const pitch = Math.round(height * (format === 'TD1' ? 0.118 : 0.08));
  const margin = Math.round(width * 0.045);
  const layers: sharp.OverlayOptions[] = [];
  for (const [index, text] of lines.entries()) {
    const top = height - margin - (lines.length - index) * pitch;
    layers.push({ input: await renderLine(text, width - 2 * margin, zoneFont), left: margin, top });
  }
  const column = Math.round(width * 0.4);
  for (const [index, [caption, value]] of printed.entries()) {
    const top = margin + index * 78;
    layers.push({ input: await renderLine(caption, caption.length * 11), left: column, top });
    layers.push({ input: await renderLine(value, value.length * 19), left: column, top: top + 28 });
  }
  if (portrait !== undefined) {
    const size = { width: Math.round(width * 0.27), height: Math.round(height * 0.48) };
    layers.push({
      input: await sharp(portrait)
        .resize({ ...size, fit: 'cover' })
        .png()
        .toBuffer(),
      left: margin,
      top: margin,
    });
  }
  const page = sharp({ create: { width, height, channels: 3, background: '#dfe6ea' } });
  return { lines, image: await page.composite(layers).jpeg({ quality: 90 }).toBuffer() };
}

/** Simulates a photograph of an image: on a table, rotated, blurred and compressed. */
export async function simulatePhotograph(
  image: Buffer,
  { turn = 0, blur = 0, quality = 80, margin = 0 }: { turn?: number; blur?: number; quality?: number; margin?: number },
): Promise<Buffer> {
  const table = '#5c4a38';
  let photo = sharp(await sharp(image).rotate(turn, { background: table }).toBuffer());
  if (margin > 0) {
    photo = photo.extend({ top: margin, bottom: margin, left: margin, right: margin, background: table });
  }
  if (blur > 0) photo = photo.blur(blur);
  return photo.jpeg({ quality }).toBuffer();
}

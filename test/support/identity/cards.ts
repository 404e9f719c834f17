import { readFileSync } from 'node:fs';
import bwipjs from 'bwip-js';
import type { SpecimenPage } from '../../../scripts/demo/specimen';
import { composeMrz } from '../../../domain/identity/documents/mrz/compose';
import type { MrzContent } from '../../../domain/identity/documents/mrz/compose';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { composeAamva } from './aamva';
import type { AamvaSpecimen } from './aamva';

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const readMonospaceFont = (): string =>
  readFileSync(require.resolve('@expo-google-fonts/noto-sans-mono/500Medium/NotoSansMono_500Medium.ttf')).toString(
    'base64',
  );

const toJpegDataUrl = (image: Buffer): string => `data:image/jpeg;base64,${image.toString('base64')}`;

/** Sizes of the formats of ISO/IEC 7810 and ICAO 9303 in pixels at 330 dpi, with a surrounding table. */
const SIZES: Record<MrzFormat, [width: number, height: number]> = {
  TD1: [1112, 702],
  TD2: [1364, 961],
  TD3: [1624, 1143],
  MRVA: [1559, 1040],
  MRVB: [1364, 961],
  IDFRA: [1364, 961],
};
const TABLE_MARGIN = 60;

const STYLE = `
  * { box-sizing: border-box; margin: 0 }
  body { font-family: 'Noto Sans'; background: #7d6a55; padding: ${TABLE_MARGIN}px }
  .card { border-radius: 28px; position: relative; overflow: hidden; color: #1b2a3d; box-shadow: 0 4px 22px #0007 }
  .wave { position: absolute; inset: 0; width: 100%; height: 100%; opacity: .4 }
  h1 { position: absolute; left: 44px; top: 22px; right: 44px; font-size: 34px; letter-spacing: .05em; font-weight: 700 }
  .portrait { position: absolute; left: 44px; object-fit: cover; border-radius: 6px }
  .fields { position: absolute; right: 30px; display: grid; gap: 7px 26px; grid-template-columns: 1fr 1fr; align-content: start }
  dt { font-size: 16px; color: #4a5b73 } dd { font-size: 27px; font-weight: 600; line-height: 1.2 }
  .line { font-size: 28px; font-weight: 600; grid-column: 1 / -1 }
  .zone { position: absolute; left: 0; right: 0; bottom: 0; background: #f2f2ee; color: #111; white-space: pre; font-family: OCR }
  .barcode { position: absolute; left: 60px; right: 60px; top: 60px; background: #fff; padding: 18px 24px }
  .barcode img { width: 100%; display: block }
  small { position: absolute; left: 60px; right: 60px; bottom: 60px; font-size: 19px; line-height: 1.4 }
`;

function renderWaves(): string {
  const curve = (shift: number): string => {
    const points = Array.from({ length: 56 }, (_, step) => {
      const x = step * 20;
      return `${x},${(350 + 150 * Math.sin(x / 140 + shift) + 55 * Math.sin(x / 49 - shift)).toFixed(1)}`;
    });
    return `<polyline points="${points.join(' ')}" fill="none" stroke="#a8b49c" stroke-width="1.3"/>`;
  };
  const curves = Array.from({ length: 12 }, (_, index) => curve(index * 0.26)).join('');
  return `<svg class="wave" viewBox="0 0 1100 700" preserveAspectRatio="none">${curves}</svg>`;
}

const buildPage = (format: MrzFormat, body: string, tint: string): SpecimenPage => {
  const [width, height] = SIZES[format];
  const card = `width:${width}px;height:${height}px;background:linear-gradient(120deg,${tint},#eef0e4 60%,${tint})`;
  return {
    width: width + 2 * TABLE_MARGIN,
    height: height + 2 * TABLE_MARGIN,
    html: `<!doctype html><meta charset="utf-8"><style>@font-face { font-family: OCR; src: url(data:font/ttf;base64,${readMonospaceFont()}) }
    ${STYLE}</style><div class="card" style="${card}">${renderWaves()}${body}</div>`,
  };
};

/** A card, page or visa to draw. */
export interface CardSpecimen {
  format: MrzFormat;
  title: string;
  /** captions and values; the caption may be empty */
  fields?: [caption: string, value: string][];
  portrait?: Buffer;
  /** content of the machine-readable zone, if any */
  content?: MrzContent;
  /** zone lines to print instead of those composed from the content */
  lines?: string[];
  tint?: string;
}

function renderZone(format: MrzFormat, lines: readonly string[]): string {
  const [width] = SIZES[format];
  const size = format === 'TD1' ? 46 : 43;
  const pitch = (width - 120) / (lines[0]?.length ?? 1);
  const style = `font-size:${size}px;line-height:${Math.round(size * 1.5)}px;padding:26px 0 26px 60px;letter-spacing:calc(${pitch}px - .6em)`;
  return `<div class="zone" style="${style}">${lines.map(escapeHtml).join('\n')}</div>`;
}

/** One side of a document of any layout, with optional title, portrait, captioned print and zone. */
export function buildCardPage({
  format,
  title,
  fields = [],
  portrait,
  content,
  lines,
  tint = '#dfe7d8',
}: CardSpecimen): SpecimenPage {
  const [width, height] = SIZES[format];
  const zone = lines ?? (content === undefined ? [] : composeMrz(format, content));
  const top = 92;
  const photo = { width: Math.round(width * 0.25), height: Math.round(height * 0.47) };
  const entries = fields.map(([caption, value]) =>
    caption === ''
      ? `<div class="line">${escapeHtml(value)}</div>`
      : `<div><dt>${escapeHtml(caption)}</dt><dd>${escapeHtml(value)}</dd></div>`,
  );
  const left = portrait === undefined ? 60 : 44 + photo.width + 44;
  return buildPage(
    format,
    `<h1>${escapeHtml(title)}</h1>${
      portrait === undefined
        ? ''
        : `<img class="portrait" style="top:${top}px;width:${photo.width}px;height:${photo.height}px" src="${toJpegDataUrl(portrait)}">`
    }<div class="fields" style="top:${top}px;left:${left}px">${entries.join('')}</div>${zone.length === 0 ? '' : renderZone(format, zone)}`,
    tint,
  );
}

const formatUsDate = (iso: string): string => {
  const [year = '', month = '', day = ''] = iso.split('-');
  return `${month}/${day}/${year}`;
};

/** The front of a Californian licence; its print matches the data encoded by {@link composeAamva}. */
export function buildLicenceFront(portrait: Buffer, changes: Partial<Record<string, string>> = {}): SpecimenPage {
  const value = (name: string, otherwise: string): string => changes[name] ?? otherwise;
  return buildCardPage({
    format: 'TD1',
    title: value('title', 'CALIFORNIA USA DRIVER LICENSE'),
    portrait,
    tint: '#d8e2ee',
    fields: [
      ['', `DL ${value('number', 'Y4217906')}`],
      ['', `EXP ${formatUsDate(value('expiry', '2030-07-23'))}`],
      ['', `LN ${value('lastName', 'MARTINSDOTTER')}`],
      ['', `FN ${value('firstName', 'KLARA')}`],
      ['', '2415 1ST AVE'],
      ['', 'SACRAMENTO, CA 95818'],
      ['', `DOB ${formatUsDate(value('birth', '1991-07-23'))}`],
      ['', 'SEX F   HGT 5-04   EYES BRN'],
      ['', `ISS ${formatUsDate(value('issue', '2024-02-01'))}`],
    ],
  });
}

/** The front of a British licence: captions are numbers, and there is neither a zone nor a barcode. */
export const buildBritishLicence = (portrait: Buffer): SpecimenPage =>
  buildCardPage({
    format: 'TD1',
    title: 'DRIVING LICENCE UK',
    portrait,
    tint: '#e6d8e0',
    fields: [
      ['', '1. MARTINSDOTTER'],
      ['', '2. KLARA EMILIA'],
      ['', '3. 23.07.1991 UTOPIA'],
      ['', '4a. 11.01.2021   4c. DVLA'],
      ['', '4b. 10.01.2031'],
      ['', '5. MARTI957231KE9AB'],
      ['', '8. 14 LARKFIELD ROAD, LEEDS, LS6 2AB'],
    ],
  });

/** The front of a Californian licence whose captions are numbers, as altered licences print them. */
export const buildNumberedLicenceFront = (
  portrait: Buffer,
  { lastName = 'OKONKWO', firstName = 'ADAEZE', birth = '1978-02-02' } = {},
): SpecimenPage =>
  buildCardPage({
    format: 'TD1',
    title: 'CALIFORNIA USA DRIVER LICENSE',
    portrait,
    tint: '#d8e2ee',
    fields: [
      ['', '4d DL Y4217906'],
      ['', `4b EXP ${formatUsDate('2030-07-23')}`],
      ['', `1 ${lastName}`],
      ['', `2 ${firstName}`],
      ['', '8 2415 1ST AVE, SACRAMENTO, CA 95818'],
      ['', `3 DOB ${formatUsDate(birth)}`],
      ['', '15 SEX F'],
      ['', `4a ISS ${formatUsDate('2024-02-01')}`],
    ],
  });

/** A card of a library with the portrait and name of its holder. */
export const buildLibraryCard = (portrait: Buffer): SpecimenPage =>
  buildCardPage({
    format: 'TD1',
    title: 'ZENITH CITY LIBRARY',
    portrait,
    fields: [
      ['Name', 'KLARA MARTINSDOTTER'],
      ['Date of birth', '23.07.1991'],
      ['Card No.', '00412345'],
      ['Valid until', '10.01.2031'],
    ],
  });

/** The back of a licence with its PDF417 symbol. */
export async function buildLicenceBack(content: AamvaSpecimen | string = {}): Promise<SpecimenPage> {
  const text = typeof content === 'string' ? content : composeAamva(content);
  // The types of the package lack some options of this symbology.
  const options = { bcid: 'pdf417', text, columns: 13, eclevel: 4, scale: 3, rowmult: 3 };
  const symbol = Buffer.from(await bwipjs.toBuffer(options));
  return buildPage(
    'TD1',
    `<div class="barcode"><img src="data:image/png;base64,${symbol.toString('base64')}"></div>
    <small>CLASS C: any 2-axle vehicle with a gross vehicle weight rating of 26,000 lbs. or less. This licence is issued as a
    licence to drive a motor vehicle; it does not establish eligibility for employment or public benefits.</small>`,
    '#e6e3d6',
  );
}

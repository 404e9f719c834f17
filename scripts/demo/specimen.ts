import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser } from '../../activities/rendering/browser';
import { writeFontConfiguration } from '../../activities/rendering/fonts';
import { composeMrz } from '../../domain/identity/documents/mrz/compose';
import { MINUTE_MS } from '../../domain/durations';

/** The holder of a specimen document. Dates are `YYYY-MM-DD`. */
export interface Holder {
  surname: string;
  givenNames: string;
  /** ICAO 9303 code of issuing state and nationality; UTO is the fictional Utopia. */
  state: string;
  documentNumber: string;
  dateOfBirth: string;
  sex: 'F' | 'M';
  issueDate: string;
  expiryDate: string;
  placeOfBirth: string;
  /** Photo of the holder, in any format and size. */
  portrait: Buffer;
}

export interface SpecimenOptions {
  /** Path of Chromium, as for the rendering pool. */
  chromiumPath: string;
  sandbox?: boolean;
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const toMrzDate = (date: string): string => date.slice(2).replaceAll('-', '');
const formatPrintedDate = (date: string): string => {
  const [year, month, day] = date.split('-');
  return `${day ?? ''} ${MONTHS[Number(month) - 1] ?? ''} ${year ?? ''}`;
};
const toMrzName = ({ surname, givenNames }: Holder): string =>
  `${surname.replaceAll(/[ -]/g, '<')}<<${givenNames.replaceAll(/[ -]/g, '<')}`.toUpperCase();

const readMonospaceFont = (): string =>
  readFileSync(require.resolve('@expo-google-fonts/noto-sans-mono/500Medium/NotoSansMono_500Medium.ttf')).toString(
    'base64',
  );

const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const STYLE = `
  * { box-sizing: border-box; margin: 0 }
  body { font-family: 'Noto Sans'; background: #8a7a66; width: 1500px; height: 1120px; display: grid; place-items: center }
  .page { width: 1400px; height: 985px; border-radius: 26px; position: relative; overflow: hidden; color: #1d2a44;
    background: radial-gradient(circle at 75% 30%, #e8eef2 0, #dfe8e4 45%, #d9e2ea 100%); box-shadow: 0 6px 26px #0006 }
  .wave { position: absolute; inset: 0; opacity: .35 }
  header { position: absolute; left: 60px; top: 34px; right: 60px; display: flex; justify-content: space-between;
    font-size: 30px; font-weight: 700; letter-spacing: .08em }
  .portrait { position: absolute; left: 60px; top: 120px; width: 400px; height: 515px; object-fit: cover; border-radius: 8px }
  dl { position: absolute; left: 510px; top: 112px; right: 50px; display: grid; grid-template-columns: repeat(3, auto); gap: 13px 34px }
  dt { font-size: 16px; color: #51617c }
  dd { font-size: 29px; font-weight: 600 }
  .wide { grid-column: 1 / -1 }
  .zone { position: absolute; left: 0; right: 0; bottom: 0; height: 232px; background: #f4f4f0; padding: 50px 0 0 58px;
    font: 500 48px/72px OCR; letter-spacing: calc((1284px - 44 * .6em) / 44); white-space: pre; color: #111 }
`;

const renderField = (label: string, value: string, wide = false): string =>
  `<div${wide ? ' class="wide"' : ''}><dt>${label}</dt><dd>${escapeMarkup(value)}</dd></div>`;

/** Fine curves behind the text, as on real documents. */
function renderGuilloche(): string {
  const curve = (shift: number): string => {
    const points = Array.from({ length: 71 }, (_, step) => {
      const x = step * 20;
      return `${x},${(380 + 130 * Math.sin(x / 160 + shift) + 60 * Math.sin(x / 57 - shift)).toFixed(1)}`;
    });
    return `<polyline points="${points.join(' ')}" fill="none" stroke="#9fb3c0" stroke-width="1.2"/>`;
  };
  const curves = Array.from({ length: 14 }, (_, index) => curve(index * 0.22)).join('');
  return `<svg class="wave" viewBox="0 0 1400 760" preserveAspectRatio="none">${curves}</svg>`;
}

function renderPassportHtml(holder: Holder): string {
  const lines = composeMrz('TD3', {
    documentCode: 'P',
    issuingState: holder.state,
    name: toMrzName(holder),
    documentNumber: holder.documentNumber,
    nationality: holder.state,
    dateOfBirth: toMrzDate(holder.dateOfBirth),
    sex: holder.sex,
    expiryDate: toMrzDate(holder.expiryDate),
  });
  const portrait = `data:image/jpeg;base64,${holder.portrait.toString('base64')}`;
  const fields = [
    renderField('Type', 'P'),
    renderField('Code of issuing state', holder.state),
    renderField('Passport No.', holder.documentNumber),
    renderField('Surname', holder.surname.toUpperCase(), true),
    renderField('Given names', holder.givenNames.toUpperCase(), true),
    renderField('Nationality', 'UTOPIAN', true),
    renderField('Date of birth', formatPrintedDate(holder.dateOfBirth)),
    renderField('Sex', holder.sex),
    renderField('Place of birth', holder.placeOfBirth.toUpperCase()),
    renderField('Date of issue', formatPrintedDate(holder.issueDate)),
    renderField('Date of expiry', formatPrintedDate(holder.expiryDate), false),
    renderField('Authority', 'PASSPORT OFFICE'),
  ];
  return `<!doctype html><meta charset="utf-8"><style>
  @font-face { font-family: OCR; src: url(data:font/ttf;base64,${readMonospaceFont()}) }${STYLE}</style>
  <div class="page">${renderGuilloche()}<header><span>UTOPIA</span><span>PASSPORT · SPECIMEN</span></header>
  <img class="portrait" src="${portrait}"><dl>${fields.join('')}</dl>
  <div class="zone">${lines.map(escapeMarkup).join('\n')}</div></div>`;
}

/** A page to render: its HTML, and the size of the image in pixels. */
export interface SpecimenPage {
  html: string;
  width: number;
  height: number;
}

/** Renders pages as photos: JPEG of quality 90. */
export async function photographPages(pages: readonly SpecimenPage[], options: SpecimenOptions): Promise<Buffer[]> {
  const home = await mkdtemp(path.join(tmpdir(), 'vouch-specimen-'));
  const browser = await launchBrowser({
    executablePath: options.chromiumPath,
    fontConfiguration: await writeFontConfiguration(home),
    workFolder: home,
    sandbox: options.sandbox ?? process.env['CHROMIUM_SANDBOX'] !== 'false',
    responseTimeoutMs: MINUTE_MS,
  });
  try {
    const page = await browser.newPage();
    const images: Buffer[] = [];
    for (const { html, width, height } of pages) {
      await page.setViewport({ width, height });
      await page.setContent(html, { waitUntil: 'load' });
      await page.evaluate('document.fonts.ready');
      images.push(Buffer.from(await page.screenshot({ type: 'jpeg', quality: 90 })));
    }
    return images;
  } finally {
    await browser.close();
    await rm(home, { recursive: true, force: true });
  }
}

/**
 * Renders specimen passports (TD3) of the fictional state of Utopia as photos: JPEG, 1500×1120. The demonstration, the
 * benchmarks and the tests use them, so that no real document is needed.
 */
export const makePassports = (holders: readonly Holder[], options: SpecimenOptions): Promise<Buffer[]> =>
  photographPages(
    holders.map((holder) => ({ html: renderPassportHtml(holder), width: 1500, height: 1120 })),
    options,
  );

import { dirname, join } from 'node:path';
import { distance } from 'fastest-levenshtein';
import sharp from 'sharp';
import { Networks } from '../../activities/vision/inference/networks';
import { LETTER_SIZE } from '../../activities/vision/engine';
import type { Raster } from '../../activities/vision/imaging/raster';
import { SCRIPT_TIME_MS, readOtherScript } from '../../activities/vision/scripts/read-script';
import type { RecognisedLine } from '../../activities/vision/text/line-reader';
import { LETTER_TEXT, detectPageText, readText } from '../../activities/vision/text/page';
import type { BenchmarkOptions } from '../benchmark';
import { report, roundTo } from '../report';
import { OWN_SCRIPT_TEXTS, SCRIPT_TEXTS } from './script-texts';
import type { ScriptText } from './script-texts';

/** How a page is taken: as drawn, as a scan, and as a photograph at an angle or upside down. */
const CAPTURES = [
  { name: 'drawn', angle: 0, blur: 0, quality: 95, width: 1400 },
  { name: 'scan', angle: 0, blur: 0.6, quality: 60, width: 1100 },
  { name: 'photograph', angle: 3, blur: 0.8, quality: 60, width: 1400 },
  { name: 'upside down', angle: 180, blur: 0.6, quality: 75, width: 1400 },
] as const;

type Capture = (typeof CAPTURES)[number];

/** Black text on white, one line below the other. */
async function drawText({ font, family, lines }: ScriptText): Promise<Buffer> {
  const folder = dirname(require.resolve(`@expo-google-fonts/${font}/package.json`));
  const fontfile = join(folder, '400Regular', `${family.replaceAll(' ', '')}_400Regular.ttf`);
  const drawn = sharp({ text: { text: lines.join('\n'), font: `${family} 26`, fontfile, dpi: 96, spacing: 26 } });
  const black = await drawn.flatten({ background: 'black' }).negate().png().toBuffer();
  return sharp(black).extend({ top: 90, bottom: 90, left: 90, right: 90, background: 'white' }).png().toBuffer();
}

async function capturePage(page: Buffer, { angle, blur, quality, width }: Capture): Promise<Raster> {
  const resized = await sharp(page).resize({ width }).png().toBuffer();
  const turned = sharp(resized).rotate(angle, { background: 'white' });
  const taken = await (blur === 0 ? turned : turned.blur(blur)).jpeg({ quality }).toBuffer();
  const { data, info } = await sharp(taken)
    .resize({ width: LETTER_SIZE.longSide, height: LETTER_SIZE.longSide, fit: 'inside', withoutEnlargement: true })
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

const normalise = (text: string): string => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();

/** The lines of a page from top to bottom. */
const joinRead = (read: readonly RecognisedLine[]): string =>
  normalise(
    read
      .toSorted((a, b) => a.y - b.y)
      .map(({ text }) => text)
      .join(' '),
  );

const computeErrorRate = (read: readonly RecognisedLine[], lines: readonly string[]): number => {
  const expected = normalise(lines.join(' '));
  return Math.min(1, distance(joinRead(read), expected) / expected.length);
};

const mean = (values: readonly number[]): number =>
  roundTo((100 * values.reduce((sum, value) => sum + value, 0)) / values.length, 1);

/** Character error rates of both recognisers on drawn pages in each script, and what the detection of scripts decides. */
export async function benchScripts({ rows, modelsDir }: BenchmarkOptions): Promise<void> {
  const networks = await Networks.load(modelsDir);
  for (const text of [...SCRIPT_TEXTS, ...OWN_SCRIPT_TEXTS]) {
    const [own, other, models, times]: [number[], number[], string[], number[]] = [[], [], [], []];
    const drawn = await drawText(text);
    for (const capture of CAPTURES) {
      const raster = await capturePage(drawn, capture);
      const detected = await detectPageText(networks, raster, LETTER_TEXT);
      const page = await readText(networks, detected);
      const before = process.cpuUsage();
      const read = await readOtherScript(networks, detected, page, performance.now() + 4 * SCRIPT_TIME_MS);
      const { user, system } = process.cpuUsage(before);
      own.push(computeErrorRate(page.read, text.lines));
      other.push(computeErrorRate(read?.read ?? page.read, text.lines));
      models.push(read?.model.name.split(' ')[1] ?? 'none');
      times.push((user + system) / 1000);
      if (rows) console.log(JSON.stringify({ ...capture, text: joinRead(read?.read ?? page.read) }));
    }
    report(`scripts: ${text.language}`, {
      'text recogniser, errors %': mean(own),
      'both recognisers, errors %': mean(other),
      'by capture, errors %': CAPTURES.map(({ name }, index) => `${name} ${mean([other[index] ?? 1])}`).join(', '),
      data: models.join(' '),
      'tesseract, processor ms': Math.round(times.reduce((sum, time) => sum + time, 0) / times.length),
    });
  }
  await networks.release();
}

import {
  detectMrzFormat,
  isPossibleLineLength,
  MRZ_LAYOUTS,
  buildPositionAlphabets,
  listToleratedCharacters,
} from '../../../domain/identity/documents/mrz/format';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { computePlausibility } from '../../../domain/identity/documents/mrz/repair';
import type { Networks } from '../inference/networks';
import { removeBackground } from '../imaging/background';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { TextLine } from '../text/detector';
import { decodeForced, foldDictionary, foldEmissions } from '../text/forced-decoding';
import type { ForcedReading, ZoneEmissions } from '../text/forced-decoding';
import type { RecognisedLine } from '../text/line-reader';
import { extractLineStrip, recognise } from '../text/recogniser';
import { extendRow, groupRows } from './mrz-rows';
import type { RowGroup } from './mrz-rows';
import { resolveReadings } from './zone-reading';
import type { ZoneReading } from './zone-reading';

export interface DetectedZone extends ZoneReading {
  rows: TextLine[];
  /** lines of the page that belong to the zone instead of the printed fields */
  parts: RecognisedLine[];
}

/** Strip width per character: enough time steps to separate repeated characters, few enough to be fast. */
const PIXELS_PER_CHARACTER = 28;
const MAX_GROUPS = 4;

interface StripView {
  /** height of the strip relative to the row */
  grow: number;
  clean: boolean;
}

const FIRST_VIEW: StripView = { grow: 1.05, clean: false };
const FURTHER_VIEWS: readonly StripView[] = [
  { grow: 1.3, clean: false },
  { grow: 1.1, clean: true },
  { grow: 0.85, clean: false },
];

/** Reads machine-readable zones. */
export class MrzReader {
  private readonly foldTable: Int16Array;

  constructor(private readonly networks: Networks) {
    this.foldTable = foldDictionary(networks.dictionary);
  }

  /**
   * Finds and reads the machine-readable zone among the lines of an upright page.
   *
   * @param today YYYY-MM-DD
   */
  async read(image: ImagePyramid, lines: readonly RecognisedLine[], today: string): Promise<DetectedZone | null> {
    let best: DetectedZone | null = null;
    for (const group of groupRows(lines).slice(0, MAX_GROUPS)) {
      const zone = await this.readGroup(image, group, today);
      if (zone !== null && (best === null || zone.plausibility > best.plausibility)) best = zone;
      if (best !== null && best.parsed.valid && !best.repaired && isLegible(best)) break;
    }
    // Random text matches some check digits and a state code by chance, so a zone requires more.
    return best !== null && best.plausibility >= 2.5 ? best : null;
  }

  private async recogniseRow(
    image: ImagePyramid,
    row: TextLine,
    characters: number,
    { grow, clean }: StripView,
  ): Promise<ZoneEmissions> {
    const width = Math.round((characters * PIXELS_PER_CHARACTER) / 8) * 8;
    const strip = extractLineStrip(image, { ...row, height: row.height * grow }, width);
    return foldEmissions(await recognise(this.networks, clean ? removeBackground(strip) : strip), this.foldTable);
  }

  private async readGroup(image: ImagePyramid, group: RowGroup, today: string): Promise<DetectedZone | null> {
    const lengths = group.rows.length === 3 ? [30] : guessLineLengths(group);
    let rows = group.rows;
    const views: ZoneEmissions[] = [];
    for (const row of rows) views.push(await this.recogniseRow(image, row, Math.max(...lengths), FIRST_VIEW));
    const first = selectBest(lengths.flatMap((length) => interpretZone(views, length, today)));
    if (first === null) return null;
    const toFoundZone = (zone: ZoneReading): DetectedZone => ({ ...zone, rows, parts: group.parts });
    if (first.zone.parsed.valid && isCertain(first.zone)) return toFoundZone(first.zone);

    const { format } = first.zone.parsed;
    const { lineLength } = MRZ_LAYOUTS[format];
    const readings = [first.readings];
    const fitted = fitRows(rows, first.readings);
    if (fitted !== null) {
      rows = fitted;
      // The first reading was of truncated lines and is discarded.
      readings.length = 0;
    }
    for (const view of fitted === null ? FURTHER_VIEWS : [FIRST_VIEW, ...FURTHER_VIEWS]) {
      const next: ZoneEmissions[] = [];
      for (const row of rows) next.push(await this.recogniseRow(image, row, lineLength, view));
      const reading = decodeLines(next, format);
      if (reading !== null) readings.push(reading);
      const zone = resolveReadings(readings, format, today, false);
      if (zone?.parsed.valid && (isCertain(zone) || (readings.length > 1 && isLegible(zone)))) return toFoundZone(zone);
    }
    const last = resolveReadings(readings, format, today, true);
    return toFoundZone(last !== null && last.plausibility >= first.zone.plausibility ? last : first.zone);
  }
}

interface Interpretation {
  zone: ZoneReading;
  readings: ForcedReading[];
}

/** Names have no check digit, so a low confidence there requires another reading. */
function isCertain({ confidences }: ZoneReading): boolean {
  return confidences.every((line) => line.every((confidence) => confidence >= 0.6));
}

/** Mean confidence of the characters other than fillers below which check digits may verify by chance. */
const MIN_LEGIBLE_CONFIDENCE = 0.7;

/** Whether a zone is read clearly enough to end the search for a better reading. */
export function isLegible({ parsed, confidences }: Pick<ZoneReading, 'parsed' | 'confidences'>): boolean {
  const values = parsed.lines.flatMap((line, row) =>
    [...line].flatMap((character, at) => (character === '<' ? [] : [confidences[row]?.[at] ?? 0])),
  );
  return values.reduce((sum, value) => sum + value, 0) >= MIN_LEGIBLE_CONFIDENCE * values.length;
}

/** Estimates characters per line: TD3 lines are 17.6 times as long as their spacing, TD2 lines 14.4 times. */
function guessLineLengths({ rows, spacing }: RowGroup): number[] {
  const ratio = (rows[0]?.length ?? 0) / Math.max(1, spacing);
  return ratio > 19 || ratio < 11 ? [44, 36] : ratio > 16 ? [44, 36] : [36, 44];
}

function decodeLines(views: readonly ZoneEmissions[], format: MrzFormat): ForcedReading[] | null {
  const tolerated = listToleratedCharacters(format);
  const alphabets = buildPositionAlphabets(format).map((line, index) =>
    line.map((allowed, position) => ({ allowed, tolerated: tolerated[index]?.[position] ?? '' })),
  );
  const readings: ForcedReading[] = [];
  for (const [index, view] of views.entries()) {
    const reading = decodeForced(view, alphabets[index] ?? []);
    if (reading === null) return null;
    readings.push(reading);
  }
  return readings;
}

/** Reads the lines by the layout of this line length that the first character allows. */
function interpretZone(views: readonly ZoneEmissions[], lineLength: number, today: string): Interpretation[] {
  const guess = detectMrzFormat('P', views.length, lineLength);
  if (guess === null) return [];
  const first = decodeLines(views, guess);
  const letter = first?.[0]?.text.charAt(0) ?? '';
  if (views.length === 2 && !isPossibleLineLength(letter, lineLength)) return [];
  const format = detectMrzFormat(letter, views.length, lineLength);
  const readings = format === guess || format === null ? first : decodeLines(views, format);
  const zone = readings && format && resolveReadings([readings], format, today, false);
  return zone ? [{ zone, readings }] : [];
}

function selectBest(found: readonly Interpretation[]): Interpretation | null {
  const score = ({ zone, readings }: Interpretation): number =>
    computePlausibility(zone.parsed) + readings.reduce((sum, reading) => sum + reading.score, 0) / readings.length;
  return found.reduce<Interpretation | null>((best, next) => (best && score(best) >= score(next) ? best : next), null);
}

/** Minimum confidence of characters whose positions are used to fit the rows. */
const MIN_FIT_CONFIDENCE = 0.8;

/**
 * Corrects the start and end of the rows if the strips were too short or too long, by a least-squares fit of the
 * positions of reliable characters against their index. Null if the rows already fit.
 */
function fitRows(rows: readonly TextLine[], readings: readonly ForcedReading[]): TextLine[] | null {
  let [count, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0];
  for (const { text, confidences, at } of readings) {
    [...text].forEach((character, index) => {
      if (character === '<' || (confidences[index] ?? 0) < MIN_FIT_CONFIDENCE) return;
      const position = at[index] ?? 0;
      count += 1;
      sx += index;
      sy += position;
      sxx += index * index;
      sxy += index * position;
    });
  }
  const length = readings[0]?.text.length ?? 0;
  const spread = count * sxx - sx * sx;
  if (count < 12 || spread === 0) return null;
  const pitch = (count * sxy - sx * sy) / spread;
  const origin = (sy - pitch * sx) / count;
  const start = origin - pitch;
  const end = origin + pitch * length;
  if (pitch <= 0 || start < -0.4 || end > 1.6) return null;
  if (Math.abs(start) < 0.6 * pitch && Math.abs(end - 1) < 0.6 * pitch) return null;
  return rows.map((row) => extendRow(row, start, end));
}

import {
  detectMrzFormat,
  isPossibleLineLength,
  MRZ_LAYOUTS,
  buildPositionAlphabets,
  listToleratedCharacters,
} from '../../../domain/identity/documents/mrz/format';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { isVerifiedZone } from '../../../domain/identity/documents/mrz/verification';
import { computePlausibility } from '../../../domain/identity/documents/mrz/repair';
import type { Networks } from '../inference/networks';
import { removeBackground } from '../imaging/background';
import type { ImagePyramid } from '../imaging/image-pyramid';
import type { TextLine } from '../text/detector';
import { decodeForced, foldDictionary, foldEmissions } from '../text/forced-decoding';
import type { ForcedReading, ZoneEmissions } from '../text/forced-decoding';
import type { RecognisedLine } from '../text/line-reader';
import { extractLineStrip, recognise } from '../text/recogniser';
import { extractZoneStrip, recogniseZoneLine } from '../text/zone-line';
import { extendRow, groupRows } from './mrz-rows';
import type { RowGroup } from './mrz-rows';
import { applySecondOpinion, listRowCharacters } from './second-opinion';
import { resolveReadings } from './zone-reading';
import type { ZoneReading } from './zone-reading';

export interface DetectedZone extends ZoneReading {
  rows: TextLine[];
  /** lines of the page that belong to the zone instead of the printed fields */
  parts: RecognisedLine[];
}

/** Strip width per character for the text recogniser: enough steps to separate repeated characters, few enough to be fast. */
const PIXELS_PER_CHARACTER = 20;

/** Width of the strip of a row for the text recogniser, pixels. */
export const computeRowWidth = (characters: number): number => Math.round((characters * PIXELS_PER_CHARACTER) / 8) * 8;
const MAX_GROUPS = 4;

/**
 * Least plausibility (`computePlausibility`) of a zone. Without a verified check digit, states, dates and a name add up to
 * at most 1.75, and random text matches some digits by chance as well: a zone needs check digits beyond both.
 */
const MIN_PLAUSIBILITY = 2.5;

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

/** Reads the emissions of one row of a zone. */
type RowRecogniser = (row: TextLine, characters: number, view: StripView) => Promise<ZoneEmissions>;

/** Reads machine-readable zones: first with the recogniser for zones, then with the text recogniser. */
export class MrzReader {
  private readonly foldTable: Int16Array;
  /** Zones by the rows and the text that they were read from, since a page may be searched again with more lines. */
  private readonly known = new Map<string, DetectedZone | null>();

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
      const zone = await this.readGroupOnce(image, group, today);
      if (zone !== null && (best === null || zone.plausibility > best.plausibility)) best = zone;
      if (best !== null && best.parsed.valid && !best.repaired && isLegible(best)) break;
    }
    return best !== null && best.plausibility >= MIN_PLAUSIBILITY ? best : null;
  }

  /** The recogniser for zones, which takes about a twentieth of the time of the text recogniser. */
  private recogniseZoneRow =
    (image: ImagePyramid): RowRecogniser =>
    (row, characters, { grow, clean }) => {
      const strip = extractZoneStrip(image, { ...row, height: row.height * grow }, characters);
      return recogniseZoneLine(this.networks, clean ? removeBackground(strip) : strip);
    };

  /** The text recogniser, as second opinion. */
  private recogniseTextRow =
    (image: ImagePyramid): RowRecogniser =>
    async (row, characters, { grow, clean }) => {
      const strip = extractLineStrip(image, { ...row, height: row.height * grow }, computeRowWidth(characters));
      return foldEmissions(await recognise(this.networks, clean ? removeBackground(strip) : strip), this.foldTable);
    };

  /** Reads a group with the recogniser for zones, again with fitted rows if that makes the zone more plausible. */
  private async interpretGroup(
    image: ImagePyramid,
    group: RowGroup,
    today: string,
  ): Promise<{ rows: TextLine[]; first: Interpretation } | null> {
    const lengths = group.rows.length === 3 ? [30] : guessLineLengths(group);
    const recogniseRow = this.recogniseZoneRow(image);
    const found = await interpretRows(group.rows, recogniseRow, lengths, today);
    const rows = found && fitRows(group.rows, found.readings);
    if (found === null || rows === null) return found && { rows: group.rows, first: found };
    const { lineLength } = MRZ_LAYOUTS[found.zone.parsed.format];
    const fitted = await interpretRows(rows, recogniseRow, [lineLength], today);
    return fitted !== null && fitted.zone.plausibility >= found.zone.plausibility
      ? { rows, first: fitted }
      : { rows: group.rows, first: found };
  }

  private async readGroupOnce(image: ImagePyramid, group: RowGroup, today: string): Promise<DetectedZone | null> {
    const key = JSON.stringify([group.rows, group.parts.map(({ text }) => text)]);
    const known = this.known.get(key);
    const zone = known === undefined ? await this.readGroup(image, group, today) : known;
    this.known.set(key, zone);
    return zone && { ...zone, parts: group.parts };
  }

  private async readGroup(image: ImagePyramid, group: RowGroup, today: string): Promise<DetectedZone | null> {
    const interpreted = await this.interpretGroup(image, group, today);
    if (interpreted === null) return null;
    const { rows, first } = interpreted;
    const { format } = first.zone.parsed;
    const { lineLength } = MRZ_LAYOUTS[format];
    const toFoundZone = (zone: ZoneReading): DetectedZone => ({ ...zone, rows, parts: group.parts });

    const { readings, isConfirmedByPage } = this.compareWithPage(rows, first, group.parts);
    const compared = resolveReadings([readings], format, today, false);
    if (isConfirmedByPage && compared?.parsed.valid && isCertain(compared)) return toFoundZone(compared);
    const all = [first.readings];
    const addReading = async (recogniseRow: RowRecogniser, view: StripView): Promise<void> => {
      const views: ZoneEmissions[] = [];
      for (const row of rows) views.push(await recogniseRow(row, lineLength, view));
      const reading = decodeLines(views, format);
      if (reading !== null) all.push(reading);
    };
    // As many readings of each recogniser, so that where they differ the more certain one decides.
    for (const view of [FIRST_VIEW, ...FURTHER_VIEWS]) {
      if (view !== FIRST_VIEW) await addReading(this.recogniseZoneRow(image), view);
      await addReading(this.recogniseTextRow(image), view);
      const zone = resolveReadings(all, format, today, false);
      if (zone?.parsed.valid && isCertain(zone) && isLegible(zone)) return toFoundZone(zone);
      // What every reading agrees on is printed so: further views would only cost time.
      if (zone !== null && isUnanimous(all, zone)) break;
    }
    const last = resolveReadings(all, format, today, true);
    return toFoundZone(last !== null && last.plausibility >= first.zone.plausibility ? last : first.zone);
  }

  /** Lowers the confidence of characters that the text recogniser read differently on the page. */
  private compareWithPage(
    rows: readonly TextLine[],
    { readings, zone }: Interpretation,
    parts: readonly RecognisedLine[],
  ): { readings: ForcedReading[]; isConfirmedByPage: boolean } {
    const alphabets = buildPositionAlphabets(zone.parsed.format);
    const compared = readings.map((reading, index) => {
      const row = rows[index];
      const opinion = row === undefined ? [] : listRowCharacters(row, parts, this.foldTable);
      return applySecondOpinion(reading, opinion, alphabets[index] ?? []);
    });
    return {
      readings: compared.map(({ reading }) => reading),
      isConfirmedByPage: compared.every(({ isConfirmedByPage }) => isConfirmedByPage),
    };
  }
}

interface Interpretation {
  zone: ZoneReading;
  readings: ForcedReading[];
}

/**
 * Confidence of each character from which a verified zone needs no other reading: more than characters keep that the
 * recognisers read differently (`DISPUTED` in second-opinion.ts).
 */
const MIN_CERTAIN_CONFIDENCE = 0.6;

/** Names have no check digit, so a low confidence there requires another reading. */
function isCertain({ confidences }: ZoneReading): boolean {
  return confidences.every((line) => line.every((confidence) => confidence >= MIN_CERTAIN_CONFIDENCE));
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

/** Whether all readings of a legible zone are the same. */
function isUnanimous(all: readonly (readonly ForcedReading[])[], zone: ZoneReading): boolean {
  const [first, ...others] = all.map((readings) => readings.map(({ text }) => text).join());
  return isLegible(zone) && others.every((text) => text === first);
}

/**
 * Length of a line in relation to the spacing of its lines: 17.6 in TD3 (44 characters), 14.4 in TD2 (36 characters). The
 * upper limit of TD2 lies midway between the two; below the lower one, the row was not found whole.
 */
const MAX_TD2_RATIO = 16;
const MIN_TD2_RATIO = 11;

/** Characters per line, the more likely first: TD3, which is far more frequent, unless the ratio is that of TD2. */
function guessLineLengths({ rows, spacing }: RowGroup): number[] {
  const ratio = (rows[0]?.length ?? 0) / Math.max(1, spacing);
  return ratio >= MIN_TD2_RATIO && ratio <= MAX_TD2_RATIO ? [36, 44] : [44, 36];
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

/** Reads rows as lines of the most plausible of these lengths. */
async function interpretRows(
  rows: readonly TextLine[],
  recogniseRow: RowRecogniser,
  lengths: readonly number[],
  today: string,
): Promise<Interpretation | null> {
  const found: Interpretation[] = [];
  // The recogniser for zones expects strips of its usual pitch, so each length has its own.
  for (const length of lengths) {
    const views: ZoneEmissions[] = [];
    for (const row of rows) views.push(await recogniseRow(row, length, FIRST_VIEW));
    found.push(...interpretZone(views, length, today));
    // Rows of another length do not verify, so that the less likely ones are tried only where none does.
    if (found.some(({ zone }) => isVerifiedZone(zone.parsed) && isLegible(zone))) break;
  }
  return selectBest(found);
}

/** Reads the lines by the layout of this line length that the beginning of the first line allows. */
function interpretZone(views: readonly ZoneEmissions[], lineLength: number, today: string): Interpretation[] {
  const guess = detectMrzFormat('P', views.length, lineLength);
  if (guess === null) return [];
  const first = decodeLines(views, guess);
  const beginning = first?.[0]?.text ?? '';
  if (views.length === 2 && !isPossibleLineLength(beginning.charAt(0), lineLength)) return [];
  const format = detectMrzFormat(beginning, views.length, lineLength);
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
/** Fewest such characters: about a third of the shortest zone's row; fewer leave pitch and origin to chance. */
const MIN_FIT_CHARACTERS = 12;
/**
 * Earliest start and latest end of a fitted line, as shares of the row: a fit beyond them extrapolates too far to be
 * trusted.
 */
const MIN_FIT_START = -0.4;
const MAX_FIT_END = 1.6;
/** Shift of an end, in characters, up to which a row counts as fitting. */
const MAX_SHIFT = 0.6;

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
  if (count < MIN_FIT_CHARACTERS || spread === 0) return null;
  const pitch = (count * sxy - sx * sy) / spread;
  const origin = (sy - pitch * sx) / count;
  const start = origin - pitch;
  const end = origin + pitch * length;
  if (pitch <= 0 || start < MIN_FIT_START || end > MAX_FIT_END) return null;
  if (Math.abs(start) < MAX_SHIFT * pitch && Math.abs(end - 1) < MAX_SHIFT * pitch) return null;
  return rows.map((row) => extendRow(row, start, end));
}

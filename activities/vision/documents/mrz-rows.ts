import type { TextLine } from '../text/detector';
import type { RecognisedLine } from '../text/line-reader';

/** Rows of one machine-readable zone, from top to bottom, with the same direction, start and length. */
export interface RowGroup {
  rows: TextLine[];
  /** lines of the page that the rows were built from */
  parts: RecognisedLine[];
  /** distance between rows, pixels */
  spacing: number;
}

const ZONE_TEXT = /[A-Z0-9<«‹^∧〈＜く]/g;

/** Share of the non-space characters that are allowed in a machine-readable zone. */
function computeZoneShare(text: string): number {
  const dense = text.replace(/\s/g, '');
  return dense.length === 0 ? 0 : (dense.match(ZONE_TEXT)?.length ?? 0) / dense.length;
}

const countFillers = (text: string): number => text.match(/[<«‹^∧〈＜く]/g)?.length ?? 0;

const countDigits = (text: string): number => text.match(/[0-9]/g)?.length ?? 0;

/** Whether a line, or a part of one, looks like a zone by itself. Capitals alone may be any title. */
export function isZoneLike({ text }: Pick<RecognisedLine, 'text'>): boolean {
  const dense = text.replace(/\s/g, '');
  if (computeZoneShare(text) < 0.85) return false;
  return (
    (countFillers(dense) >= 2 && dense.length >= 5) ||
    (dense.length >= 24 && (countFillers(dense) > 0 || countDigits(dense) >= 8))
  );
}

/** Whether a line may belong to a zone next to zone-like lines. The line of dates on a card has no reliable filler. */
function isZoneNeighbour({ text }: RecognisedLine): boolean {
  const dense = text.replace(/\s/g, '');
  return computeZoneShare(text) >= 0.85 && dense.length >= 12 && (countDigits(dense) >= 6 || countFillers(dense) > 0);
}

interface Axis {
  cos: number;
  sin: number;
}

const projectAlong = ({ cos, sin }: Axis, line: TextLine): number => line.x * cos + line.y * sin;
const projectAcross = ({ cos, sin }: Axis, line: TextLine): number => line.y * cos - line.x * sin;

function computeAxis(lines: readonly TextLine[]): Axis {
  // The direction of long lines is the most accurate.
  const weight = lines.reduce((sum, { length }) => sum + length ** 2, 0);
  const angle = lines.reduce((sum, line) => sum + line.angle * line.length ** 2, 0) / weight;
  return { cos: Math.cos(angle), sin: Math.sin(angle) };
}

/** Whether a line starts and ends where a row does. No other print does, whatever text was recognised. */
function hasSameSpan(line: TextLine, row: TextLine, axis: Axis): boolean {
  const centreDistance = projectAlong(axis, line) - projectAlong(axis, row);
  const longer = (line.length - row.length) / 2;
  return Math.abs(centreDistance - longer) < row.height && Math.abs(centreDistance + longer) < row.height;
}

interface Row {
  v: number;
  height: number;
  start: number;
  end: number;
  parts: RecognisedLine[];
}

/** Joins lines at the same height into rows. */
function joinPieces(pieces: readonly RecognisedLine[], axis: Axis): Row[] {
  const rows: Row[] = [];
  for (const piece of [...pieces].sort((a, b) => b.length - a.length)) {
    const v = projectAcross(axis, piece);
    const u = projectAlong(axis, piece);
    const row = rows.find(({ v: other, height }) => Math.abs(other - v) < 0.5 * Math.min(height, piece.height * 1.4));
    if (row === undefined) {
      rows.push({ v, height: piece.height, start: u - piece.length / 2, end: u + piece.length / 2, parts: [piece] });
      continue;
    }
    row.start = Math.min(row.start, u - piece.length / 2);
    row.end = Math.max(row.end, u + piece.length / 2);
    row.parts.push(piece);
  }
  return rows.sort((a, b) => a.v - b.v);
}

/**
 * Groups lines into rows of zones: zone-like lines of the same size below one another, extended to their common width
 * because the detector drops runs of fillers. For a single row, groups with an assumed row above and below are
 * returned.
 */
export function groupRows(lines: readonly RecognisedLine[]): RowGroup[] {
  const seeds = lines.filter(isZoneLike);
  if (seeds.length === 0) return [];
  const axis = computeAxis(seeds);
  const longest = seeds.reduce((longestSoFar, seed) => (seed.length > longestSoFar.length ? seed : longestSoFar));
  const pieces = lines.filter(
    (line) =>
      (isZoneLike(line) || computeZoneShare(line.text) >= 0.8 || hasSameSpan(line, longest, axis)) &&
      line.height > longest.height * 0.5 &&
      line.height < longest.height * 1.8 &&
      Math.abs(line.angle - longest.angle) < (line.length > 6 * line.height ? 0.06 : 0.5),
  );
  const joinedRows = joinPieces(pieces, axis);
  const seeded = joinedRows.filter(({ parts }) => parts.some(isZoneLike));
  const rows = joinedRows.filter(
    (row) =>
      seeded.includes(row) ||
      (row.parts.some((part) => isZoneNeighbour(part) || hasSameSpan(part, longest, axis)) &&
        seeded.some(
          (seed) => Math.abs(seed.v - row.v) < 3 * seed.height && Math.abs(seed.start - row.start) < 4 * seed.height,
        )),
  );
  const groups: Row[][] = [];
  for (const row of rows) {
    const group = groups.at(-1);
    const above = group?.at(-1);
    const gap = above === undefined ? Infinity : row.v - above.v;
    if (group && above && gap < 3 * Math.max(row.height, above.height)) group.push(row);
    else groups.push([row]);
  }
  const findNeighbour = (row: Row, side: -1 | 1): Row | null => findNeighbourRow(row, lines, axis, side);
  return groups
    .flatMap((group) => listCandidates(group, findNeighbour))
    .map((group) => alignRows(group, axis))
    .sort((a, b) => computeGroupWeight(b) - computeGroupWeight(a));
}

/** Ranks groups mainly by fillers, which occur only in zones. */
const computeGroupWeight = ({ parts }: RowGroup): number =>
  parts.reduce((sum, { text }) => sum + 3 * Math.min(12, countFillers(text)) + countDigits(text), 0);

/** Distance of the rows of a zone in heights of a row, where no line shows it. */
const ASSUMED_DISTANCE = 1.35;

/**
 * The detected line that is the next row above or below a row, whatever was read of it: of about its height, at the
 * distance of rows, and over half of its length.
 */
function findNeighbourRow(row: Row, lines: readonly RecognisedLine[], axis: Axis, side: -1 | 1): Row | null {
  const distance = (line: TextLine): number => side * (projectAcross(axis, line) - row.v);
  const [nearest] = lines
    .filter((line) => {
      const u = projectAlong(axis, line);
      const overlap = Math.min(row.end, u + line.length / 2) - Math.max(row.start, u - line.length / 2);
      return (
        !row.parts.includes(line) &&
        line.height > 0.5 * row.height &&
        line.height < 1.8 * row.height &&
        overlap > 0.5 * (row.end - row.start) &&
        distance(line) > 0.7 * row.height &&
        distance(line) < 3 * row.height
      );
    })
    .sort((a, b) => distance(a) - distance(b));
  // It may be print, which remains part of the visual zone.
  return nearest === undefined ? null : { ...row, v: projectAcross(axis, nearest), parts: [] };
}

/**
 * Length of the rows of a card by their distance: 30 characters of 2.54 mm at 6.35 mm is 12, less if fillers at the end
 * were not detected. Rows of 36 and 44 characters are 14.4 and 17.6 times as long.
 */
const MAX_CARD_RATIO = 13.2;

/** Two rows with the detected line above or below them, as three rows of a card of which one was not read. */
function addThirdRow(group: Row[], findNeighbour: (row: Row, side: -1 | 1) => Row | null): Row[][] {
  const [first, last] = group;
  if (first === undefined || last === undefined) return [];
  const length = Math.max(first.end, last.end) - Math.min(first.start, last.start);
  if (length > MAX_CARD_RATIO * (last.v - first.v)) return [];
  const [above, below] = [findNeighbour(first, -1), findNeighbour(last, 1)];
  return [...(above === null ? [] : [[above, first, last]]), ...(below === null ? [] : [[first, last, below]])];
}

/**
 * Row combinations to try as one zone: the group, its last two or three rows, two rows with a detected third one, or a
 * single row with its neighbour, which is assumed if no line was detected there.
 */
function listCandidates(group: Row[], findNeighbour: (row: Row, side: -1 | 1) => Row | null): Row[][] {
  const [only] = group;
  if (group.length === 1 && only) {
    const neighbour = (side: -1 | 1): Row =>
      findNeighbour(only, side) ?? { ...only, v: only.v + side * only.height * ASSUMED_DISTANCE, parts: [] };
    return [
      [neighbour(-1), only],
      [only, neighbour(1)],
    ];
  }
  if (group.length === 2) return [group, ...addThirdRow(group, findNeighbour)];
  return group.length === 3 ? [group] : [group.slice(-3), group.slice(-2)];
}

function alignRows(group: readonly Row[], { cos, sin }: Axis): RowGroup {
  const start = Math.min(...group.map((row) => row.start));
  const end = Math.max(...group.map((row) => row.end));
  const heights = group.map(({ height }) => height).sort((a, b) => a - b);
  const height = heights[Math.floor(heights.length / 2)] ?? 0;
  const u = (start + end) / 2;
  const rows = group.map(({ v }): TextLine => ({
    x: u * cos - v * sin,
    y: u * sin + v * cos,
    length: end - start,
    height,
    angle: Math.atan2(sin, cos),
    score: 1,
  }));
  const first = group[0]?.v ?? 0;
  const last = group.at(-1)?.v ?? 0;
  return { rows, parts: group.flatMap(({ parts }) => parts), spacing: (last - first) / Math.max(1, group.length - 1) };
}

/** The part of a row between `start` and `end`, given as shares of its length; may extend beyond the row. */
export function extendRow(row: TextLine, start: number, end: number): TextLine {
  const [cos, sin] = [Math.cos(row.angle), Math.sin(row.angle)];
  const shift = ((start + end) / 2 - 0.5) * row.length;
  return { ...row, x: row.x + shift * cos, y: row.y + shift * sin, length: row.length * (end - start) };
}

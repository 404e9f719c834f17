import { parseMrz } from '../../../domain/identity/documents/mrz/parse';
import { isLegible } from '../../../activities/vision/documents/mrz-reader';
import { findValueExtent } from '../../../activities/vision/documents/mrz-direction';
import { groupRows } from '../../../activities/vision/documents/mrz-rows';
import { resolveReadings } from '../../../activities/vision/documents/zone-reading';
import type { ForcedReading } from '../../../activities/vision/text/forced-decoding';
import type { RecognisedLine } from '../../../activities/vision/text/line-reader';

const TODAY = '2026-06-15';
const PASSPORT = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'];

const line = (text: string, y: number, length = 880, height = 30): RecognisedLine => ({
  x: 500,
  y,
  length,
  height,
  angle: 0,
  score: 1,
  text,
  confidence: 0.9,
  characters: [],
});

/** What the recogniser reads of these lines, with the same confidence of every character. */
const read = (lines: readonly string[], confidence = 0.99): ForcedReading[] =>
  lines.map((text) => ({
    text,
    score: 0,
    confidences: Array.from(text, () => confidence),
    at: Array.from(text, (_, index) => (index + 0.5) / text.length),
  }));

describe('rows of a zone', () => {
  test('the neighbour of a single row is the detected line next to it, whatever its distance and text', () => {
    // The lower row was read as noise, 1.9 heights below.
    const [above, below] = groupRows([line(PASSPORT[0] ?? '', 600), line('~ ~ ~', 657, 700), line('Name', 540, 100)]);
    expect(below?.rows.map(({ y }) => Math.round(y))).toEqual([600, 657]);
    expect(below?.rows[1]?.length).toBe(880);
    // Nothing of its length was detected above: that row is assumed.
    expect(above?.rows.map(({ y }) => Math.round(y))).toEqual([560, 600]);
  });

  test('two rows at the distance of those of a card are also tried with the detected line next to them', () => {
    const [dates, name] = ['7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'];
    const card = [line('~ ~ ~', 560, 400), line(dates, 600, 480), line(name, 640, 480)];
    expect(groupRows(card).map(({ rows }) => rows.map(({ y }) => Math.round(y)))).toEqual([
      [600, 640],
      [560, 600, 640],
    ]);
    // The rows of a passport are longer than three rows of a card can be.
    const passport = [line('~ ~ ~', 560), line(PASSPORT[0] ?? '', 600), line(PASSPORT[1] ?? '', 640)];
    expect(groupRows(passport)).toHaveLength(1);
  });

  test('a line of another size or far away is no row', () => {
    const [, below] = groupRows([line(PASSPORT[0] ?? '', 600), line('Title', 660, 700, 80), line('x', 720, 700)]);
    expect(below?.rows.map(({ y }) => Math.round(y))).toEqual([600, 641]);
  });
});

describe('readings of a zone', () => {
  test('an empty nationality remains empty', () => {
    const lines = [PASSPORT[0] ?? '', 'L898902C36<<<7408122F1204159ZE184226B<<<<<10'];
    expect(resolveReadings([read(lines)], 'TD3', TODAY, false)).toMatchObject({
      repaired: false,
      parsed: { valid: true, fields: { nationality: null } },
    });
  });

  test('fillers of optional data that were read as letters become fillers if check digits allow it', () => {
    const misread = (PASSPORT[1] ?? '').replace('ZE184226B<<<<<', 'ZE184226B<<K<<');
    expect(resolveReadings([read([PASSPORT[0] ?? '', misread])], 'TD3', TODAY, false)?.parsed).toMatchObject({
      valid: true,
      fields: { personalNumber: 'ZE184226B' },
    });
  });

  test('a valid reading is final only if it is legible', () => {
    const parsed = parseMrz(PASSPORT, TODAY);
    const legible = (confidence: number): boolean | null =>
      parsed && isLegible({ parsed, confidences: read(PASSPORT, confidence).map(({ confidences }) => confidences) });
    expect([0.95, 0.4].map(legible)).toEqual([true, false]);
  });

  test('O and 0 are distinguished by the check digits where they are the only doubt', () => {
    const misread = (PASSPORT[1] ?? '').replace('L898902C3', 'L8989O2C3');
    const readings = read([PASSPORT[0] ?? '', misread]);
    const doubt = (character: number, confidence: number): void => {
      readings[1]?.confidences.splice(character, 1, confidence);
    };
    doubt(5, 0.7);
    expect(resolveReadings([readings], 'TD3', TODAY, false)).toMatchObject({
      repaired: true,
      parsed: { valid: true, fields: { documentNumber: 'L898902C3' } },
    });
    // Read with certainty, or next to another doubt, it remains as read.
    doubt(14, 0.7);
    expect(resolveReadings([readings], 'TD3', TODAY, false)).toMatchObject({
      repaired: false,
      parsed: { valid: false },
    });
    doubt(14, 0.99);
    doubt(5, 0.99);
    expect(resolveReadings([readings], 'TD3', TODAY, false)).toMatchObject({
      repaired: false,
      parsed: { valid: false },
    });
  });
});

describe('the part of a row that the text recogniser reads, too', () => {
  const read = (text: string, confidence = 0.99) => ({
    text,
    confidence,
    confidences: Array.from({ length: text.length }, () => confidence),
    at: Array.from({ length: text.length }, (_, index) => (index + 0.5) / text.length),
  });

  test('ends after three of the fillers at its end', () => {
    const { end, fillers } = findValueExtent(read('I<UTOD231458907<<<<<<<<<<<<<<<'));
    expect(end).toBeCloseTo(18 / 30);
    expect(fillers).toBe(12);
  });

  test('is all of it if it ends with a digit, with few fillers, or with uncertain ones', () => {
    const whole = { end: 1, fillers: 0 };
    expect(findValueExtent(read('7408122F1204159UTO<<<<<<<<<<<6'))).toEqual(whole);
    expect(findValueExtent(read('IDESPAAA1000014<00000023T<<<<<'))).toEqual(whole);
    expect(findValueExtent(read('I<UTOD231458907<<<<<<<<<<<<<<<', 0.89))).toEqual(whole);
  });
});

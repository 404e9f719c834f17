import { applySecondOpinion, listRowCharacters } from '../../../activities/vision/documents/second-opinion';
import { ZONE_CHARACTERS, decodeZoneGreedily, toZoneEmissions } from '../../../activities/vision/text/forced-decoding';
import type { ForcedReading } from '../../../activities/vision/text/forced-decoding';

const read = (text: string): ForcedReading => ({
  text,
  score: 0,
  confidences: Array.from(text, () => 0.9),
  at: Array.from(text, (_, at) => (at + 0.5) / text.length),
});
const opinion = (text: string, confidence = 0.95): { character: string; confidence: number }[] =>
  Array.from(text, (character) => ({ character, confidence }));
const anything = Array.from({ length: 44 }, () => ZONE_CHARACTERS);
const lowered = (own: string, other: string, confidence?: number, alphabets = anything): number[] =>
  applySecondOpinion(read(own), opinion(other, confidence), alphabets).reading.confidences.flatMap((value, at) =>
    value < 0.9 ? [at] : [],
  );

describe('the second opinion', () => {
  test('lowers the confidence of a character that it read differently, below what is accepted alone', () => {
    const { reading, isConfirmedByPage } = applySecondOpinion(read('SMITH<<JOHN'), opinion('SNITH<<JOHN'), anything);
    expect(isConfirmedByPage).toBe(true);
    expect(reading.text).toBe('SMITH<<JOHN');
    expect(reading.confidences[1]).toBeLessThan(0.6);
    expect(reading.confidences.filter((value) => value < 0.9)).toHaveLength(1);
  });

  test('is compared with the right characters where it dropped or invented fillers', () => {
    expect(lowered('ERIKSSON<<ANNA<MARIA<<<<<<', 'ERIKSSON<ANNA<<<MARIA<')).toEqual([]);
    expect(lowered('ERIKSSON<<ANNA<MARIA<<<<<<', 'ERIKSSON<ANMA<<<MARIA<')).toEqual([12]);
  });

  test('does not count if uncertain, a filler, not allowed at the position, or O for 0', () => {
    expect(lowered('SMITH', 'SNITH', 0.5)).toEqual([]);
    expect(lowered('SMITH', 'S<ITH')).toEqual([]);
    expect(
      lowered(
        '740812',
        '74D812',
        0.95,
        Array.from({ length: 6 }, () => '0123456789<'),
      ),
    ).toEqual([]);
    expect(lowered('X40', 'X4O')).toEqual([]);
  });

  test('is none if too little of the row was read', () => {
    expect(applySecondOpinion(read('ERIKSSON<<ANNA'), opinion('ERIK'), anything).isConfirmedByPage).toBe(false);
    expect(applySecondOpinion(read('<<<<<<'), [], anything).isConfirmedByPage).toBe(true);
  });

  test('consists of the characters on the row from its start to its end, without those of other rows', () => {
    const line = (x: number, y: number, text: string): Parameters<typeof listRowCharacters>[1][number] => ({
      x,
      y,
      length: 100,
      height: 20,
      angle: 0,
      score: 1,
      text,
      confidence: 0.9,
      characters: Array.from(text, (character, at) => ({
        text: character,
        index: ZONE_CHARACTERS.indexOf(character),
        confidence: 0.9,
        at: at / text.length,
      })),
    });
    const table = Int16Array.from(ZONE_CHARACTERS, (_, index) => index);
    const row = { x: 250, y: 100, length: 400, height: 24, angle: 0, score: 1 };
    const parts = [line(350, 102, 'CD'), line(150, 98, 'AB'), line(150, 130, 'XY')];
    expect(listRowCharacters(row, parts, table).map(({ character }) => character)).toEqual(['A', 'B', 'C', 'D']);
  });
});

describe('emissions of the recogniser for zones', () => {
  test('are decoded to the most probable characters, repeated ones separated by blanks', () => {
    const classes = ZONE_CHARACTERS.length + 1;
    const steps = ['A', 'A', '', 'A', '<', ''];
    const data = new Float32Array(steps.length * classes).fill(0.001);
    steps.forEach((character, step) => {
      data[step * classes + (character === '' ? classes - 1 : ZONE_CHARACTERS.indexOf(character))] = 0.95;
    });
    const { text, confidence } = decodeZoneGreedily(toZoneEmissions(data));
    expect(text).toBe('AA<');
    expect(confidence).toBeCloseTo(0.95, 5);
  });
});

import fc from 'fast-check';
import {
  decodeForced,
  foldDictionary,
  foldEmissions,
  ZONE_CHARACTERS,
} from '../../../activities/vision/text/forced-decoding';
import type { Emissions } from '../../../activities/vision/text/recogniser';

const DICTIONARY = ['', ...ZONE_CHARACTERS, 'a', '«', ' '];
const FOLD = foldDictionary(DICTIONARY);

/** What a recogniser says when it reads this text: each character at one step, blanks between. `dropped` steps say blank. */
function buildEmissions(text: string, dropped: ReadonlySet<number> = new Set()): Emissions {
  const steps = text.length * 3;
  const classes = DICTIONARY.length;
  const data = new Float32Array(steps * classes).fill(1e-6);
  for (let step = 0; step < steps; step += 1) {
    const position = Math.floor(step / 3);
    const isEmitted = step % 3 === 1 && !dropped.has(position);
    data[step * classes + (isEmitted ? DICTIONARY.indexOf(text.charAt(position)) : 0)] = 0.99;
  }
  return { steps, classes, data };
}

const anything = { allowed: ZONE_CHARACTERS, tolerated: '' };
const line = fc.string({ unit: fc.constantFrom(...ZONE_CHARACTERS), minLength: 2, maxLength: 44 });

describe('forced decoding', () => {
  test('decodes a clear text of the forced length exactly', () => {
    fc.assert(
      fc.property(line, (text) => {
        const reading = decodeForced(
          foldEmissions(buildEmissions(text), FOLD),
          Array.from(text, () => anything),
        );
        expect(reading?.text).toBe(text);
        expect(reading?.confidences.every((confidence) => confidence > 0.9)).toBe(true);
      }),
    );
  });

  test('always returns the forced number of characters, from their alphabets', () => {
    fc.assert(
      fc.property(line, fc.integer({ min: 1, max: 44 }), (text, length) => {
        const alphabets = Array.from({ length }, (_, index) => ({
          allowed: index % 2 === 0 ? 'ABC<' : '0123<',
          tolerated: '',
        }));
        const reading = decodeForced(foldEmissions(buildEmissions(text), FOLD), alphabets);
        if (length > text.length * 3) return expect(reading).toBeNull();
        expect(reading?.text).toHaveLength(length);
        return expect(
          [...(reading?.text ?? '')].every((character, at) => alphabets[at]?.allowed.includes(character)),
        ).toBe(true);
      }),
    );
  });

  test('restores fillers that the recogniser dropped at the end of a line', () => {
    const text = 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<';
    const dropped = new Set(Array.from({ length: 16 }, (_, index) => 27 + index));
    const reading = decodeForced(
      foldEmissions(buildEmissions(text, dropped), FOLD),
      Array.from(text, () => anything),
    );
    expect(reading?.text).toBe(text);
  });

  test('excludes digits from positions of letters, unless tolerated and nothing else fits', () => {
    const emissions = foldEmissions(buildEmissions('1A'), FOLD);
    const letters = 'ABCI<';
    expect(decodeForced(emissions, [{ allowed: letters, tolerated: '' }, anything])?.text).not.toBe('1A');
    expect(decodeForced(emissions, [{ allowed: letters, tolerated: '0123' }, anything])?.text).toBe('1A');
  });

  test('maps lower-case letters and angle quotes to MRZ characters', () => {
    const emissions = buildEmissions('B<');
    const [b, filler] = [DICTIONARY.indexOf('B'), DICTIONARY.indexOf('<')];
    const move = (from: number, to: number): void => {
      for (let step = 0; step < emissions.steps; step += 1) {
        const start = step * emissions.classes;
        [emissions.data[start + to], emissions.data[start + from]] = [emissions.data[start + from] ?? 0, 1e-6];
      }
    };
    move(b, DICTIONARY.indexOf('a'));
    move(filler, DICTIONARY.indexOf('«'));
    expect(decodeForced(foldEmissions(emissions, FOLD), [anything, anything])?.text).toBe('A<');
  });
});

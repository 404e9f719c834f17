import { findPrintedFields } from '../../../activities/vision/documents/visual-zone';
import type { RecognisedLine } from '../../../activities/vision/text/line-reader';

const HEIGHT = 20;

/** A line of print whose left edge and middle are given. */
const line = (text: string, left: number, y: number): RecognisedLine => {
  const length = text.length * HEIGHT * 0.55;
  return {
    text,
    confidence: 0.95,
    x: left + length / 2,
    y,
    length,
    height: HEIGHT,
    angle: 0,
    score: 1,
    characters: [],
  };
};

const read = (lines: readonly RecognisedLine[], isLicence = false): Record<string, string> =>
  Object.fromEntries(findPrintedFields(lines, isLicence).map(({ name, text }) => [name, text]));

describe('the printed fields of a card', () => {
  test('keep the street line of an address, up to the next caption', () => {
    const back = [
      line('Anschrift/Address/Adresse', 40, 40),
      line('51147 KÖLN', 40, 68),
      line('HEIDESTRASSE 17', 40, 96),
      line('Größe/Height/Taille', 40, 124),
      line('160 cm', 40, 152),
      line('AUGENFARBE', 400, 68),
    ];
    expect(read(back)).toMatchObject({ address: '51147 KÖLN, HEIDESTRASSE 17' });
  });

  test('are found by numbers alone on a licence, next to or below them', () => {
    const front = [
      line('1', 40, 40),
      line('OKONKWO', 80, 40),
      line('2ADAEZE', 40, 70),
      line('1ST AVE', 400, 70),
      line('3 DOB', 40, 100),
      line('02/02/1978', 40, 130),
      line('4d DL Y4217906', 40, 200),
    ];
    expect(read(front, true)).toMatchObject({
      lastName: 'OKONKWO',
      firstName: 'ADAEZE',
      dateOfBirth: '02/02/1978',
      documentNumber: 'Y4217906',
    });
    expect(read(front).lastName).toBeUndefined();
  });

  test('do not take the caption of another field as their value', () => {
    expect(read([line('Surname: Given names', 40, 40), line('MARTINSDOTTER', 40, 70)]).lastName).toBeUndefined();
  });
});

import { findPrintedFields, printsImpossibleDate } from '../../../activities/vision/documents/visual-zone';
import { CAPTIONED_STATES } from '../../../domain/identity/documents/national-captions';
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

  test('of a licence of the EU are found by their numbers, several in a line', () => {
    const front = [
      line('1. ÖRSTED', 40, 40),
      line('2. ÅSA MARIE', 40, 70),
      line('3. 23.07.1991 GÖTEBORG', 40, 100),
      line('4a. 01.02.2024 4c. TRANSPORTSTYRELSEN', 40, 130),
      line('4b. 01.02.2034 4d. 19910723-2384', 40, 160),
      line('5. 123 456-7', 40, 190),
    ];
    expect(read(front, true)).toMatchObject({
      lastName: 'ÖRSTED',
      firstName: 'ÅSA MARIE',
      dateOfBirth: '23.07.1991 GÖTEBORG',
      placeOfBirth: 'GÖTEBORG',
      issueDate: '01.02.2024',
      expiryDate: '01.02.2034',
      personalNumber: '19910723-2384',
      documentNumber: '123 456-7',
    });
  });

  test.each([
    ['NLD', 'Geboortedatum', '23.07.1991', { dateOfBirth: '23.07.1991' }],
    ['SWE', 'Utfärdandedatum', '01.02.2024', { issueDate: '01.02.2024' }],
    ['FIN', 'Sukunimi', 'VIRTANEN', { lastName: 'VIRTANEN' }],
    ['CZE', 'Platnostdo', '01.02.2034', { expiryDate: '01.02.2034' }],
    ['HUN', 'Okmányazonosító', 'AB 123456', { documentNumber: 'AB 123456' }],
    ['PRT', 'Local de nascimento', 'LISBOA', { placeOfBirth: 'LISBOA' }],
    ['EST', 'ISIKUKOOD', '49107230123', { personalNumber: '49107230123' }],
    ['GRC', 'ΗΜΕΡΟΜΗΝΙΑ ΛΗΞΗΣ', '01.02.2034', { expiryDate: '01.02.2034' }],
    ['BGR', 'Дата на издаване', '01.02.2024', { issueDate: '01.02.2024' }],
    ['UKR', 'Дійсний до', '01.02.2034', { expiryDate: '01.02.2034' }],
    ['ROU', 'Domiciliu', 'STR. FLORILOR 3', { address: 'STR. FLORILOR 3' }],
    ['TUR', 'Soyadı', 'YILMAZ', { lastName: 'YILMAZ' }],
    ['HRV', 'Državljanstvo', 'HRV', { nationality: 'HRV' }],
    ['DEU', 'Gültig bis', '01.02.2034', { expiryDate: '01.02.2034' }],
    ['LVA', 'Derīga līdz', '01.02.2034', { expiryDate: '01.02.2034' }],
  ])('of a card of %s are found by its caption "%s"', (state, caption, value, expected) => {
    expect(CAPTIONED_STATES).toContain(state);
    expect(read([line(caption, 40, 40), line(value, 40, 66)])).toEqual(expected);
  });

  test.each([
    ['Date of birth', '00.00.1974', false],
    ['Date of birth', '00.08.1974', false],
    ['Date of birth', '08/00/1974', false],
    ['Date of birth', '1974-00-00', false],
    ['Date of birth', '00 AUG 1974', false],
    ['Date of birth', '00.13.1974', true],
    ['Date of birth', '31.02.1974', true],
    ['Date of birth', '31.00.1974', true],
    // A document is issued and expires on a day that is known.
    ['Date of expiry', '00.08.2031', true],
    ['Date of issue', '00.00.2021', true],
  ])('with %s %s: an impossible date is %j', (caption, value, expected) => {
    expect(printsImpossibleDate([line(caption, 40, 40), line(value, 40, 66)])).toBe(expected);
  });

  test.each(['DENIS', 'RUN', 'MORADA', 'IME', 'VARDAS', 'KON', 'POL'])('take the name %s as a value', (name) => {
    expect(read([line('Given names', 40, 40), line(name, 40, 66)])).toEqual({ firstName: name });
  });

  test('do not take the caption of another field as their value', () => {
    expect(read([line('Surname: Given names', 40, 40), line('MARTINSDOTTER', 40, 70)]).lastName).toBeUndefined();
  });
});

import { composeMrz } from '../../../domain/identity/documents/mrz/compose';
import type { MrzFormat } from '../../../domain/identity/documents/mrz/format';
import { parseMrz } from '../../../domain/identity/documents/mrz/parse';
import { readConfirmingPrint } from '../../../activities/vision/documents/print-confirmation';
import type { TextLine } from '../../../activities/vision/text/detector';
import type { RecognisedLine } from '../../../activities/vision/text/line-reader';

const TODAY = '2026-06-15';
const ROW_HEIGHT = 30;

/** A line of print, whose width follows from its text. */
const line = (text: string, left: number, y: number, height = 24): RecognisedLine => {
  const length = text.length * height * 0.6;
  return { text, confidence: 0.95, x: left + length / 2, y, length, height, angle: 0, score: 1, characters: [] };
};

const TITLE = line('PASSPORT OF THE UTOPIAN REPUBLIC AND ITS TERRITORIES OVERSEAS', 40, 20);
const CAPTION_OF_ISSUE = line('Date of issue / Date de delivrance', 500, 236, 14);
const CAPTION_OF_BIRTH = line('Date of birth / Date de naissance', 300, 176, 14);
const AUTHORITY = line('MINISTRY OF THE INTERIOR OF THE UTOPIAN REPUBLIC', 40, 400);
const PRINT = [
  TITLE,
  line('MARTINSDOTTER', 300, 80),
  line('KLARA', 300, 120),
  line('EMILIA', 300, 150),
  line('X42K90617', 700, 80),
  CAPTION_OF_BIRTH,
  line('23.07.1991', 300, 200),
  line('10.01.2031', 500, 300),
  line('11.01.2021', 500, 260),
  CAPTION_OF_ISSUE,
  AUTHORITY,
];

/** Reads print next to a zone; returns the texts that were read, in the order of reading. */
async function readPrint(lines: readonly RecognisedLine[], format: MrzFormat = 'TD3'): Promise<string[]> {
  const content = {
    documentCode: format === 'TD3' ? 'P' : 'I',
    issuingState: 'UTO',
    nationality: 'UTO',
    name: 'MARTINSDOTTER<<KLARA<EMILIA',
    documentNumber: 'X42K90617',
    dateOfBirth: '910723',
    sex: 'F',
    expiryDate: '310110',
  };
  const parsed = parseMrz(composeMrz(format, content), TODAY, format);
  if (parsed === null) throw new Error('The zone of the test has no format.');
  const read: RecognisedLine[] = [];
  const isUnread = (one: TextLine): boolean => !read.some((known) => known === one);
  const readLine = (one: TextLine): Promise<{ read: RecognisedLine }> => {
    const known = lines.find((candidate) => candidate === one);
    if (known !== undefined && isUnread(one)) read.push(known);
    return Promise.resolve({ read: known ?? line('', 0, 0) });
  };
  const rows = [{ ...line('', 40, 500, ROW_HEIGHT), length: 900 }];
  await readConfirmingPrint(
    {
      read: readLine,
      listRead: () => ({ read }),
      listUnread: () => lines.filter(isUnread),
      readAll: async () => {
        for (const one of lines) await readLine(one);
        return { read };
      },
    },
    { parsed, rows, parts: [] },
  );
  return read.map(({ text }) => text);
}

const replaceLine = (text: string, by: string): RecognisedLine[] =>
  PRINT.map((one) => (one.text === text ? { ...one, text: by } : one));

describe('print next to a verified zone', () => {
  test('is read until it states names, number and date of birth, with the caption of the date of issue', async () => {
    const read = await readPrint(PRINT);
    expect(read).toEqual(expect.arrayContaining(['MARTINSDOTTER', 'KLARA', 'EMILIA', 'X42K90617', '23.07.1991']));
    expect(read).toContain(CAPTION_OF_ISSUE.text);
    expect(read).not.toContain(TITLE.text);
    expect(read).not.toContain(AUTHORITY.text);
  });

  test('is read without titles above what the zone does not state', async () => {
    const title = line('UTOPIAN REPUBLIC / REPUBLIQUE UTOPIENNE / REPUBLIK UTOPIEN', 700, 300);
    const read = await readPrint([...PRINT, title, line('ZENITH', 700, 340)]);
    expect(read).toContain('ZENITH');
    expect(read).not.toContain(title.text);
  });

  test('is read in its short lines if the number is missing, and states four other values', async () => {
    const read = await readPrint(
      PRINT.filter(({ text }) => text !== 'X42K90617').concat(line('F', 700, 120), line('UTO', 700, 160)),
    );
    expect(read).toEqual(expect.arrayContaining(['EMILIA', '10.01.2031', 'F', 'UTO']));
    expect(read).not.toContain(TITLE.text);
  });

  test.each([
    ['name', 'KLARA', 'CLARA'],
    ['surname', 'MARTINSDOTTER', 'MARTINSDOTTIR'],
    ['number', 'X42K90617', 'X42K90671'],
    ['date of birth', '23.07.1991', '23.07.1981'],
  ])('is read completely if it states another %s', async (_field, text, other) => {
    expect((await readPrint(replaceLine(text, other))).sort()).toEqual(
      replaceLine(text, other)
        .map((one) => one.text)
        .sort(),
    );
  });

  test('is read completely if a value next to its caption contradicts, although others agree', async () => {
    const print = [...PRINT, line('Sex: M', 700, 120)];
    expect(await readPrint(print)).toHaveLength(print.length);
  });

  test('is read in all lines of the size of values on a card, which also has an address', async () => {
    const read = await readPrint(PRINT, 'TD2');
    expect(read).toHaveLength(PRINT.length - 1);
    expect(read).not.toContain(CAPTION_OF_BIRTH.text);
  });

  test('is read completely on a card whose print does not state the names', async () => {
    const print = PRINT.filter(({ text }) => text !== 'MARTINSDOTTER');
    expect(await readPrint(print, 'TD2')).toHaveLength(print.length);
  });

  test.each<MrzFormat>(['TD1', 'TD2'])(
    'is read completely on a card if it contradicts the zone (%s)',
    async (format) => {
      const print = [...PRINT, line('Sex: M', 700, 120)];
      expect(await readPrint(print, format)).toHaveLength(print.length);
    },
  );

  test('is read in the lines of the size of values on the back of a card, with the captions of an address', async () => {
    const address = [line('Address / Adresse', 40, 96, 14), line('12 HARBOUR ROAD', 40, 120), line('ZENITH', 40, 150)];
    const smallPrint = line('This card remains the property of the republic. If found, return it.', 40, 450, 12);
    const read = await readPrint([...address, smallPrint], 'TD1');
    expect(read.sort()).toEqual(address.map(({ text }) => text).sort());
  });
});

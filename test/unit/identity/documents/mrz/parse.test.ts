import fc from 'fast-check';
import { computeCheckDigit } from '../../../../../domain/identity/documents/mrz/check-digit';
import { composeMrz } from '../../../../../domain/identity/documents/mrz/compose';
import {
  detectMrzFormat,
  MRZ_LAYOUTS,
  buildPositionAlphabets,
  isPossibleLineLength,
} from '../../../../../domain/identity/documents/mrz/format';
import type { MrzFormat } from '../../../../../domain/identity/documents/mrz/format';
import { parseMrz } from '../../../../../domain/identity/documents/mrz/parse';
import { computePlausibility } from '../../../../../domain/identity/documents/mrz/repair';
import { DAY_MS } from '../../../../../domain/durations';

const TODAY = '2026-06-15';
const FORMATS: readonly MrzFormat[] = ['TD1', 'TD2', 'TD3', 'MRVA', 'MRVB'];

/** Specimens printed in ICAO Doc 9303, parts 3 to 7. */
const SPECIMENS: Record<string, string[]> = {
  TD1: ['I<UTOD231458907<<<<<<<<<<<<<<<', '7408122F1204159UTO<<<<<<<<<<<6', 'ERIKSSON<<ANNA<MARIA<<<<<<<<<<'],
  TD2: ['I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'D231458907UTO7408122F1204159<<<<<<<6'],
  TD3: ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159ZE184226B<<<<<10'],
  MRVA: ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L8988901C4XXX4009078F96121096ZE184226B<<<<<<'],
  MRVB: ['V<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<', 'L8988901C4XXX4009078F9612109<<<<<<<<'],
};

const upper = fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 1, maxLength: 8 });
const number = fc.string({
  unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'),
  minLength: 1,
  maxLength: 9,
});
const day = fc.integer({ min: 0, max: 36_500 }).map((offset) => new Date(Date.UTC(1927, 0, 1) + offset * DAY_MS));
const yymmdd = (date: Date): string => date.toISOString().slice(2, 10).replaceAll('-', '');

const content = fc.record({
  surname: upper,
  given: fc.array(upper, { minLength: 1, maxLength: 2 }),
  documentNumber: number,
  birth: day.filter((date) => date.toISOString().slice(0, 10) <= TODAY),
  expiry: fc.integer({ min: 0, max: 9000 }).map((offset) => new Date(Date.UTC(2016, 0, 1) + offset * DAY_MS)),
  sex: fc.constantFrom('M', 'F', '<'),
  format: fc.constantFrom(...FORMATS),
});

const compose = (value: typeof content extends fc.Arbitrary<infer T> ? T : never): string[] =>
  composeMrz(value.format, {
    documentCode: value.format.startsWith('MRV') ? 'V' : value.format === 'TD3' ? 'P' : 'I',
    issuingState: 'UTO',
    nationality: 'UTO',
    name: `${value.surname}<<${value.given.join('<')}`,
    documentNumber: value.documentNumber,
    dateOfBirth: yymmdd(value.birth),
    sex: value.sex,
    expiryDate: yymmdd(value.expiry),
  });

describe('check digits', () => {
  test.each([
    ['520727', 3],
    ['AB2134<<<', 5],
    ['HA672242<658022549601086<<<<<<<<<<<<<<0', 8],
    ['D231458907<<<<<<<<<<<<<<<34071279507122<<<<<<<<<<<', 2],
    ['HA672242<658022549601086<<<<<<<', 8],
  ])('of the worked examples of ICAO 9303-3 (%s) is %d', (text, digit) => {
    expect(computeCheckDigit(text)).toBe(digit);
  });

  test('reject characters outside the alphabet', () => {
    expect(computeCheckDigit('AB c')).toBeNull();
  });

  test('detect every replacement by a character of another value modulo ten', () => {
    const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<');
    fc.assert(
      fc.property(fc.array(character, { minLength: 1, maxLength: 40 }), fc.nat(), character, (text, at, other) => {
        const position = at % text.length;
        const changed = text.with(position, other).join('');
        const same = computeCheckDigit(other) === computeCheckDigit(text[position] ?? '');
        expect(computeCheckDigit(changed) === computeCheckDigit(text.join(''))).toBe(same);
      }),
    );
  });
});

describe('specimens of ICAO 9303', () => {
  test.each(Object.entries(SPECIMENS))('%s parses with every digit verified', (format, lines) => {
    const parsed = parseMrz(lines, TODAY);
    expect(parsed).toMatchObject({
      format,
      valid: true,
      misplaced: [],
      fields: { lastName: 'ERIKSSON', firstName: 'ANNA MARIA', issuingState: 'UTO', sex: 'F', nameTruncated: false },
    });
  });

  test('the passport has every field', () => {
    expect(parseMrz(SPECIMENS['TD3'] ?? [], TODAY)?.fields).toEqual({
      documentCode: 'P',
      issuingState: 'UTO',
      documentNumber: 'L898902C3',
      lastName: 'ERIKSSON',
      firstName: 'ANNA MARIA',
      nameTruncated: false,
      nationality: 'UTO',
      dateOfBirth: '1974-08-12',
      sex: 'F',
      expiryDate: '2012-04-15',
      personalNumber: 'ZE184226B',
      optionalData: ['ZE184226B'],
    });
  });

  test('visas have no composite digit', () => {
    expect(parseMrz(SPECIMENS['MRVA'] ?? [], TODAY)?.checkDigits.map(({ name }) => name)).toEqual([
      'documentNumber',
      'dateOfBirth',
      'expiryDate',
    ]);
  });

  test('a document number longer than nine characters continues in the optional data', () => {
    const lines = [
      'I<UTOD23145890<7349<<<<<<<<<<<',
      '3407127M9507122UTO<<<<<<<<<<<2',
      'STEVENSON<<PETER<JOHN<<<<<<<<<',
    ];
    const parsed = parseMrz(lines, TODAY);
    expect(parsed?.fields.documentNumber).toBe('D23145890734');
    expect(parsed?.fields.optionalData).toEqual([]);
    expect(parsed?.checkDigits.find(({ name }) => name === 'documentNumber')).toMatchObject({
      printed: '9',
      valid: true,
    });
  });
});

describe('layouts', () => {
  test('44 characters are never a short visa, whatever the first letter', () => {
    fc.assert(
      fc.property(upper, (letter) => {
        expect(['TD3', 'MRVA']).toContain(detectMrzFormat(letter.charAt(0), 2, 44));
      }),
    );
  });

  test('every position of every line has an alphabet that contains the filler', () => {
    for (const format of FORMATS) {
      const { lineCount, lineLength } = MRZ_LAYOUTS[format];
      const alphabets = buildPositionAlphabets(format);
      expect(alphabets).toHaveLength(lineCount);
      for (const line of alphabets) {
        expect(line).toHaveLength(lineLength);
      }
      // Every field may be empty, except the code of the document.
      const others = alphabets.flat().slice(1);
      expect(others.every((allowed) => allowed.includes('<'))).toBe(true);
    }
  });

  test('the first letter of a zone is that of an existing document code', () => {
    for (const format of FORMATS) {
      const first = buildPositionAlphabets(format)[0]?.[0] ?? '';
      for (const letter of 'PAICV') expect(first).toContain(letter);
      for (const letter of 'LEFB<0') expect(first).not.toContain(letter);
    }
  });

  test('a first of two lines that begins with P has 44 characters', () => {
    expect([36, 44].map((length) => isPossibleLineLength('P', length))).toEqual([false, true]);
    expect([36, 44].map((length) => isPossibleLineLength('I', length))).toEqual([true, true]);
  });
});

describe('plausibility', () => {
  /** The specimen with these check digits increased by one. */
  const alter = (format: MrzFormat, names: readonly string[]): number => {
    const lines = (SPECIMENS[format] ?? []).map((line) => [...line]);
    for (const { name, at } of MRZ_LAYOUTS[format].digits) {
      const row = lines[at.line] ?? [];
      if (names.includes(name)) row[at.position] = String((Number(row[at.position]) + 1) % 10);
    }
    const parsed = parseMrz(
      lines.map((row) => row.join('')),
      TODAY,
    );
    return parsed === null ? -1 : computePlausibility(parsed);
  };

  test('a composite digit that verifies alone proves nothing', () => {
    const others = ['documentNumber', 'dateOfBirth', 'expiryDate'];
    const none = alter('TD2', [...others, 'composite']);
    // The composite digit of the specimen covers the altered ones; 7 + 3 + 1 + 7 = 18, so it no longer verifies either.
    expect(alter('TD2', others)).toBe(none);
    const lines = SPECIMENS['TD2'] ?? [];
    const changed = 'D231458908UTO7408123F1204150<<<<<<<';
    const text = changed.slice(0, 10) + changed.slice(13, 20) + changed.slice(21, 35);
    const parsed = parseMrz([lines[0] ?? '', changed + String(computeCheckDigit(text))], TODAY);
    expect(parsed?.checkDigits.map(({ name, valid }) => [name, valid])).toEqual([
      ['documentNumber', false],
      ['dateOfBirth', false],
      ['expiryDate', false],
      ['composite', true],
    ]);
    expect(parsed && computePlausibility(parsed)).toBe(none);
  });

  test('a digit of an empty field proves nothing', () => {
    const lines = ['P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<', 'L898902C36UTO7408122F1204159<<<<<<<<<<<<<<<0'];
    const parsed = parseMrz(lines, TODAY);
    const digits = parsed?.checkDigits.map((digit) => ({ ...digit, valid: digit.name === 'personalNumber' }));
    expect(parsed && digits && computePlausibility({ ...parsed, checkDigits: digits })).toBe(
      parsed && computePlausibility({ ...parsed, checkDigits: [] }),
    );
  });
});

describe('any content', () => {
  test('is the same after composing and parsing, with all digits valid', () => {
    fc.assert(
      fc.property(content, (value) => {
        const parsed = parseMrz(compose(value), TODAY);
        expect(parsed).toMatchObject({
          format: value.format,
          valid: true,
          misplaced: [],
          fields: {
            documentNumber: value.documentNumber,
            lastName: value.surname,
            firstName: value.given.join(' '),
            dateOfBirth: value.birth.toISOString().slice(0, 10),
            expiryDate: value.expiry.toISOString().slice(0, 10),
            sex: value.sex === '<' ? 'X' : value.sex,
          },
        });
      }),
    );
  });

  test('a changed digit in number or dates is detected', () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 9 }), (value, by) => {
        const lines = compose(value);
        const place = MRZ_LAYOUTS[value.format].fields.dateOfBirth;
        const line = lines[place?.line ?? 0] ?? '';
        const at = (place?.start ?? 0) + 1;
        const changed = line.slice(0, at) + String((Number(line[at]) + by) % 10) + line.slice(at + 1);
        expect(parseMrz(lines.with(place?.line ?? 0, changed), TODAY)?.valid).toBe(false);
      }),
    );
  });

  test('that is not a zone returns null and never throws', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 60 }), { maxLength: 4 }), (lines) => {
        const parsed = parseMrz(lines, TODAY);
        if (parsed !== null) expect([30, 36, 44]).toContain(lines[0]?.length);
      }),
    );
  });
});

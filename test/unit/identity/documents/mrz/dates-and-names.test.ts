import fc from 'fast-check';
import { computeAge, resolveDate } from '../../../../../domain/identity/documents/mrz/dates';
import { splitName, transliterate, stripAccents } from '../../../../../domain/identity/documents/mrz/names';
import {
  cleanNameField,
  listLookalikes,
  clearIsolatedLetters,
  findNearestState,
  repairStateLetters,
} from '../../../../../domain/identity/documents/mrz/repair';
import { toIsoState, isStateCode } from '../../../../../domain/identity/documents/mrz/states';

const TODAY = '2026-06-15';

describe('two-digit years', () => {
  test.each([
    ['260615', 'birth', '2026-06-15'],
    ['260616', 'birth', '1926-06-16'],
    ['740812', 'birth', '1974-08-12'],
    ['340415', 'expiry', '2034-04-15'],
    ['991231', 'expiry', '1999-12-31'],
    ['000229', 'birth', '2000-02-29'],
  ] as const)('%s as %s is %s', (text, meaning, date) => {
    expect(resolveDate(text, meaning, TODAY)).toBe(date);
  });

  test('a birth never lies in the future', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 28 }),
        (y, m, d) => {
          const text = [y, m, d].map((part) => String(part).padStart(2, '0')).join('');
          const date = resolveDate(text, 'birth', TODAY);
          expect(date !== null && date <= TODAY).toBe(true);
          expect(date?.slice(2).replaceAll('-', '')).toBe(text);
        },
      ),
    );
  });

  test.each(['990230', '991301', '99<<01', '<<<<<<', '9A0101', '99010'])('%s is not a date', (text) => {
    expect(resolveDate(text, 'expiry', TODAY)).toBeNull();
  });

  test('unknown days and months stay unknown', () => {
    expect(resolveDate('7408<<', 'birth', TODAY)).toBe('1974-08-XX');
    expect(resolveDate('74<<<<', 'birth', TODAY)).toBe('1974-XX-XX');
    expect(resolveDate('740000', 'birth', TODAY)).toBe('1974-XX-XX');
  });
});

describe('age', () => {
  test.each([
    ['2008-06-15', 18],
    ['2008-06-16', 17],
    ['2008-06-XX', 17],
    ['2008-XX-XX', 17],
    ['2007-XX-XX', 18],
    ['2008-02-29', 18],
  ])('of someone born %s is %d: an unknown day makes no one older', (birth, age) => {
    expect(computeAge(birth, TODAY)).toBe(age);
  });
});

describe('names', () => {
  test.each([
    ['ERIKSSON<<ANNA<MARIA<<<', 'ERIKSSON', 'ANNA MARIA', false],
    ['VAN<DER<BERG<<JAN<<', 'VAN DER BERG', 'JAN', false],
    ['ARKFREITH<<<<<', 'ARKFREITH', null, false],
    ['BENNELONG<WOOLOOMOOLOO<WARRANDYTE<W', 'BENNELONG WOOLOOMOOLOO WARRANDYTE W', null, true],
  ])('%s splits at the double filler', (field, lastName, firstName, truncated) => {
    expect(splitName(field)).toEqual({ lastName, firstName, truncated });
  });

  test('diacritics are transliterated by ICAO 9303-3, or dropped', () => {
    expect(transliterate('Müller-Strauß')).toBe('MUELLER STRAUSS');
    expect(stripAccents('Müller-Strauß')).toBe('MULLER STRAUSS');
    expect(transliterate("O'Connor Ångström Łukasz")).toBe('OCONNOR AANGSTROEM LUKASZ');
  });

  test('letters after the second double filler are removed', () => {
    expect(cleanNameField('ERIKSSON<<ANNA<MARIA<<<K<<X')).toBe('ERIKSSON<<ANNA<MARIA<<<<<<<');
    expect(cleanNameField('ARKFREITH<<<<<<')).toBe('ARKFREITH<<<<<<');
  });

  test('cleaning a name is idempotent and keeps its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ABC<'), maxLength: 39 }), (field) => {
        const clean = cleanNameField(field);
        expect(clean).toHaveLength(field.length);
        expect(cleanNameField(clean)).toBe(clean);
      }),
    );
  });
});

describe('states', () => {
  test('are ISO 3166 and ICAO codes', () => {
    expect(['UTO', 'D', 'GBN', 'XXA', 'USA'].every(isStateCode)).toBe(true);
    expect(['ABC', 'GER', '', 'usa'].some(isStateCode)).toBe(false);
    expect(toIsoState('D')).toBe('DEU');
  });

  test('a misread code is repaired only if exactly one state is possible', () => {
    expect(repairStateLetters('C0D')).toBe('COD');
    expect(repairStateLetters('132')).toBe('132');
    expect(findNearestState('UTU', 'UTO')).toBe('UTO');
    expect(findNearestState('QQQ', 'UTO')).toBeNull();
    expect(findNearestState('D<<', null)).toBe('D<<');
  });

  test('an empty code remains empty, although one letter makes it German', () => {
    expect(findNearestState('<<<', null)).toBe('<<<');
    expect(findNearestState('<<<', 'UTO')).toBe('<<<');
    // An empty code expects nothing.
    expect(findNearestState('Q<<', '')).toBe('D<<');
  });

  test('single letters among the fillers of optional data are misread fillers', () => {
    expect(clearIsolatedLetters('<<<C<<K<<<<A<')).toBe('<<<<<<<<<<<<<');
    expect(clearIsolatedLetters('ZE184226B<<D<<')).toBe('ZE184226B<<<<<');
    // Letters next to others, next to a single filler, and letters that fillers do not look like.
    expect(clearIsolatedLetters('AB<C<<<X<<')).toBe('AB<C<<<X<<');
    expect(clearIsolatedLetters('C<<<<')).toBe('C<<<<');
  });

  test('no character is its own look-alike, and look-alikes are mutual', () => {
    for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<') {
      expect(listLookalikes(character)).not.toContain(character);
      for (const other of listLookalikes(character)) expect(listLookalikes(other)).toContain(character);
    }
  });
});

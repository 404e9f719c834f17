import { parseCountryCode } from '../../../../../domain/identity/countries';
import { formatDocumentIdentity } from '../../../../../domain/identity/documents/document-identity';
import { composeMrz } from '../../../../../domain/identity/documents/mrz/compose';
import type { MrzContent } from '../../../../../domain/identity/documents/mrz/compose';
import { buildPositionAlphabets, detectMrzFormat } from '../../../../../domain/identity/documents/mrz/format';
import type { MrzFormat } from '../../../../../domain/identity/documents/mrz/format';
import { parseMrz } from '../../../../../domain/identity/documents/mrz/parse';
import type { ParsedMrz } from '../../../../../domain/identity/documents/mrz/parse';
import { NUMBER_RULES, matchesNumberRule } from '../../../../../domain/identity/documents/mrz/state-rules';
import { isStateCode, toIsoState } from '../../../../../domain/identity/documents/mrz/states';
import { isVerifiedZone, statesImpossibleDate } from '../../../../../domain/identity/documents/mrz/verification';
import { resolveReadings } from '../../../../../activities/vision/documents/zone-reading';
import type { ForcedReading } from '../../../../../activities/vision/text/forced-decoding';

const TODAY = '2026-06-15';

const parse = (lines: readonly string[]): ParsedMrz => {
  const parsed = parseMrz(lines, TODAY);
  if (parsed === null) throw new Error('not a zone');
  return parsed;
};

const compose = (format: MrzFormat, content: MrzContent = {}): string[] =>
  composeMrz(format, {
    documentCode: format === 'TD3' ? 'P' : format.startsWith('MRV') ? 'V' : 'ID',
    issuingState: 'UTO',
    nationality: 'UTO',
    name: 'ERIKSSON<<ANNA<MARIA',
    documentNumber: 'D23145890',
    dateOfBirth: '740812',
    sex: 'F',
    expiryDate: '320415',
    ...content,
  });

describe('the French identity card of 1988 to 2021', () => {
  // The specimen that the state published.
  const SPECIMEN = ['IDFRABERTHIER<<<<<<<<<<<<<<<<<<<<<<<', '8806923102858CORINNE<<<<<<<6512068F6'];

  test('has a layout of its own, whose digits verify and whose fields are read', () => {
    const parsed = parse(SPECIMEN);
    expect(parsed).toMatchObject({ format: 'IDFRA', valid: true, misplaced: [] });
    expect(parsed.checkDigits.map(({ name }) => name)).toEqual(['documentNumber', 'dateOfBirth', 'composite']);
    expect(parsed.fields).toEqual({
      documentCode: 'ID',
      issuingState: 'FRA',
      documentNumber: '880692310285',
      lastName: 'BERTHIER',
      firstName: 'CORINNE',
      nameTruncated: false,
      nationality: 'FRA',
      dateOfBirth: '1965-12-06',
      sex: 'F',
      expiryDate: null,
      personalNumber: null,
      optionalData: [],
    });
    expect(isVerifiedZone(parsed)).toBe(true);
  });

  test('several given names, the office of issue, and an altered character', () => {
    const lines = composeMrz('IDFRA', {
      documentCode: 'ID',
      issuingState: 'FRA',
      lastName: 'DE<LA<TOUR',
      optional1: '2A1005',
      documentNumber: '12052A100345',
      firstName: 'MARIE<<ANNE',
      dateOfBirth: '900229',
      sex: 'F',
    });
    expect(parse(lines).fields).toMatchObject({
      lastName: 'DE LA TOUR',
      firstName: 'MARIE ANNE',
      optionalData: ['2A1005'],
      // 1990 had no 29 February.
      dateOfBirth: null,
    });
    // Unlike in other formats the names are covered by the composite digit.
    expect(parse([(lines[0] ?? '').replace('TOUR', 'TOUP'), lines[1] ?? '']).valid).toBe(false);
  });

  test('is distinguished from other zones of two lines of 36 characters', () => {
    expect(detectMrzFormat('IDFRABERTHIER', 2, 36)).toBe('IDFRA');
    expect(detectMrzFormat('IDROUPOPESCU', 2, 36)).toBe('TD2');
    expect(detectMrzFormat('IDFRAX4RTBPFW46', 3, 30)).toBe('TD1');
  });
});

describe('rules of ICAO Doc 9303 for states', () => {
  test('part 3: Germany is D, and its published specimen parses', () => {
    const parsed = parse([
      'IDD<<T220001293<<<<<<<<<<<<<<<',
      '6408125<2010315D<<<<<<<<<<<<<4',
      'MUSTERMANN<<ERIKA<<<<<<<<<<<<<',
    ]);
    expect(parsed).toMatchObject({ valid: true, fields: { issuingState: 'D', nationality: 'D', sex: 'X' } });
    expect(toIsoState('D')).toBe('DEU');
  });

  test('part 3: codes of British nationals, organisations, refugees and people without a state exist', () => {
    const codes = 'GBD GBN GBO GBP GBS UNO UNA UNK XOM XPO XCC XBA XIM XCE XCO XEC XES XMP XDC XXA XXB XXC XXX EUE RKS';
    expect(codes.split(' ').filter((code) => !isStateCode(code))).toEqual([]);
    expect(toIsoState('GBN')).toBe('GBR');
  });

  test('part 3: Kosovo is RKS, and every other code of it denotes the same country', () => {
    expect(['RKS', 'XKX', 'XKK'].map((code) => toIsoState(code))).toEqual(['XKK', 'XKK', 'XKK']);
    expect(['RKS', 'XKX', 'XKK', 'XK', 'xkx'].map((code) => parseCountryCode(code))).toEqual(Array(5).fill('XK'));
    const identities = ['XKK', 'XKX'].map((issuingState) =>
      formatDocumentIdentity({ documentNumber: 'P 00417729', issuingState }),
    );
    expect(new Set(identities).size).toBe(1);
  });

  test('part 4: the digit of an empty personal number is a filler or zero', () => {
    const [first = '', second = ''] = compose('TD3');
    expect(second.slice(42, 43)).toBe('0');
    expect(parse([first, second]).valid).toBe(true);
    expect(parse([first, `${second.slice(0, 42)}<${second.slice(43)}`]).valid).toBe(true);
  });

  test('parts 5 and 6: a number of more than nine characters continues in the optional data, as in Belgium', () => {
    const number = { issuingState: 'BEL', nationality: 'BEL', documentNumber: '600001476', optional1: '9355' };
    const [first = '', second = '', third = ''] = compose('TD1', number);
    const long = `${first.slice(0, 14)}<${first.slice(15)}`;
    expect(parse([long, second, third])).toMatchObject({
      fields: { documentNumber: '600001476935', optionalData: [] },
      checkDigits: [{ name: 'documentNumber', printed: '5', valid: true }, {}, {}, {}],
    });
  });

  test('parts 5 and 6: the second letter of the code of a card is not V, that of a passport may be', () => {
    for (const format of ['TD1', 'TD2'] as const) expect(buildPositionAlphabets(format)[0]?.[1]).not.toContain('V');
    expect(buildPositionAlphabets('TD3')[0]?.[1]).toContain('V');
    expect(isVerifiedZone(parse(compose('TD2', { documentCode: 'IV' })))).toBe(false);
    expect(isVerifiedZone(parse(compose('TD2', { documentCode: 'ID' })))).toBe(true);
    expect(isVerifiedZone(parse(compose('TD3', { documentCode: 'PV' })))).toBe(true);
  });

  test('part 7: visas have no composite digit, and their optional data are no personal number', () => {
    for (const format of ['MRVA', 'MRVB'] as const) {
      const parsed = parse(compose(format, { optional1: '1234567' }));
      expect(parsed.checkDigits.map(({ name }) => name)).not.toContain('composite');
      expect(parsed.fields).toMatchObject({ personalNumber: null, optionalData: ['1234567'] });
    }
  });

  test('part 3: a date that is unknown as a whole is printed as fillers, and is not an impossible one', () => {
    for (const format of ['TD1', 'TD2', 'TD3'] as const) {
      const parsed = parse(compose(format, { dateOfBirth: '<<<<<<' }));
      expect(parsed.checkDigits.find(({ name }) => name === 'dateOfBirth')).toMatchObject({
        printed: '0',
        valid: true,
      });
      expect(parsed.fields.dateOfBirth).toBeNull();
      expect(statesImpossibleDate(parsed)).toBe(false);
    }
    expect(statesImpossibleDate(parse(compose('TD3', { expiryDate: '<<<<<<' })))).toBe(false);
    expect(statesImpossibleDate(parse(compose('TD3', { dateOfBirth: '910229' })))).toBe(true);
    expect(statesImpossibleDate(parse(compose('TD3', { expiryDate: '310431' })))).toBe(true);
  });

  test('an unknown month or day of birth is printed as fillers or zeros', () => {
    for (const dateOfBirth of ['74<<<<', '740000']) {
      expect(parse(compose('TD3', { dateOfBirth })).fields.dateOfBirth).toBe('1974-XX-XX');
    }
  });
});

describe('numbers of states', () => {
  test.each([
    ['TD1', 'D', 'T22000129', 'T2200O129'],
    ['TD3', 'NLD', 'SPECI2014', 'SPECO2014'],
    ['IDFRA', 'FRA', '12052A100345', '1205ZA100345'],
    ['TD3', 'GBR', '925665416', '92S665416'],
    ['TD3', 'USA', 'A12345678', 'AI2345678'],
    ['TD3', 'IND', 'K1234567', 'KI234567'],
    ['TD3', 'JPN', 'TK1234567', 'TK12345G7'],
    ['TD3', 'POL', 'AA0000000', 'AAO000000'],
    ['TD1', 'POL', 'ABA300000', '8BA300000'],
    ['TD1', 'ESP', 'BAA000589', 'BAAO00589'],
    ['TD3', 'ITA', 'AA0000000', 'AAD000000'],
    ['TD1', 'ITA', 'CA00000AA', 'CAO0000AA'],
  ] as const)('%s of %s: %s has their form, %s does not', (format, state, number, misread) => {
    expect([number, misread].map((text) => matchesNumberRule(format, state, text))).toEqual([true, false]);
  });

  test('every rule is listed with what it says, and other states have none', () => {
    for (const { description } of NUMBER_RULES) expect(description.length).toBeGreaterThan(10);
    expect(matchesNumberRule('TD3', 'UTO', 'L898902C3')).toBeNull();
  });

  test('choose between replacements that are equally likely: a German number has neither O nor B', () => {
    const lines = compose('TD1', { issuingState: 'D', nationality: 'D', documentNumber: 'C0800KJ88' });
    // Both would verify if the other were as printed: two characters are read as likely wrong as right.
    const misread = lines.map((line, index) => (index === 0 ? line.replace('C0800KJ88', 'CO800KJ88') : line));
    const doubtful = new Set([6, 7, 12, 13]);
    const reading = misread.map((text, row): ForcedReading => ({
      text,
      score: 0,
      confidences: Array.from(text, (_, at) => (row === 0 && doubtful.has(at) ? 0.6 : 0.99)),
      at: Array.from(text, (_, at) => (at + 0.5) / text.length),
    }));
    const zone = resolveReadings([reading], 'TD1', TODAY, true);
    expect(zone).toMatchObject({ repaired: true, parsed: { valid: true, fields: { documentNumber: 'C0800KJ88' } } });
  });
});

import fc from 'fast-check';
import { compareWithPrint } from '../../../../domain/identity/documents/agreement';
import type { CaptionedText, MachineValue } from '../../../../domain/identity/documents/agreement';
import { listZoneValues } from '../../../../activities/vision/documents/zone-values';
import { composeMrz } from '../../../../domain/identity/documents/mrz/compose';
import { parseMrz } from '../../../../domain/identity/documents/mrz/parse';
import type { DocumentField, FieldName } from '../../../../domain/identity/documents/result';
import { sidesContradict } from '../../../../domain/identity/documents/side-agreement';

const line = (text: string, confidence = 0.95) => ({ text, confidence });
const captioned = (name: FieldName, text: string, sameLine = false): CaptionedText => ({
  name,
  text,
  sameLine,
  confidence: 0.95,
});

/** What a line says about a value: `same`, or the words that differ, or null. */
function compareLine(field: MachineValue, text: string): string | null {
  const found = compareWithPrint<CaptionedText>(field, [], [captioned('address', text)]);
  return found === null ? null : found.agrees ? 'same' : found.text;
}

function compareCaptioned(field: MachineValue, text: string, sameLine = false): string | null {
  const own = captioned(field.name, text, sameLine);
  const found = compareWithPrint(field, [own], [own]);
  return found === null ? null : found.agrees ? 'same' : found.text;
}

describe('a value of zone or barcode', () => {
  test.each([
    ['lastName', 'MUELLER', 'Müller'],
    ['lastName', 'MULLER', 'MÜLLER'],
    ['lastName', 'OCONNOR', "O'Connor"],
    ['lastName', 'GARCIA MARQUEZ', 'GARCÍA MÁRQUEZ'],
    ['firstName', 'ANNA MARIA', 'ANNA MARIA'],
    ['firstName', 'ANNA MARIA', 'ANNAMARIA'],
    ['documentNumber', 'L898902C3', 'L 898902 C3'],
    ['documentNumber', 'AB0123456', 'ABO123456'],
    ['documentNumber', 'Y4217906', 'DLY4217906'],
    ['documentNumber', 'HD198025', 'HD NR 198025'],
    ['dateOfBirth', '1974-08-12', '12 AUG 74'],
    ['sex', 'F', 'F/F'],
  ] as const)('%s %s is confirmed by "%s"', (name, value, text) => {
    expect(compareLine({ name, value }, text)).toBe('same');
    expect(compareCaptioned({ name, value }, text)).toBe('same');
  });

  test.each([
    ['documentNumber', '533401372', '533401972', '533401972'],
    ['documentNumber', 'X42K90617', 'X42K90677', 'X42K90677'],
    ['documentNumber', 'X42K90617', 'X42K906170', 'X42K906170'],
    ['lastName', 'HARGREAVES', 'HARGROVE', 'HARGROVE'],
    ['lastName', 'HARGREAVES', 'HARGRAVES', 'HARGRAVES'],
    ['lastName', 'HARGREAVES', 'Surname HARGRAVES', 'HARGRAVES'],
    ['firstName', 'KLARA', 'CLARA', 'CLARA'],
  ] as const)('%s %s differs from "%s", which is quoted as printed', (name, value, text, quoted) => {
    expect(compareLine({ name, value }, text)).toBe(quoted);
    expect(compareCaptioned({ name, value }, text)).toBe(
      compareCaptioned({ name, value }, text) === text ? text : quoted,
    );
  });

  test('differs by any one other letter of a name or digit of a number', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'ABCDEFGHJKLMNPRTUVWXY'), minLength: 5, maxLength: 12 });
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 6, maxLength: 12 });
    const changed = (text: string, at: number, to: string): string => text.slice(0, at) + to + text.slice(at + 1);
    fc.assert(
      fc.property(letters, fc.nat(), (value, position) => {
        const at = position % value.length;
        const other = changed(value, at, value[at] === 'Q' ? 'W' : 'Q');
        expect(compareCaptioned({ name: 'lastName', value }, other)).toBe(other);
        expect(compareLine({ name: 'lastName', value }, other)).toBe(other);
      }),
    );
    fc.assert(
      fc.property(digits, fc.nat(), (value, position) => {
        const at = position % value.length;
        const other = changed(value, at, String((Number(value[at]) + 1) % 10));
        expect(compareCaptioned({ name: 'documentNumber', value }, other)).toBe(other);
        expect(compareLine({ name: 'documentNumber', value }, other)).toBe(other);
      }),
    );
  });

  test.each([
    ['dateOfBirth', '1974-08-12', '12 AUG 84'],
    ['documentNumber', 'L898902C3', 'X42K90617'],
    ['lastName', 'ERIKSSON', 'JOHANNESBURG'],
    ['firstName', 'KLARA EMILIA', 'ADAEZE'],
    ['sex', 'F', 'M'],
    ['nationality', 'UTO', 'FRA'],
  ] as const)('%s %s differs from "%s" under its caption', (name, value, text) => {
    expect(compareCaptioned({ name, value }, text)).toBe(text);
  });

  test('is confirmed by the page although another line stands under its caption', () => {
    const own = captioned('dateOfBirth', '10 JAN 2031');
    const elsewhere = captioned('expiryDate', '23 JUL 1991');
    const field = { name: 'dateOfBirth', value: '1991-07-23' } as const;
    expect(compareWithPrint(field, [own], [own, elsewhere])).toMatchObject({ agrees: true });
  });

  test('is contradicted by the value next to its caption although the page states it elsewhere', () => {
    const own = captioned('dateOfBirth', '03/11/1989', true);
    const ghost = captioned('expiryDate', '07/23/91');
    const field = { name: 'dateOfBirth', value: '1991-07-23' } as const;
    expect(compareWithPrint(field, [own], [own, ghost])).toMatchObject({ agrees: false, text: '03/11/1989' });
  });

  test('is neither confirmed nor contradicted by other print', () => {
    expect(compareLine({ name: 'lastName', value: 'ERIKSSON' }, 'UTOPIA PASSPORT')).toBeNull();
    expect(compareLine({ name: 'documentNumber', value: 'L898902C3' }, 'Height 172 cm')).toBeNull();
  });

  test('of given names is confirmed by those that a licence prints, and by names on several lines', () => {
    expect(compareCaptioned({ name: 'firstName', value: 'KLARA EMILIA' }, 'KLARA E.')).toBe('same');
    const lines = [line('GARCIA'), line('MARQUEZ')].map((one) => ({ ...captioned('address', ''), ...one }));
    expect(compareWithPrint<CaptionedText>({ name: 'lastName', value: 'GARCIA MARQUEZ' }, [], lines)).toMatchObject({
      agrees: true,
      text: 'GARCIA MARQUEZ',
    });
  });

  test('of a name whose field is full may go on in print', () => {
    const field = { name: 'firstName', value: 'KLARA EMILIA VICTO' } as const;
    expect(compareCaptioned({ ...field, truncated: true }, 'KLARA EMILIA VICTORIA')).toBe('same');
    expect(compareCaptioned(field, 'KLARA EMILIA VICTORIA')).not.toBe('same');
  });
});

describe('the names of a zone whose field is full', () => {
  // ICAO Doc 9303-4: a surname is shortened so that given names have room.
  const lines = composeMrz('TD3', {
    documentCode: 'P',
    issuingState: 'UTO',
    nationality: 'UTO',
    name: 'BENNELONG<WOOLOOMOOLOO<WARRANDYTE<W<<DI',
    documentNumber: 'X42K90617',
    dateOfBirth: '910723',
    sex: 'F',
    expiryDate: '310110',
  });
  const parsed = parseMrz(lines, '2026-06-15');
  const names = parsed === null ? [] : listZoneValues(parsed).filter(({ name }) => /Name$/.test(name));

  test('are confirmed by the names that they begin', () => {
    expect(names.map(({ value }) => value)).toEqual(['BENNELONG WOOLOOMOOLOO WARRANDYTE W', 'DI']);
    const printed = ['BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL', 'DINGO POTOROO'];
    expect(names.map((field, index) => compareCaptioned(field, printed[index] ?? ''))).toEqual(['same', 'same']);
    const [surname] = names;
    const spread = ['BENNELONG WOOLOOMOOLOO', 'WARRANDYTE', 'WARNAMBOOL'].map((text) => captioned('address', text));
    expect(surname && compareWithPrint<CaptionedText>(surname, [], spread)).toMatchObject({ agrees: true });
    const withoutInitial = spread.slice(0, 2);
    expect(surname && compareWithPrint<CaptionedText>(surname, [], withoutInitial)).toBeNull();
  });

  test('are contradicted by others, and by a word that only begins like one in their middle', () => {
    const [surname] = names;
    for (const text of ['BENNELONG WOOLOOMOOLOO WARRANDYTE KIAMA', 'BENNELONGS WOOLOOMOOLOO WARRANDYTE WARNAMBOOL']) {
      expect(surname && compareCaptioned(surname, text)).not.toBe('same');
    }
  });
});

describe('two sides', () => {
  const field = (
    name: FieldName,
    value: string,
    source: DocumentField['source'],
    agrees: boolean | null,
  ): DocumentField => ({
    name,
    value,
    source,
    agrees,
    confidence: 0.95,
    side: source === 'visual' ? 'front' : 'back',
    box: null,
  });
  const disagreement = (name: FieldName, machine: string, printed: string): DocumentField[] => [
    field(name, machine, 'mrz', false),
    field(name, printed, 'visual', false),
  ];

  test('are of two documents if two identifying values are others', () => {
    const fields = [
      ...disagreement('lastName', 'OKONKWO', 'MARTINSDOTTER'),
      ...disagreement('dateOfBirth', '1978-02-02', '1991-07-23'),
    ];
    expect(sidesContradict(fields, [])).toBe(true);
    expect(sidesContradict(fields.slice(0, 2), [])).toBe(false);
  });

  test('are of one document with altered or misread print if the values resemble each other', () => {
    const fields = [
      ...disagreement('lastName', 'HARGREAVES', 'HARGROVE'),
      ...disagreement('documentNumber', '533401372', '533401972'),
    ];
    expect(sidesContradict(fields, [])).toBe(false);
  });

  test('are of two documents if none of the printed dates is stated by the zone, nor its name or number', () => {
    const machine = [
      field('lastName', 'OKONKWO', 'mrz', null),
      field('dateOfBirth', '1978-02-02', 'mrz', null),
      field('expiryDate', '2031-01-10', 'mrz', null),
    ];
    const print = (...lines: string[]) => [{ side: 'front' as const, lines }];
    expect(sidesContradict(machine, print('23.07.1991', '10.01.2029'))).toBe(true);
    expect(sidesContradict(machine, print('23.07.1991', '10.01.2031'))).toBe(false);
    expect(sidesContradict(machine, print('23.07.1991'))).toBe(false);
    const named = machine.map((one) => (one.name === 'lastName' ? { ...one, agrees: true } : one));
    expect(sidesContradict(named, print('23.07.1991', '10.01.2029'))).toBe(false);
  });
});

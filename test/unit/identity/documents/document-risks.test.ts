import { getCalendarDays } from '../../../../domain/identity/calendar-days';
import { findLicenceState } from '../../../../domain/identity/documents/licence-issuers';
import { parseMrz } from '../../../../domain/identity/documents/mrz/parse';
import { composeMrz } from '../../../../domain/identity/documents/mrz/compose';
import { isVerifiedZone } from '../../../../domain/identity/documents/mrz/verification';
import { isIdentityDocument } from '../../../../domain/identity/documents/recognition';
import type {
  DocumentField,
  DocumentResult,
  FieldName,
  MrzReading,
} from '../../../../domain/identity/documents/result';
import { assessDocumentRisks } from '../../../../domain/identity/documents/risks';
import type { DocumentObservations } from '../../../../domain/identity/documents/risks';
import { detectPrintedType } from '../../../../domain/identity/documents/labels';
import { selectValue } from '../../../../domain/identity/documents/field-sources';
import { computeVerdict } from '../../../../domain/identity/checks/risks';

const TODAY = '2026-06-15';
const DAYS = getCalendarDays(new Date(`${TODAY}T12:00:00Z`));
const box = { x: 0, y: 0, width: 10, height: 10 };
const GOOD = { sharpness: 80, glare: 0, brightness: 128, cutOff: false, resolution: 24 };

function buildZone(verifies: boolean): MrzReading {
  const [first = '', second = ''] = composeMrz('TD3', {
    documentCode: 'P',
    issuingState: 'UTO',
    nationality: 'UTO',
    name: 'MARTINSDOTTER<<KLARA',
    documentNumber: 'X42K90617',
    dateOfBirth: '910723',
    sex: 'F',
    expiryDate: '310110',
  });
  const parsed = parseMrz([first, verifies ? second : second.replace('X42K90617', 'X42K90677')], TODAY);
  if (parsed === null) throw new Error('The zone has no layout.');
  return { ...parsed, side: 'front', repaired: false, confidence: 0.9, box };
}

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
  side: 'front',
  box,
});

type Facts = Parameters<typeof assessDocumentRisks>[0];

const FACTS: Facts = {
  documentType: 'passport',
  issuingState: 'UTO',
  documentNumber: 'X42K90617',
  personalNumber: null,
  firstName: 'KLARA',
  lastName: 'MARTINSDOTTER',
  fullName: 'KLARA MARTINSDOTTER',
  dateOfBirth: '1991-07-23',
  age: 34,
  sex: 'F',
  nationality: 'UTO',
  issueDate: null,
  expiryDate: '2031-01-10',
  placeOfBirth: null,
  address: null,
  mrz: buildZone(true),
  barcode: null,
  fields: [],
  portrait: { side: 'front', box, confidence: 0.99 },
  quality: GOOD,
  sides: [],
  thresholds: {},
  models: [],
} satisfies Omit<DocumentResult, 'risks' | 'status'>;

const OBSERVED: DocumentObservations = {
  impossibleDate: false,
  twoDocuments: false,
  barcodeExpected: false,
  sameSideTwice: false,
  recognised: true,
  captures: [],
  sides: 1,
};

const assess = (facts: Partial<Facts>, observed: Partial<DocumentObservations> = {}, days = DAYS) => {
  const risks = assessDocumentRisks({ ...FACTS, ...facts }, { ...OBSERVED, ...observed }, days);
  return { codes: risks.map(({ code }) => code), risks, verdict: computeVerdict(risks) };
};

const BAD_CAPTURES = [
  ['blurred', { sharpness: 3 }, 'image_blurred'],
  ['under a lamp', { glare: 0.3 }, 'image_glare'],
  ['dark', { brightness: 20 }, 'image_dark'],
  ['too small', { resolution: 4 }, 'image_too_small'],
  ['cut off', { cutOff: true }, 'document_cut_off'],
] as const;

describe('a capture that does not show everything', () => {
  test.each(BAD_CAPTURES)(
    '%s is captured again, whatever the unverified reading seems to show',
    (_what, quality, code) => {
      const misread = { mrz: buildZone(false), expiryDate: '2021-01-10', documentNumber: null, portrait: null };
      const { codes, verdict } = assess({ ...misread, quality: { ...GOOD, ...quality } }, { twoDocuments: true });
      expect(codes).toEqual([code]);
      expect(verdict).toBe('recapture');
    },
  );

  test('declines for a finding of a zone that verifies', () => {
    const { codes, verdict } = assess({ expiryDate: '2021-01-10', quality: { ...GOOD, sharpness: 3 } });
    expect(codes).toEqual(['document_expired', 'image_blurred']);
    expect(verdict).toBe('declined');
  });

  test('under a lamp is approved if zone and print were read in spite of it', () => {
    const { codes, verdict } = assess({ quality: { ...GOOD, glare: 0.3 } });
    expect(codes).toEqual(['image_glare']);
    expect(verdict).toBe('approved');
  });
});

describe('dates around the day of the check', () => {
  test.each([
    // 17:30 in Los Angeles on the last day, an hour before its end in the zones furthest behind, and after it.
    ['2026-06-16T00:30:00Z', '2026-06-15', []],
    ['2026-06-16T11:00:00Z', '2026-06-15', []],
    ['2026-06-16T12:00:00Z', '2026-06-15', ['document_expired']],
  ])('at %s a document that is valid through %s raises %j', (at, expiryDate, codes) => {
    expect(assess({ expiryDate }, {}, getCalendarDays(new Date(at))).codes).toEqual(codes);
  });

  test.each([
    // In Auckland, and before the day begins anywhere.
    ['2026-06-15T20:00:00Z', '2026-06-16', []],
    ['2026-06-15T09:59:00Z', '2026-06-16', ['invalid_date']],
  ])('at %s a document that was issued on %s raises %j', (at, issueDate, codes) => {
    expect(assess({ issueDate }, {}, getCalendarDays(new Date(at))).codes).toEqual(codes);
  });
});

describe('a zone', () => {
  test('whose check digits fail decides nothing: print and barcode do', () => {
    const fields = [field('expiryDate', '2021-01-10', 'mrz', null), field('expiryDate', '2031-01-10', 'visual', null)];
    expect(selectValue(fields, 'expiryDate', false)).toBe('2031-01-10');
    expect(selectValue(fields, 'expiryDate', true)).toBe('2021-01-10');
    expect(selectValue(fields.slice(0, 1), 'expiryDate', false)).toBeNull();
    const withBarcode = [...fields, field('expiryDate', '2030-07-23', 'barcode', null)];
    expect(selectValue(withBarcode, 'expiryDate', false)).toBe('2030-07-23');
  });

  test('whose check digits fail calls a reviewer if the image is good', () => {
    expect(assess({ mrz: buildZone(false) })).toMatchObject({ codes: ['mrz_check_failed'], verdict: 'review' });
  });

  test('verifies only with printed digits and a code of the standard', () => {
    expect(isVerifiedZone(buildZone(true))).toBe(true);
    expect(isVerifiedZone(buildZone(false))).toBe(false);
    const zone = buildZone(true);
    expect(isVerifiedZone({ ...zone, fields: { ...zone.fields, documentCode: 'L' } })).toBe(false);
    const fillers = parseMrz(['P<'.padEnd(44, '<'), '<'.repeat(44)], TODAY);
    expect(fillers === null || isVerifiedZone(fillers)).toBe(false);
  });
});

describe('print', () => {
  const zoneFields = (number: boolean | null, name: boolean | null, birth: boolean | null): DocumentField[] => [
    field('documentNumber', 'X42K90617', 'mrz', number),
    field('lastName', 'MARTINSDOTTER', 'mrz', name),
    field('dateOfBirth', '1991-07-23', 'mrz', birth),
  ];

  test.each([
    [[true, true, true], []],
    [[true, false, true], ['mrz_visual_mismatch']],
    [[true, null, true], ['mrz_visual_mismatch']],
    [[null, true, null], ['mrz_visual_mismatch']],
    // Some documents do not print every value that a check digit covers.
    [[true, true, null], []],
    // Print in a script that is not read states nothing.
    [[null, null, null], []],
  ] as const)('that agrees with number, name and birth of a zone by %j raises %j', (agrees, codes) => {
    expect(assess({ fields: zoneFields(agrees[0], agrees[1], agrees[2]) }).codes).toEqual(codes);
  });

  test('of a licence that does not show what its barcode states is never approved', () => {
    const fields = zoneFields(null, null, null).map((one) => ({ ...one, source: 'barcode' as const }));
    const { risks, verdict } = assess({ fields, documentType: 'driving_licence' });
    expect(risks).toEqual([
      expect.objectContaining({
        code: 'barcode_visual_mismatch',
        details: { fields: '', notPrinted: 'documentNumber,lastName,dateOfBirth' },
      }),
    ]);
    expect(verdict).toBe('review');
  });

  test('that alone states an expired date declines only if it was clearly legible', () => {
    const expired = (confidence: number) =>
      assess({
        mrz: null,
        expiryDate: '2021-01-10',
        fields: [{ ...field('expiryDate', '2021-01-10', 'visual', null), confidence }],
      });
    expect(expired(0.95).verdict).toBe('declined');
    expect(expired(0.7).verdict).toBe('review');
  });

  test('that states no expiry, by the year 9999, calls no one', () => {
    expect(assess({ expiryDate: '9999-01-01', issueDate: '2019-03-04' })).toMatchObject({
      codes: [],
      verdict: 'approved',
    });
  });

  test('of a licence without a machine-readable part is reported as such, not as a missing zone', () => {
    expect(assess({ mrz: null, documentType: 'driving_licence' })).toMatchObject({
      codes: ['print_unverified'],
      verdict: 'review',
    });
    expect(assess({ mrz: null, documentType: 'identity_card' }).codes).toEqual(['mrz_not_found']);
  });
});

test.each([
  [['DRIVING LICENCE', '1. MARTINSDOTTER', '4c. DVLA'], 'GBR'],
  [['UK', 'DRIVING LICENCE', '3. 23.07.1991 FRANCE'], 'GBR'],
  [['FÜHRERSCHEIN', 'BUNDESREPUBLIK DEUTSCHLAND'], 'DEU'],
  [['FÜHRERSCHEIN', '1. MARTINSDOTTER'], 'DEU'],
  [['FÜHRERSCHEIN', 'REPUBLIK ÖSTERREICH'], 'AUT'],
  [['PERMIS DE CONDUIRE', 'RÉPUBLIQUE FRANÇAISE'], 'FRA'],
  [['PATENTE DI GUIDA', 'REPUBBLICA ITALIANA'], 'ITA'],
  [['PERMISO DE CONDUCCIÓN'], 'ESP'],
  [['PRAWO JAZDY', 'RZECZPOSPOLITA POLSKA'], 'POL'],
  [['RIJBEWIJS'], 'NLD'],
  [['CALIFORNIA USA DRIVER LICENSE'], null],
])('%j names the state %s', (lines, state) => {
  expect(findLicenceState(lines)).toBe(state);
  expect(detectPrintedType(lines.join('\n'))).toBe('driving_licence');
});

describe('an image', () => {
  const PERSON: FieldName[] = ['lastName', 'firstName', 'dateOfBirth', 'documentNumber'];
  const recognise = (print: string, fields: FieldName[] = [], hasPortrait = true): boolean =>
    isIdentityDocument({ hasMachineReadableData: false, hasPortrait, print, fields });

  test.each([
    'CITY LIBRARY\nMember card\nKlara Martinsdotter\nCard No. 00412345\nValid until 31.12.2028',
    'UNIVERSITY OF UTOPIA\nSTUDENT ID CARD\nKlara Martinsdotter\nDate of birth 23.07.1991',
    'STADTBÜCHEREI MUSTERHEIM\nBenutzerausweis\nKlara Martinsdotter\nNr. 4711 gültig bis 2028',
  ])('of a card that is no identity document is not recognised: %j', (print) => {
    expect(recognise(print, PERSON)).toBe(false);
  });

  test.each([
    ['UTOPIA IDENTITY CARD', [], true],
    ['PASSPORT', [], false],
    ['ZENITH CARD OF A PERSON NAMED MARTINSDOTTER, KLARA', PERSON, true],
    ['Удостоверение личности гражданина, выдано районным отделом', [], true],
  ] as const)('with %j, fields %j and a portrait: %s is recognised', (print, fields, hasPortrait) => {
    expect(recognise(print, [...fields], hasPortrait)).toBe(true);
  });

  test('with a portrait and other text is not recognised', () => {
    expect(recognise('MONTHLY PUBLIC TRANSPORT TICKET ZONES 1 TO 4, NOT TRANSFERABLE', ['lastName'])).toBe(false);
  });
});

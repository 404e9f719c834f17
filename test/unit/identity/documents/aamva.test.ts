import fc from 'fast-check';
import { parseAamva } from '../../../../domain/identity/documents/aamva';
import { findAamvaIssuer, findIssuerInText } from '../../../../domain/identity/documents/aamva-issuers';
import { composeAamva } from '../../../support/identity/aamva';

/** The example of annex D of the Card Design Standard of 2020. */
const VERSION_10 = `@\n\x1e\rANSI 636000100102DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\nDCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062019\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\nDAG2300 WEST BROAD STREET\nDAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\nDCK123456789\nDDAF\nDDB06062018\nDDC06062020\nDDD1\rZVZVA01\r`;

/** The example of the standard of 2000: one name element, dates with the year first, no country. */
const VERSION_1 = `@\n\x1e\rANSI 6360000102DL00390187ZV02260032DLDAQ0123456789ABC\nDAAPUBLIC,JOHN,Q\nDAG123 MAIN STREET\nDAIANYTOWN\nDAJVA\nDAK123459999  \nDARDM  \nDAS          \nDAT     \nDAU509\nDAW175\nDAYBL \nDAZBR \nDBA20011201\nDBB19761123\nDBCM\nDBD19961201\rZVZVAJURISDICTIONDEFINEDELEMENT\r`;

describe('the barcode of a North American card', () => {
  test('is parsed in version 10', () => {
    expect(parseAamva(VERSION_10)).toEqual({
      documentType: 'driving_licence',
      issuerId: '636000',
      jurisdiction: 'VA',
      version: 10,
      fields: {
        documentNumber: 'T64235789',
        lastName: 'SAMPLE',
        firstName: 'MICHAEL JOHN',
        suffix: 'JR',
        dateOfBirth: '1986-06-06',
        expiryDate: '2024-12-10',
        issueDate: '2019-06-06',
        sex: 'M',
        street: '2300 WEST BROAD STREET',
        city: 'RICHMOND',
        region: 'VA',
        postalCode: '23269',
        country: 'USA',
        vehicleClass: 'D',
        discriminator: '2424244747474786102204',
      },
      faults: [],
    });
  });

  test('is parsed in version 1', () => {
    expect(parseAamva(VERSION_1)).toMatchObject({
      version: 1,
      jurisdiction: 'VA',
      fields: {
        documentNumber: '0123456789ABC',
        lastName: 'PUBLIC',
        firstName: 'JOHN Q',
        dateOfBirth: '1976-11-23',
        expiryDate: '2001-12-01',
        issueDate: '1996-12-01',
        sex: 'M',
        postalCode: '12345-9999',
        country: 'USA',
      },
      faults: [],
    });
  });

  test('is parsed from a Canadian card, with the year first', () => {
    const text = composeAamva({
      issuerId: '636012',
      dateOfBirth: '1985-05-20',
      postalCode: 'K1A0B1     ',
      country: 'CAN',
    });
    expect(text).toContain('DBB19850520');
    expect(parseAamva(text)?.fields).toMatchObject({
      dateOfBirth: '1985-05-20',
      postalCode: 'K1A 0B1',
      country: 'CAN',
    });
  });

  test('is parsed with all given names in one element, as in versions 2 and 3', () => {
    const text = VERSION_10.replace('DACMICHAEL\n', 'DCTMICHAEL,JOHN\n').replace('DADJOHN\n', '');
    expect(parseAamva(text.replace('63600010', '63600003'))).toMatchObject({
      version: 3,
      fields: { firstName: 'MICHAEL JOHN' },
    });
  });

  test('has the type of an identity card', () => {
    expect(parseAamva(VERSION_10.replaceAll(/DL(?=0|D)/g, 'ID'))?.documentType).toBe('identity_card');
  });

  test.each([
    ['a date that does not exist', ['DBB06061986', 'DBB02301986'], 'dateOfBirth'],
    ['no document number', ['DAQT64235789', 'DAQ'], 'documentNumber'],
    ['an issue before birth', ['DBD06062019', 'DBD06061980'], 'issueDate'],
    ['an expiry before issue', ['DBA12102024', 'DBA12102010'], 'expiryDate'],
    ['an unknown code of sex', ['DBC1', 'DBC7'], 'sex'],
    ['an issuer that is not assigned', ['ANSI 636000', 'ANSI 636099'], 'country'],
  ] as const)('with %s names its fault', (_what, [from, to], fault) => {
    expect(parseAamva(VERSION_10.replace(from, to))?.faults).toEqual([fault]);
  });

  test.each([
    '',
    'no barcode',
    '@\n\x1e\rANSI 636',
    '@\n\x1e\rANSI 636000100101ZV00410278ZVZVA01\r',
    'https://example.com',
  ])('is not made of %j', (text) => {
    expect(parseAamva(text)).toBeNull();
  });

  const letters = (max: number) =>
    fc.string({ unit: fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'), minLength: 1, maxLength: max });
  const day = fc
    .date({ min: new Date('1930-01-01'), max: new Date('2005-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  test('returns the encoded values for any version, country and separators', () => {
    fc.assert(
      fc.property(
        fc.record({
          issuerId: fc.constantFrom('636000', '636014', '604428', '636028'),
          version: fc.integer({ min: 1, max: 10 }),
          lastName: letters(20),
          firstName: letters(20),
          documentNumber: fc.string({ unit: fc.constantFrom(...'ABC0123456789'), minLength: 4, maxLength: 20 }),
          dateOfBirth: day,
        }),
        (card) => {
          const parsed = parseAamva(
            composeAamva({ ...card, country: findAamvaIssuer(card.issuerId)?.country ?? 'USA' }),
          );
          // Placeholders for unrecorded values are not names.
          fc.pre(
            !/^(NONE|UNAVL|UNAVAIL|UNKNOWN|NA)$/.test(`${card.lastName}`) &&
              !/^(NONE|UNAVL|UNAVAIL|UNKNOWN|NA)$/.test(card.firstName),
          );
          expect(parsed).toMatchObject({ version: card.version, faults: [] });
          expect(parsed?.fields).toMatchObject({
            lastName: card.lastName,
            firstName: card.firstName,
            documentNumber: card.documentNumber,
            dateOfBirth: card.dateOfBirth,
          });
        },
      ),
    );
  });

  test('never throws for any text', () => {
    fc.assert(fc.property(fc.string(), (text) => void parseAamva(`@\n\x1e\rANSI 636000100102DL00410278${text}`)));
  });
});

describe('an issuer', () => {
  test('is found by number, and by name without mistaking West Virginia for Virginia', () => {
    expect(findAamvaIssuer('636061')).toEqual({ jurisdiction: 'WV', name: 'West Virginia', country: 'USA' });
    expect(findAamvaIssuer('123456')).toBeNull();
    expect(findIssuerInText('WESTVIRGINIA DRIVER LICENSE')?.jurisdiction).toBe('WV');
    expect(findIssuerInText('British Columbia Driver’s Licence')?.country).toBe('CAN');
    expect(findIssuerInText('Führerschein Bundesrepublik Deutschland')).toBeNull();
  });
});

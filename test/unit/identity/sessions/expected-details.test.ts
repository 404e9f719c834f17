import fc from 'fast-check';
import { assessExpectedDetailsRisks, namesAgree } from '../../../../domain/identity/sessions/expected-details';
import type { ExpectedDetails } from '../../../../domain/identity/sessions/expected-details';

type Read = Parameters<typeof assessExpectedDetailsRisks>[1];

const read: Read = {
  firstName: 'ANNA MARIA',
  lastName: 'MUELLER',
  fullName: 'ANNA MARIA MUELLER',
  dateOfBirth: '1974-08-12',
  issuingState: 'DEU',
  nationality: 'AUT',
  documentNumber: 'C01X00T47',
};

const listMismatches = (expected: ExpectedDetails, document: Read = read) =>
  assessExpectedDetailsRisks(expected, document).map(({ details }) => details?.['field']);

describe('names', () => {
  test.each([
    ['Anna Müller', 'ANNA MARIA MUELLER'],
    ['Anna Müller', 'ANNA MARIA MULLER'],
    ['anna  maria MUELLER', 'Anna Maria Müller'],
    ['Müller', 'MUELLER ANNA'],
    ["Conor O'Neill", 'O NEILL CONOR'],
    ["Conor O'Neill", 'ONEILL CONOR'],
    ['Conor O’Neill', "O'NEILL CONOR"],
    ["N'Diaye", 'NDIAYE FATOU'],
    ['ONeill', "O'Neill Conor"],
    ['Østergård', 'OSTERGARD'],
    ['José Núñez-Østergård', 'JOSE NUNEZ OESTERGAARD'],
    ['Łukasz Żółć', 'LUKASZ ZOLC'],
    ['Groß', 'GROSS'],
  ])('%s agrees with %s', (expected, shown) => {
    expect(namesAgree(expected, shown)).toBe(true);
  });

  test.each([
    ['Anna Müller', 'ANNA MILLER'],
    ['Anna Müller', 'MUELLER'],
    ['Ann', 'ANNA'],
    ["Conor O'Neill", 'NEILL CONOR'],
    ['', 'ANNA'],
    ['…', 'ANNA'],
  ])('%s does not agree with %s', (expected, shown) => {
    expect(namesAgree(expected, shown)).toBe(false);
  });

  test('agree with themselves in any case and order', () => {
    const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        expect(namesAgree(words.join(' '), [...words].reverse().join(' ').toUpperCase())).toBe(true);
      }),
    );
  });
});

describe('expected details', () => {
  test('that the document confirms raise no risk', () => {
    const expected: ExpectedDetails = {
      firstName: 'Anna',
      lastName: 'Müller',
      dateOfBirth: '1974-08-12',
      country: 'DEU',
      nationality: 'AUT',
      documentNumber: 'c01 x00-t47',
    };
    expect(assessExpectedDetailsRisks(expected, read)).toEqual([]);
    expect(assessExpectedDetailsRisks({}, read)).toEqual([]);
  });

  test('that differ are reported by field, without values', () => {
    const expected: ExpectedDetails = {
      firstName: 'Bettina',
      dateOfBirth: '1974-12-08',
      country: 'FRA',
      nationality: 'DEU',
      documentNumber: 'C01X00T48',
    };
    expect(listMismatches(expected)).toEqual(['name', 'dateOfBirth', 'country', 'nationality', 'documentNumber']);
    const risksJson = JSON.stringify(assessExpectedDetailsRisks(expected, read));
    for (const value of ['Bettina', 'MUELLER', '1974', 'C01X00T4']) expect(risksJson).not.toContain(value);
  });

  test('that could not be read are never ignored', () => {
    const unread = { ...read, fullName: null, firstName: null, lastName: null, dateOfBirth: null };
    const risks = assessExpectedDetailsRisks({ lastName: 'Müller', dateOfBirth: '1974-08-12' }, unread);
    expect(risks.map(({ code, action, details }) => [code, action, details?.['found']])).toEqual([
      ['expected_name_mismatch', 'review', false],
      ['expected_date_of_birth_mismatch', 'review', false],
    ]);
  });

  test('agree with a date whose day is unknown on the document', () => {
    expect(listMismatches({ dateOfBirth: '1974-08-12' }, { ...read, dateOfBirth: '1974-08-XX' })).toEqual([]);
    expect(listMismatches({ dateOfBirth: '1974-09-12' }, { ...read, dateOfBirth: '1974-08-XX' })).toEqual([
      'dateOfBirth',
    ]);
  });
});

import { validateClaims } from '../../../../domain/identity/database-validation/validate';
import type { DatabaseClaims } from '../../../../domain/identity/database-validation/validate';

const CLAIMS: DatabaseClaims = {
  country: 'DE',
  idNumber: '12345678',
  firstName: 'ANNA',
  lastName: 'MUELLER',
  dateOfBirth: null,
  sex: null,
};

function compare(claimed: Partial<DatabaseClaims>, registered: { firstName: string; lastName: string }) {
  const person = { country: 'DE', idNumber: '12345678', dateOfBirth: null, ...registered };
  const number = { status: 'unsupported', encoded: null } as const;
  const register = { person, dataAt: '2026-11-01T00:00:00.000Z' };
  return validateClaims({ ...CLAIMS, ...claimed }, number, register, false).matchType;
}

describe('the name in a machine-readable zone matches the registered one', () => {
  test.each([
    ['JUERGEN', 'MUELLER', 'Jürgen', 'Müller'],
    ['JURGEN', 'MULLER', 'Jürgen', 'Müller'],
    ['CONOR', 'ONEILL', 'Conor', "O'Neill"],
    ['CONOR', 'O NEILL', 'Conor', 'O’Neill'],
    ['SOEREN', 'OESTERGAARD', 'Søren', 'Østergård'],
    ['SOREN', 'OSTERGARD', 'Søren', 'Østergård'],
    ['LUKASZ', 'ZOLC', 'Łukasz', 'Żółć'],
    ['Jürgen', 'Groß', 'JUERGEN', 'GROSS'],
  ])('%s %s is %s %s', (firstName, lastName, registeredFirst, registeredLast) => {
    expect(compare({ firstName, lastName }, { firstName: registeredFirst, lastName: registeredLast })).toBe('full');
  });
});

test('another name does not match in any spelling', () => {
  expect(compare({ firstName: 'PEKKA', lastName: 'MILLER' }, { firstName: 'Jürgen', lastName: 'Müller' })).toBe('none');
});

test('one of several given names is a partial match', () => {
  expect(compare({ firstName: 'JUERGEN' }, { firstName: 'Jürgen Karl', lastName: 'Müller' })).toBe('partial');
});

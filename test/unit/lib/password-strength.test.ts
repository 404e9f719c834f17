import { findPasswordWeakness } from '../../../lib/crypto/password-strength';

const KNOWN = ['alex@example.com', 'alex', 'example', 'Alex Kim', 'Northern Harbour Services'];

test.each([
  ['a password of breaches', 'password1234'],
  ['a password of breaches with a year', 'Password2024!'],
  ['a keyboard pattern', 'qwertyuiop[]'],
  ['a sequence', 'abcdefghijkl'],
  ['a repetition', 'ab1!ab1!ab1!ab1!ab1!ab1!'],
  ['the email address', 'alex@example.com'],
  ['the name of the organisation', 'Northern Harbour Services'],
])('%s is rejected with a reason', async (_what, password) => {
  expect(await findPasswordWeakness(password, KNOWN)).toMatch(/\w{3}/);
});

test.each(['a long passphrase of words', 'k3Vq9-xW2_qLm0Zt', 'Grünkohl mit zwölf Äpfeln'])(
  '%j is accepted',
  async (password) => {
    expect(await findPasswordWeakness(password, KNOWN)).toBeNull();
  },
);

test('the same password is weak only for the user whom it describes', async () => {
  const password = 'harbourservices-kim';
  expect(await findPasswordWeakness(password, [...KNOWN, 'harbourservices', 'kim'])).not.toBeNull();
  expect(await findPasswordWeakness(password, [])).toBeNull();
});

import { EMAIL_ADDRESS_PATTERN, isEmailAddress, toAsciiAddress } from '../../../../lib/mail/address';

test.each([
  ['billing@customer.example', 'billing@customer.example'],
  ["o'neil+tag@Customer.example", "o'neil+tag@Customer.example"],
  ['info@müller.de', 'info@xn--mller-kva.de'],
  ['info@MÜLLER.de', 'info@xn--mller-kva.de'],
  ['info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
  ['info@xn--e1afmkfd.xn--p1ai', 'info@xn--e1afmkfd.xn--p1ai'],
  [`${'a'.repeat(64)}@${'b'.repeat(63)}.example`, `${'a'.repeat(64)}@${'b'.repeat(63)}.example`],
  ['info@भारत.भारत', 'info@xn--h2brj9c.xn--h2brj9c'],
])('%s is an address, transmitted as %s', (address, ascii) => {
  expect(isEmailAddress(address)).toBe(true);
  expect(new RegExp(EMAIL_ADDRESS_PATTERN, 'u').test(address)).toBe(true);
  expect(toAsciiAddress(address)).toBe(ascii);
});

test.each([
  'x',
  'müller.de',
  '@müller.de',
  'info@müller',
  'info@mü ller.de',
  'info@mü\tller.de',
  'info@mü/ller.de',
  'info@mü%2fller.de',
  'info@@müller.de',
  'info@müller..de',
  '.info@müller.de',
  'in..fo@müller.de',
  'jürgen@müller.de',
  'info@-müller.de',
  'info@mü_ller.de',
  'info@１２７.０.０.１',
  'info@127.0.0.1',
  `info@${'ü.'.repeat(120)}de`,
  `${'a'.repeat(65)}@customer.example`,
  `info@${'a'.repeat(64)}.example`,
  'info@customer-.example',
  `info@${'ü'.repeat(60)}.example`,
  'info@müller.de\r\nRCPT TO:<x@y.example>',
])('%j is not an address', (text) => {
  expect(isEmailAddress(text)).toBe(false);
});

import { encodeWindows1252 } from '../../../../domain/business/accounting/windows-1252';

test.each([
  ['€', 0x80],
  ['‚', 0x82],
  ['Œ', 0x8c],
  ['Ž', 0x8e],
  ['‘', 0x91],
  ['œ', 0x9c],
  ['ž', 0x9e],
  ['Ÿ', 0x9f],
  ['ü', 0xfc],
  ['\u00a0', 0xa0],
  ['A', 0x41],
])('%s is byte %i of Windows-1252', (character, byte) => {
  expect([...encodeWindows1252(character)]).toEqual([byte]);
});

test('composed letters are one byte, and characters that Windows-1252 lacks are question marks', () => {
  expect(encodeWindows1252('u\u0308 客 \u0081').toString('latin1')).toBe('ü ? ?');
});

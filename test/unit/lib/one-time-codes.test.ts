import {
  findTotpPeriod,
  generateRecoveryCodes,
  generateTotpCode,
  generateTotpSecret,
  hashRecoveryCode,
} from '../../../lib/crypto/one-time-codes';

/** The secret of the test vectors of RFC 6238, appendix B, whose codes have eight digits; ours are their last six. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('the code at second %d is that of RFC 6238', (seconds, code) => {
  const at = new Date(seconds * 1000);
  expect(generateTotpCode(RFC_SECRET, at)).toBe(code);
  expect(findTotpPeriod(RFC_SECRET, code, at)).toBe(Math.floor(seconds / 30));
});

test('codes of the neighbouring periods are accepted with their period, others are not', () => {
  const secret = generateTotpSecret();
  const at = new Date(1_700_000_000_000);
  const offsets = [-2, -1, 0, 1, 2];
  const periods = offsets.map((offset) =>
    findTotpPeriod(secret, generateTotpCode(secret, new Date(at.getTime() + offset * 30_000)), at),
  );
  const current = Math.floor(at.getTime() / 30_000);
  expect(periods).toEqual([null, current - 1, current, current + 1, null]);
  for (const code of ['', '12345', '1234567', 'abcdef']) expect(findTotpPeriod(secret, code, at)).toBeNull();
});

test('recovery codes are distinct, of 120 bits, and are recognised however they are typed', () => {
  const codes = generateRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^(?:[a-z2-7]{4}-){5}[a-z2-7]{4}$/);
    expect(hashRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(hashRecoveryCode(code));
  }
});

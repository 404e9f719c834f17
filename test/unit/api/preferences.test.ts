import { parsePreferences } from '../../../api/http/preferences';
import { resolveGetWaitSeconds, resolveWaitSeconds } from '../../../api/identity/waiting';

test.each([
  ['wait=5', 5],
  ['wait=60', 60],
  ['wait=600', 60],
  ['wait=1000', 60],
  ['respond-async, wait=1000', 0],
  [`wait=${'9'.repeat(400)}`, 60],
  ['wait=1.5', 25],
  ['handling=strict', 25],
])('Prefer: %s is limited to the longest wait', (header, seconds) => {
  expect(resolveWaitSeconds({}, parsePreferences(header))).toBe(seconds);
});

test('a request for an existing record waits as long as Prefer asks for, at most the longest wait', () => {
  expect(resolveGetWaitSeconds({}, parsePreferences('wait=1000'))).toBe(60);
  expect(resolveGetWaitSeconds({}, parsePreferences(undefined))).toBe(0);
});

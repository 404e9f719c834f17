import { toClientKey } from '../../../lib/client-key';
import { isAddressAllowed } from '../../../services/platform/access/api-keys';

describe('client addresses', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::99', '2001:db8:1:2::/64'],
    ['nonsense', 'unknown'],
  ])('%s counts against the budget of %s', (address, client) => {
    expect(toClientKey(address)).toBe(client);
  });

  test.each([
    ['203.0.113.9', ['203.0.113.0/24'], true],
    ['::ffff:203.0.113.9', ['203.0.113.0/24'], true],
    ['203.0.113.9', ['::ffff:203.0.113.9'], true],
    ['203.0.113.9', ['::ffff:203.0.113.0/120'], true],
    ['203.0.114.9', ['::ffff:203.0.113.0/120'], false],
    ['203.0.114.9', ['203.0.113.0/24'], false],
    ['2001:db8::1', ['203.0.113.0/24', '2001:db8::/32'], true],
    ['203.0.113.9', ['203.0.113.9'], true],
    ['203.0.113.9', [], true],
    ['nonsense', ['0.0.0.0/0'], false],
    ['203.0.113.9', ['malformed'], false],
  ])('%s against %j is %s', (address, cidrs, allowed) => {
    expect(isAddressAllowed(address, cidrs)).toBe(allowed);
  });
});

import { rotated } from '../../../../services/platform/webhooks/secrets';

const now = new Date('2026-11-21T10:00:00Z');
const inHours = (hours: number): Date => new Date(now.getTime() + hours * 3_600_000);
const secret = (name: string, expiresAt: Date | null) => ({ name, expiresAt });

describe('secrets of a webhook after a rotation', () => {
  test('the new one first and without an end, the current one until the overlap is over', () => {
    expect(rotated([secret('a', null)], secret('b', null), now, 3_600_000)).toEqual([
      secret('b', null),
      secret('a', inHours(1)),
    ]);
  });

  test('an earlier end stays, a later one is brought forward, and what has ended goes', () => {
    const before = [secret('c', null), secret('b', inHours(1)), secret('a', inHours(-1))];
    expect(rotated(before, secret('d', null), now, 2 * 3_600_000)).toEqual([
      secret('d', null),
      secret('c', inHours(2)),
      secret('b', inHours(1)),
    ]);
    expect(rotated(before, secret('d', null), now, 0)).toEqual([secret('d', null)]);
  });
});

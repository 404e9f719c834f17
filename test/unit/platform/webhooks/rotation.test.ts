import { rotateSecrets } from '../../../../services/platform/webhooks/secrets';
import { HOUR_MS } from '../../../../domain/durations';

const now = new Date('2026-11-21T10:00:00Z');
const addHours = (hours: number): Date => new Date(now.getTime() + hours * HOUR_MS);
const buildSecret = (name: string, expiresAt: Date | null) => ({ name, expiresAt });

describe('secrets of a webhook after a rotation', () => {
  test('the new one first and without an end, the current one until the overlap is over', () => {
    expect(rotateSecrets([buildSecret('a', null)], buildSecret('b', null), now, HOUR_MS)).toEqual([
      buildSecret('b', null),
      buildSecret('a', addHours(1)),
    ]);
  });

  test('an earlier end stays, a later one is brought forward, and what has ended goes', () => {
    const before = [buildSecret('c', null), buildSecret('b', addHours(1)), buildSecret('a', addHours(-1))];
    expect(rotateSecrets(before, buildSecret('d', null), now, 2 * HOUR_MS)).toEqual([
      buildSecret('d', null),
      buildSecret('c', addHours(2)),
      buildSecret('b', addHours(1)),
    ]);
    expect(rotateSecrets(before, buildSecret('d', null), now, 0)).toEqual([buildSecret('d', null)]);
  });
});

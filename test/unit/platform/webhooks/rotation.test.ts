import { rotateSecrets } from '../../../../services/platform/webhooks/secrets';
import { HOUR_MS } from '../../../../domain/durations';

const now = new Date('2026-11-21T10:00:00Z');
const addHours = (hours: number): Date => new Date(now.getTime() + hours * HOUR_MS);
const buildSecret = (name: string, expiresAt: Date | null) => ({ name, expiresAt });

describe('secrets of a webhook after a rotation', () => {
  test('the new secret comes first and does not expire; the previous one expires after the overlap', () => {
    expect(rotateSecrets([buildSecret('a', null)], buildSecret('b', null), now, HOUR_MS)).toEqual([
      buildSecret('b', null),
      buildSecret('a', addHours(1)),
    ]);
  });

  test('earlier expiries are kept, later ones are shortened, and expired secrets are removed', () => {
    const before = [buildSecret('c', null), buildSecret('b', addHours(1)), buildSecret('a', addHours(-1))];
    expect(rotateSecrets(before, buildSecret('d', null), now, 2 * HOUR_MS)).toEqual([
      buildSecret('d', null),
      buildSecret('c', addHours(2)),
      buildSecret('b', addHours(1)),
    ]);
    expect(rotateSecrets(before, buildSecret('d', null), now, 0)).toEqual([buildSecret('d', null)]);
  });
});

import i18next from 'i18next';
import { formatPercentRange } from '../../../web/shared/format';

test('shares are one percentage if they are equal, and a range otherwise', async () => {
  await i18next.init({ lng: 'en' });
  expect(formatPercentRange(0.8, 0.8)).toBe('80%');
  expect(formatPercentRange(0.5, 0.75)).toBe('50% – 75%');
});

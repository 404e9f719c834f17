import { getTaxSet, TAX_SET_COUNTRIES } from '../../../../domain/business/settings/tax-sets';
import { PUBLISHED_CANADIAN_RATES, PUBLISHED_VAT_RATES } from '../../../support/business/published-vat-rates';

/** Published rates that no set has, since they apply in parts of the country only. */
const REGIONAL_RATES: Readonly<Record<string, readonly number[]>> = {
  // Jungholz and Mittelberg.
  AT: [19],
  // Corsica and the overseas departments.
  FR: [13, 8.5, 1.05, 0.9],
  // Islands of the eastern Aegean.
  GR: [17, 4],
  // Madeira and the Azores.
  PT: [22, 16],
};

const readPercentages = (country: string): number[] =>
  (getTaxSet(country, false) ?? [])
    .filter(({ category, profile }) => category === 'S' && profile === 'domestic')
    .map(({ percent }) => Number(percent));

const sortNumbers = (values: Iterable<number>): number[] => [...values].sort((a, b) => b - a);

describe('rates of the tax sets', () => {
  it.each(Object.entries(PUBLISHED_VAT_RATES))(
    'of %s are those that were published, apart from rates of regions',
    (country, published) => {
      const regional = REGIONAL_RATES[country] ?? [];
      expect(sortNumbers(readPercentages(country))).toEqual(
        sortNumbers(published.filter((rate) => !regional.includes(rate))),
      );
      expect(readPercentages(country)[0]).toBe(published[0]);
    },
  );

  it('are compared for every country that taxes by value added', () => {
    const compared = [...Object.keys(PUBLISHED_VAT_RATES), 'CA', 'US'].sort();
    expect(TAX_SET_COUNTRIES).toEqual(compared);
  });

  it('of Canada are the federal tax and its sum with the tax of each province', () => {
    const { federal, provinces } = PUBLISHED_CANADIAN_RATES;
    const sums = Object.values(provinces).map(({ percent }) => Math.round((federal + percent) * 1000) / 1000);
    expect(sortNumbers(readPercentages('CA'))).toEqual(sortNumbers(new Set([federal, ...sums])));
  });

  it('of Canada name the tax of a province that is not harmonised', () => {
    const components = (getTaxSet('CA', false) ?? []).flatMap((rate) => rate.components ?? []);
    const separate = Object.values(PUBLISHED_CANADIAN_RATES.provinces).filter(({ type }) => type !== 'hst');
    for (const { type, percent } of separate)
      expect(components).toContainEqual({
        name: type === 'qst' ? 'QST/TVQ' : 'PST',
        percent: String(percent),
      });
  });
});

import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import { Decimal } from '../../../../domain/business/decimal';
import {
  determineTaxProfile,
  findProfileRate,
  getTaxTexts,
  isUnionVatIdentifier,
  NO_DEFAULT_RATE,
  selectDefaultRate,
} from '../../../../domain/business/settings/tax-profiles';
import type { ProfiledRate, TaxedParty } from '../../../../domain/business/settings/tax-profiles';
import { validateTaxRate } from '../../../../domain/business/settings/tax-rates';
import { getTaxSet, TAX_SET_COUNTRIES } from '../../../../domain/business/settings/tax-sets';

const buildParty = (country: string | null, changes: Partial<TaxedParty> = {}): TaxedParty => ({
  taxId: null,
  address: { country },
  ...changes,
});

const verified = { taxId: 'ESB12345674', taxIdVerifiedOn: '2026-11-01' };

describe('the tax profile of a party', () => {
  test.each([
    ['DE', buildParty('DE'), 'domestic', 'domestic'],
    ['DE', buildParty(null), 'domestic', 'domestic'],
    [null, buildParty('ES', verified), 'domestic', 'domestic'],
    ['DE', buildParty('ES', verified), 'intra_community', 'reverse_charge'],
    ['DE', buildParty('ES', { taxId: 'ESB12345674' }), 'domestic', 'domestic'],
    ['DE', buildParty('ES', { taxId: 'B12345674', taxIdVerifiedOn: '2026-11-01' }), 'domestic', 'domestic'],
    ['DE', buildParty('CH'), 'export', 'export'],
    ['CH', buildParty('DE', verified), 'export', 'export'],
    ['DE', buildParty('DE', { taxProfile: 'export' }), 'export', 'export'],
    ['DE', buildParty('ES', { taxProfile: 'intra_community' }), 'intra_community', 'reverse_charge'],
    ['DE', buildParty('ES', { ...verified, taxProfile: 'domestic' }), 'domestic', 'domestic'],
  ])('of a company in %s with %j is %s for goods and %s for services', (country, party, goods, service) => {
    expect([determineTaxProfile(country, party, 'goods'), determineTaxProfile(country, party, 'service')]).toEqual([
      goods,
      service,
    ]);
  });

  test('needs an identifier with correct check digits to count as verified', () => {
    expect(['DE123456788', 'ESB12345674', 'ATU12345675', 'FR40303265045'].map(isUnionVatIdentifier)).toEqual(
      Array.from({ length: 4 }, () => true),
    );
    expect(['DE123456789', '22/815/08150', 'GB980780684', null].map(isUnionVatIdentifier)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
  });
});

describe('the default rate of a line', () => {
  const rates = new Map<number, ProfiledRate>(
    [
      { id: 1, active: true },
      { id: 2, active: true, profile: 'export' as const },
      { id: 3, active: true, profile: 'export' as const, appliesTo: 'service' as const },
      { id: 4, active: false, profile: 'exempt' as const },
      { id: 5, active: true, profile: 'small_business' as const },
    ].map((rate) => [rate.id, rate]),
  );
  const company = { country: 'DE', defaultTaxRateId: 1 };
  const line = { productTaxRateId: 7, scope: 'goods' as const };

  test('is that of the profile, for goods or services, else of the product, else of the company', () => {
    expect(findProfileRate(rates.values(), 'export', 'service')?.id).toBe(3);
    expect(selectDefaultRate(rates, company, buildParty('CH'), line)).toEqual({ taxRateId: 2 });
    expect(selectDefaultRate(rates, company, buildParty('DE'), line)).toEqual({ taxRateId: 7 });
    expect(selectDefaultRate(rates, company, null, { ...line, productTaxRateId: null })).toEqual({ taxRateId: 1 });
  });

  test('is domestic if the company has no rate for a derived profile; one that is set is required', () => {
    expect(selectDefaultRate(rates, company, buildParty('ES', verified), line)).toEqual({ taxRateId: 7 });
    const set = selectDefaultRate(rates, company, buildParty('DE', { taxProfile: 'exempt' }), line);
    expect(set).toEqual({ problem: 'is required: the company has no tax rate with profile exempt for goods' });
  });

  test('does not exist before the rates of a country are chosen', () => {
    const none = selectDefaultRate(new Map(), { ...company, defaultTaxRateId: null }, buildParty('DE'), {
      ...line,
      productTaxRateId: null,
    });
    expect(none).toEqual({ problem: NO_DEFAULT_RATE });
  });

  test('is that of the small business for every customer', () => {
    const small = { country: 'DE', defaultTaxRateId: 5 };
    expect(selectDefaultRate(rates, small, buildParty('CH'), { ...line, productTaxRateId: null })).toEqual({
      taxRateId: 5,
    });
  });
});

test.each(TAX_SET_COUNTRIES)('the tax set of %s has valid rates with texts in every language', (country) => {
  for (const rate of [...(getTaxSet(country, false) ?? []), ...(getTaxSet(country, true) ?? [])]) {
    for (const language of DOCUMENT_LANGUAGES) {
      const { name, exemptionReason } = getTaxTexts({ ...rate.texts.en, translations: rate.texts }, language);
      const terms = { category: rate.category, percent: new Decimal(rate.percent), exemptionReason };
      expect([country, name, validateTaxRate({ ...terms, validFrom: null, validTo: null })]).toEqual([
        country,
        expect.stringMatching(/\S/),
        [],
      ]);
    }
  }
});

import { readBic, readIban } from '../../../../domain/business/payments/bank-details';
import { Decimal } from '../../../../domain/business/decimal';
import { findSuccessorProblem, TAX_CATEGORIES, validateTaxRate } from '../../../../domain/business/settings/tax-rates';
import type { DatedTaxRate, TaxCategory } from '../../../../domain/business/settings/tax-rates';

describe('bank details', () => {
  test.each([
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['gb29nwbk60161331926819', 'GB29NWBK60161331926819'],
    ['IE29AIBK93115212345678', 'IE29AIBK93115212345678'],
    ['NO9386011117947', 'NO9386011117947'],
  ])('%s is stored as %s', (text, stored) => {
    expect(readIban(text)).toBe(stored);
  });

  test.each([
    '',
    'DE',
    'DE89370400440532013001',
    'DE8937040044053201300',
    'XX89370400440532013000',
    '4111111111111111',
  ])('%p is no IBAN', (text) => {
    expect(readIban(text)).toBeNull();
  });

  test('every single wrong digit of an IBAN is detected', () => {
    const iban = 'DE89370400440532013000';
    for (let at = 2; at < iban.length; at += 1)
      for (const digit of '0123456789')
        if (digit !== iban[at]) expect(readIban(`${iban.slice(0, at)}${digit}${iban.slice(at + 1)}`)).toBeNull();
  });

  test('a BIC has 8 or 11 characters', () => {
    expect(readBic('cobadeff')).toBe('COBADEFF');
    expect(readBic('COBADEFFXXX')).toBe('COBADEFFXXX');
    for (const text of ['', 'COBADEF', 'COBADEFFX', 'C0BADEFF', 'COBA12FF']) expect(readBic(text)).toBeNull();
  });
});

describe('tax rates', () => {
  const terms = (category: TaxCategory, percent: string, exemptionReason: string | null = null) => ({
    category,
    percent: new Decimal(percent),
    exemptionReason,
    validFrom: null,
    validTo: null,
  });
  const fields = (rate: ReturnType<typeof terms>) => validateTaxRate(rate).map(({ field }) => field);

  test('each category accepts the rates and reasons of EN 16931', () => {
    const allowed = TAX_CATEGORIES.map((category) => [
      category,
      ...(['7', '0'] as const).flatMap((percent) =>
        [null, 'Article 44'].map((reason) => fields(terms(category, percent, reason)).length === 0),
      ),
    ]);
    expect(allowed).toEqual([
      ['S', true, false, false, false],
      ['Z', false, false, true, false],
      ['E', false, false, false, true],
      ['AE', false, false, false, true],
      ['K', false, false, false, true],
      ['G', false, false, false, true],
      ['O', false, false, false, true],
      ['L', true, false, true, false],
      ['M', true, false, true, false],
    ]);
  });

  test('a rate must not end before it starts; a single day is valid', () => {
    const span = (validFrom: string, validTo: string) =>
      validateTaxRate({ ...terms('S', '7'), validFrom, validTo }).map(({ field }) => field);
    expect(span('2026-01-02', '2026-01-01')).toEqual(['validTo']);
    expect(span('2026-01-01', '2026-01-01')).toEqual([]);
  });

  test('a successor must exist and not form a cycle, and a cycle among other rates ends the search', () => {
    const rate = (id: number, successorId: number | null): [number, DatedTaxRate] => [
      id,
      { id, validFrom: null, validTo: null, successorId },
    ];
    const rates = new Map([rate(1, 2), rate(2, 3), rate(3, null), rate(4, 5), rate(5, 4)]);
    expect(findSuccessorProblem(rates, 3, 1)).toBe('leads back to the rate itself');
    expect(findSuccessorProblem(rates, 3, 3)).toBe('leads back to the rate itself');
    expect(findSuccessorProblem(rates, 3, 9)).toBe('is not a tax rate of the company');
    expect(findSuccessorProblem(rates, 3, 4)).toBeNull();
    expect(findSuccessorProblem(rates, null, 1)).toBeNull();
  });
});

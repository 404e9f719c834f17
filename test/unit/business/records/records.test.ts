import fc from 'fast-check';
import { CURRENCY_CODES, getCurrencyDecimals, isCurrencyCode } from '../../../../domain/business/currencies';
import { formatDocumentNumber } from '../../../../domain/business/documents/numbering';
import {
  addWordEnds,
  buildSearchTokens,
  getLookupToken,
  matchesQuery,
  MAX_PREFIX_LENGTH,
  parseQueryWords,
  splitSearchWords,
} from '../../../../domain/business/search-tokens';
import { findTaxRateOn } from '../../../../domain/business/settings/tax-rates';
import type { DatedTaxRate } from '../../../../domain/business/settings/tax-rates';

describe('currencies', () => {
  test.each([
    ['JPY', 0],
    ['EUR', 2],
    ['USD', 2],
    ['KWD', 3],
    ['XPF', 0],
  ])('%s has %d decimals', (code, decimals) => {
    expect(getCurrencyDecimals(code)).toBe(decimals);
  });

  test('codes have three capital letters and are listed once; others are rejected', () => {
    expect(new Set(CURRENCY_CODES).size).toBe(CURRENCY_CODES.length);
    expect(CURRENCY_CODES.every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
    expect(CURRENCY_CODES.length).toBeGreaterThan(150);
    for (const code of ['eur', 'EURO', 'XXX', 'XAU', '']) expect(isCurrencyCode(code)).toBe(false);
    expect(() => getCurrencyDecimals('XXX')).toThrow(RangeError);
  });
});

describe('document numbers', () => {
  test('contain the prefix, year and padded sequence; a longer sequence is not truncated', () => {
    expect(formatDocumentNumber({ prefix: 'INV', padding: 6 }, 2026, 42)).toBe('INV-2026-000042');
    expect(formatDocumentNumber({ prefix: 'A', padding: 3 }, 2026, 12_345)).toBe('A-2026-12345');
    for (const sequence of [0, -1, 1.5, Number.NaN])
      expect(() => formatDocumentNumber({ prefix: 'A', padding: 3 }, 2026, sequence)).toThrow(RangeError);
  });

  test('sort in the order of issue while the sequence fits the padding', () => {
    const sequence = fc.integer({ min: 1, max: 999_999 });
    fc.assert(
      fc.property(sequence, sequence, (a, b) => {
        const number = (value: number) => formatDocumentNumber({ prefix: 'INV', padding: 6 }, 2026, value);
        expect(number(a) < number(b)).toBe(a < b);
      }),
    );
  });
});

describe('tax rates by date', () => {
  const rate = (id: number, over: Partial<DatedTaxRate> = {}): DatedTaxRate => ({
    id,
    validFrom: null,
    validTo: null,
    successorId: null,
    ...over,
  });
  const table = (...rates: DatedTaxRate[]) => new Map(rates.map((each) => [each.id, each]));

  test('an expired rate is replaced by its successor', () => {
    const rates = table(rate(1, { validTo: '2025-12-31', successorId: 2 }), rate(2, { validFrom: '2026-01-01' }));
    expect(findTaxRateOn(rates, 1, '2025-12-31')?.id).toBe(1);
    expect(findTaxRateOn(rates, 1, '2026-01-01')?.id).toBe(2);
  });

  test('without a valid successor there is no rate, and a cycle of successors ends', () => {
    expect(findTaxRateOn(table(rate(1, { validTo: '2025-12-31' })), 1, '2026-01-01')).toBeNull();
    expect(findTaxRateOn(table(), 1, '2026-01-01')).toBeNull();
    const circle = table(
      rate(1, { validTo: '2025-12-31', successorId: 2 }),
      rate(2, { validTo: '2025-12-31', successorId: 1 }),
    );
    expect(findTaxRateOn(circle, 1, '2026-01-01')).toBeNull();
  });
});

describe('search', () => {
  const matches = (query: string, ...texts: string[]) => {
    const tokens = new Set(buildSearchTokens(texts));
    return parseQueryWords(query).every((word) => {
      const { token, rest } = getLookupToken(word);
      return tokens.has(token) && (rest === null || [...tokens].some((stored) => stored.startsWith(rest)));
    });
  };

  test.each([
    ['INV-2026-000042', true],
    ['inv-2026', true],
    ['42', true],
    ['000042', true],
    ['2026', true],
    ['2026-000042', true],
    ['2026-0', true],
    ['026-000042', false],
    ['nv-2026', false],
    ['acme inv', true],
    ['acme zebra', false],
    ['ÅNGSTROM', true],
    ['angström', true],
    ["o'br", true],
    ['donaudampfschifffahrtsgesell', true],
    ['donaudampfschifffahrtskapitan', false],
    ['acme - &', true],
    ['', true],
    ['  ', true],
    ['-', false],
    ['--- &', false],
    ['& '.repeat(20), false],
    ['-'.repeat(40), false],
    ['🎉', false],
  ])('%s matches: %p', (query, expected) => {
    expect(matches(query, 'INV-2026-000042', "Acme & O'Brien Ångström", 'Donaudampfschifffahrtsgesellschaft')).toBe(
      expected,
    );
  });

  test('every prefix of every word of a text finds it', () => {
    const word = fc.stringMatching(/^[a-zA-Z0-9äöüéñ]{1,24}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.nat(), fc.nat(), (words, which, cut) => {
        const chosen = words[which % words.length] ?? '';
        const prefix = chosen.slice(0, 1 + (cut % chosen.length));
        expect(matches(prefix, words.join(' '))).toBe(true);
      }),
    );
  });

  test('tokens stay bounded for a text of any length', () => {
    const text = Array.from({ length: 5000 }, (_, index) => `word${index}`).join(' ');
    expect(buildSearchTokens([text]).length).toBeLessThanOrEqual(40 * (MAX_PREFIX_LENGTH + 1));
  });

  test('tokens that were stored before ends of words were searchable get those of the present rule', () => {
    const separated = fc.stringMatching(/^[a-z0-9äß]{1,6}([-.@/]{1,2}[a-z0-9äß]{1,6}){0,4}$/);
    fc.assert(
      fc.property(fc.array(separated, { maxLength: 3 }), (words) => {
        const text = words.join(' ');
        const earlier = splitSearchWords(text).flatMap((word) => [
          ...Array.from({ length: Math.min(MAX_PREFIX_LENGTH, word.length) }, (_, index) => word.slice(0, index + 1)),
          word,
        ]);
        const present = buildSearchTokens([text]).sort();
        expect(addWordEnds([...new Set(earlier)]).sort()).toEqual(present);
        expect(addWordEnds(present).sort()).toEqual(present);
      }),
    );
  });

  test('a text that is not stored as tokens matches the same queries', () => {
    const words = fc.array(
      fc.constantFrom('Müller', 'Weiß', 'Ø', 'INV-2026-000042', 'ada@example.com', '(night)', '—'),
    );
    fc.assert(
      fc.property(words, words, (stored, queried) => {
        const tokens = new Set(buildSearchTokens([stored.join(' ')]));
        const query = queried.join(' ');
        const found = parseQueryWords(query).every((word) => tokens.has(word));
        expect(matchesQuery(query, [stored.join(' ')])).toBe(found);
      }),
    );
  });
});

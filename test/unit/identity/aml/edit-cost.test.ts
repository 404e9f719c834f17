import fc from 'fast-check';
import { computeEditCost } from '../../../../domain/identity/aml/edit-cost';

const WORD = fc.string({ unit: fc.constantFrom(...'abcdeghijkmnsyvwz0'), maxLength: 9 });

test('a limit changes no cost up to it, and a cost above it stays above it', () => {
  fc.assert(
    fc.property(WORD, WORD, fc.double({ min: 0, max: 6, noNaN: true }), (a, b, limit) => {
      const cost = computeEditCost(a, b);
      const limited = computeEditCost(a, b, limit);
      if (cost <= limit) expect(limited).toBe(cost);
      else expect(limited).toBeGreaterThan(limit);
    }),
    { numRuns: 3000 },
  );
});

test('the cost of an edit does not depend on the order of the words', () => {
  fc.assert(fc.property(WORD, WORD, (a, b) => expect(computeEditCost(a, b)).toBeCloseTo(computeEditCost(b, a), 9)));
});

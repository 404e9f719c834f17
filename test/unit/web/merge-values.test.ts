import fc from 'fast-check';
import { mergeValues } from '../../../web/console/components/merge-values';

const values = fc.record({
  name: fc.string(),
  address: fc.record({ city: fc.string(), country: fc.string() }),
  lines: fc.array(fc.record({ quantity: fc.integer() }), { maxLength: 3 }),
});

test('a field that the user has not changed takes its current value, every other keeps what was typed', () => {
  const read = { name: 'Lampen', address: { city: 'Kiel', country: 'DE' }, lines: [{ quantity: 1 }] };
  const typed = { name: 'Lampen AG', address: { city: 'Bonn', country: 'DE' }, lines: [{ quantity: 1 }] };
  const current = { name: 'Lampen GmbH', address: { city: 'Kiel', country: 'AT' }, lines: [{ quantity: 2 }] };
  expect(mergeValues(read, typed, current)).toEqual({
    values: { name: 'Lampen AG', address: { city: 'Bonn', country: 'AT' }, lines: [{ quantity: 2 }] },
    both: { name: 'Lampen GmbH' },
  });
});

test('without a change of one side, the merged values are those of the other', () => {
  fc.assert(
    fc.property(values, values, (read, other) => {
      expect(mergeValues(read, read, other)).toEqual({ values: other, both: {} });
      expect(mergeValues(read, other, read)).toEqual({ values: other, both: {} });
      expect(mergeValues(read, other, other)).toEqual({ values: other, both: {} });
    }),
  );
});

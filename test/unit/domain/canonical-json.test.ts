import fc from 'fast-check';
import { toCanonicalJson } from '../../../domain/canonical-json';

describe('canonical JSON', () => {
  test('has sorted keys and no spaces, and leaves out undefined members', () => {
    expect(toCanonicalJson({ b: [1, { d: null, c: 'x' }], a: true, e: undefined })).toBe(
      '{"a":true,"b":[1,{"c":"x","d":null}]}',
    );
  });

  test('parses to the same value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(toCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('does not depend on the order in which keys were set', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        expect(toCanonicalJson(reversed)).toBe(toCanonicalJson(record));
      }),
    );
  });

  test('equals plain JSON where the keys are sorted already', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const canonical = toCanonicalJson(value);
        expect(toCanonicalJson(JSON.parse(canonical))).toBe(canonical);
      }),
    );
    expect(toCanonicalJson({ a: 'ü', b: [0.1, 1e21] })).toBe(JSON.stringify({ a: 'ü', b: [0.1, 1e21] }));
  });
});

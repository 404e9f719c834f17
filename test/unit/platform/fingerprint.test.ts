import fc from 'fast-check';
import { computeRequestFingerprint } from '../../../services/platform/transactions/idempotency';

describe('the fingerprint of a request', () => {
  test('does not depend on the order of fields', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const reversed = Object.fromEntries(Object.entries(fields).reverse());
        expect(computeRequestFingerprint('POST /x', reversed)).toBe(computeRequestFingerprint('POST /x', fields));
      }),
    );
  });

  test('changes with the route, any value, and any byte of a file', () => {
    const files = { image: Buffer.from([1, 2, 3]) };
    const base = computeRequestFingerprint('POST /x', { a: 1 }, files);
    expect(computeRequestFingerprint('POST /y', { a: 1 }, files)).not.toBe(base);
    expect(computeRequestFingerprint('POST /x', { a: '1' }, files)).not.toBe(base);
    expect(computeRequestFingerprint('POST /x', { a: [1] }, files)).not.toBe(base);
    expect(computeRequestFingerprint('POST /x', { a: 1 }, { image: Buffer.from([1, 2, 4]) })).not.toBe(base);
    expect(computeRequestFingerprint('POST /x', { a: 1 })).not.toBe(base);
  });
});

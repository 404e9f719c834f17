import fc from 'fast-check';
import { Decimal, sum, ZERO } from '../../../../domain/business/decimal';
import { computeReturnedAmounts } from '../../../../domain/business/purchasing/vendor-returns';

const decimal = (value: number) => new Decimal(value);

test('6 units of 19.99 and 3.80 tax, returned one by one, add up to what was received', () => {
  const line = { quantity: decimal(6), net: new Decimal('19.99'), tax: new Decimal('3.80') };
  const nets = [0, 1, 2, 3, 4, 5].map((before) => computeReturnedAmounts(line, decimal(before), decimal(1), 2));
  expect(nets.map(({ net }) => net.toFixed(2))).toEqual(['3.33', '3.33', '3.34', '3.33', '3.33', '3.33']);
  expect(sum(nets.map(({ tax }) => tax)).toFixed(2)).toBe('3.80');
});

test('all returns of a line add up to its net amount and tax, however they are divided', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 10 });
  const cents = fc.integer({ min: 0, max: 100_000_000 });
  fc.assert(
    fc.property(parts, cents, cents, (units, netCents, taxCents) => {
      const quantity = sum(units.map(decimal));
      const line = { quantity, net: decimal(netCents).div(100), tax: decimal(taxCents).div(100) };
      let before = ZERO;
      const returned = units.map((each) => {
        const amounts = computeReturnedAmounts(line, before, decimal(each), 2);
        before = before.plus(each);
        return amounts;
      });
      expect(sum(returned.map(({ net }) => net)).toFixed()).toBe(line.net.toFixed());
      expect(sum(returned.map(({ tax }) => tax)).toFixed()).toBe(line.tax.toFixed());
      expect(returned.every(({ net, tax }) => net.gte(0) && tax.gte(0))).toBe(true);
    }),
  );
});

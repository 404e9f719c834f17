import fc from 'fast-check';
import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { divideDeduction, postDeduction } from '../../../../domain/business/accounting/deduction-postings';
import type { DeductionFacts } from '../../../../domain/business/accounting/deduction-postings';
import { computeImbalance } from '../../../../domain/business/accounting/journal';
import { Decimal, round, sum } from '../../../../domain/business/decimal';
import { DEDUCTION_KINDS } from '../../../../domain/business/payments/deductions';

const chart = PRESET_CHARTS.skr03;
const cents = fc.integer({ min: 0, max: 100_000 });
const toMoney = (amountCents: number) => new Decimal(amountCents).div(100);

/** A deduction of rates that add up to `amount` less `untaxed`, at any exchange rate. */
const facts = fc
  .record({
    kind: fc.constantFrom(...DEDUCTION_KINDS),
    side: fc.constantFrom('receivable' as const, 'payable' as const),
    nets: fc.uniqueArray(fc.record({ net: cents, percent: fc.constantFrom(0, 7, 19) }), {
      maxLength: 3,
      selector: ({ percent }) => percent,
    }),
    untaxed: cents,
    rate: fc.integer({ min: 1, max: 30_000 }),
  })
  .map(({ kind, side, nets, untaxed, rate }): DeductionFacts & { untaxed: Decimal } => {
    const taxes = nets.map(({ net, percent }) => ({
      category: percent === 0 ? ('Z' as const) : ('S' as const),
      percent: String(percent),
      net: toMoney(net),
      tax: round(toMoney(net).times(percent).div(100), 2),
    }));
    const taxTotal = sum(taxes.map(({ tax }) => tax));
    // At least a cent, as everything that is deducted.
    const rest = toMoney(untaxed + (taxes.every(({ net }) => net.isZero()) ? 1 : 0));
    const amount = sum([...taxes.map(({ net }) => net), taxTotal, rest]);
    const amountBase = round(amount.times(rate).div(10_000), 2);
    return {
      kind,
      side,
      isCredit: false,
      id: 1,
      date: '2026-02-11',
      document: { type: side === 'receivable' ? 'invoice' : 'payable', id: 7, number: '7' },
      currencyCode: 'USD',
      party: { id: 1, name: 'Party' },
      amount,
      amountBase,
      taxes,
      taxBase: round(amountBase.times(taxTotal).div(amount), 2),
      decimals: 2,
      baseDecimals: 2,
      untaxed: rest,
    };
  });

test('a deduction posts each rate as it is, and what exceeds them without tax', () => {
  fc.assert(
    fc.property(facts, ({ untaxed, ...deduction }) => {
      const entry = postDeduction(chart, deduction);
      const { base, amount } = computeImbalance(entry);
      expect([base.toNumber(), amount.toNumber()]).toEqual([0, 0]);
      const rows = divideDeduction(deduction);
      expect(rows.map(({ net }) => net.toFixed())).toEqual(deduction.taxes.map(({ net }) => net.toFixed()));
      const unmarked = entry.lines.filter(({ party, tax, account }) => {
        const { exchange_gains: gains, exchange_losses: losses } = chart.accounts;
        return party === null && tax === null && ![gains.number, losses.number].includes(account.number);
      });
      expect(
        sum(unmarked.map((line) => line.amount))
          .abs()
          .toFixed(),
      ).toBe(untaxed.toFixed());
    }),
  );
});

import fc from 'fast-check';
import {
  ACCOUNT_PURPOSE_NAMES,
  findTaxAccounts,
  listChartAccounts,
} from '../../../../domain/business/accounting/accounts';
import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { computeImbalance, reverseEntry } from '../../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../../domain/business/accounting/journal';
import {
  postAllocation,
  postBill,
  postCreditNote,
  postInvoice,
  postPayment,
  postReceipt,
  postReceiptBilled,
  postVendorCreditNote,
} from '../../../../domain/business/accounting/postings';
import type { DocumentFacts } from '../../../../domain/business/accounting/postings';
import { Decimal, round, sum, ZERO } from '../../../../domain/business/decimal';
import { TAX_CATEGORIES } from '../../../../domain/business/settings/tax-rates';

const charts = fc.constantFrom(...Object.values(PRESET_CHARTS));

/** An amount of a currency with the decimals, up to a million. */
const amountOf = (decimals: number) =>
  fc.integer({ min: 0, max: 1_000_000 * 10 ** decimals }).map((units) => new Decimal(units).div(10 ** decimals));

/** A document with any currency, rate and tax table. */
const documents = fc
  .record({
    decimals: fc.constantFrom(0, 2, 3),
    baseDecimals: fc.constantFrom(0, 2, 3),
    rate: fc.integer({ min: 1, max: 2_000_000 }).map((units) => new Decimal(units).div(10_000)),
  })
  .chain(({ decimals, baseDecimals, rate }) =>
    fc
      .array(
        fc.record({
          category: fc.constantFrom(...TAX_CATEGORIES),
          percent: fc.constantFrom('19', '7', '20', '5.5', '0'),
          net: amountOf(decimals),
        }),
        { minLength: 1, maxLength: 5 },
      )
      .map((taxed): DocumentFacts => {
        const rows = taxed.map((row) => ({ ...row, tax: round(row.net.times(row.percent).div(100), decimals) }));
        const total = sum(rows.map(({ net }) => net));
        const taxTotal = sum(rows.map(({ tax }) => tax));
        return {
          id: 1,
          number: 'INV-1',
          date: '2026-01-31',
          currencyCode: 'USD',
          party: { id: 1, name: 'Party' },
          rows,
          total,
          taxTotal,
          baseTotal: round(total.times(rate), baseDecimals),
          baseTaxTotal: round(taxTotal.times(rate), baseDecimals),
          exchangeRate: rate,
          decimals,
          baseDecimals,
        };
      }),
  );

function expectBalanced(entry: JournalEntry): void {
  const { base, amount } = computeImbalance(entry);
  expect([base.toFixed(), amount.toFixed()]).toEqual(['0', '0']);
}

const sumParty = ({ lines }: JournalEntry): string =>
  sum(lines.flatMap(({ party, base }) => (party === null ? [] : [base]))).toFixed();

test('documents of any currency, rate and tax table are posted in balance', () => {
  fc.assert(
    fc.property(charts, documents, fc.integer({ min: -5, max: 5 }), (chart, facts, cents) => {
      const gross = facts.baseTotal.plus(facts.baseTaxTotal);
      const invoice = postInvoice(chart, facts);
      expect(sumParty(invoice)).toBe(gross.toFixed());
      const received = { base: facts.baseTotal.plus(cents), amount: facts.total.plus(cents) };
      const bill = postBill(chart, { ...facts, received, exchangeDifference: new Decimal(cents) });
      expect(sumParty(bill)).toBe(gross.neg().toFixed());
      const entries = [
        invoice,
        reverseEntry(invoice, { id: 'v', kind: 'invoice_void', date: '2026-02-01', description: '' }),
        postCreditNote(chart, facts),
        bill,
        postBill(chart, { ...facts, received: null, exchangeDifference: ZERO }),
        postVendorCreditNote(chart, facts),
        postReceipt(chart, { ...facts, stockValue: round(facts.baseTotal.times('0.7'), facts.baseDecimals) }),
        postReceiptBilled(chart, facts, '2026-02-02'),
        reverseEntry(bill, { id: 'b', kind: 'bill_void', date: '2026-02-03', description: '' }),
      ];
      entries.forEach(expectBalanced);
      // The accounts of a receipt are those of its day, also when its bill, which came later, is void.
      const billed = postReceiptBilled(chart, facts, '2026-02-02');
      const restored = { id: 'r', kind: 'receipt_billed_void', date: '2026-02-03', description: '' } as const;
      expect(reverseEntry(billed, restored)).toMatchObject({ date: '2026-02-03', chartDate: facts.date });
      expect(sumParty(reverseEntry(billed, restored))).toBe(gross.neg().toFixed());
    }),
    { numRuns: 300 },
  );
});

test('payments, refunds and allocations with exchange differences are posted in balance', () => {
  const moves = fc.record({
    side: fc.constantFrom('receivable' as const, 'payable' as const),
    type: fc.constantFrom('payment' as const, 'refund' as const),
    method: fc.constantFrom('cash' as const, 'bank_transfer' as const),
    kind: fc.constantFrom('invoice' as const, 'receipt' as const, 'bill' as const),
    amount: amountOf(2),
    amountBase: amountOf(2),
    other: amountOf(2),
  });
  fc.assert(
    fc.property(charts, moves, (chart, { side, type, method, kind, amount, amountBase, other }) => {
      const common = { side, id: 1, date: '2026-01-31', party: { id: 1, name: 'Party' } };
      const paid = { ...common, type, method, reference: null, currencyCode: 'USD', amount, amountBase };
      expectBalanced(postPayment(chart, { ...paid, realised: amountBase.minus(other) }));
      const allocated = { ...common, baseCurrencyCode: 'EUR', debit: { kind, id: 7, number: 'X' } };
      const entry = postAllocation(chart, { ...allocated, consumed: amountBase, relieved: other });
      expectBalanced(entry);
      const change = side === 'receivable' ? amountBase.minus(other) : other.minus(amountBase);
      expect(sumParty(entry)).toBe(change.toFixed());
    }),
    { numRuns: 300 },
  );
});

test('a line that is subject to two taxes is revenue once', () => {
  const facts: DocumentFacts = {
    id: 1,
    number: 'INV-1',
    date: '2026-01-31',
    currencyCode: 'CAD',
    party: { id: 1, name: 'Party' },
    rows: [
      { category: 'S', percent: '5', net: new Decimal(100), tax: new Decimal(5) },
      { category: 'S', percent: '9.975', net: new Decimal(100), tax: new Decimal('9.98') },
    ],
    total: new Decimal(100),
    taxTotal: new Decimal('14.98'),
    baseTotal: new Decimal(100),
    baseTaxTotal: new Decimal('14.98'),
    exchangeRate: new Decimal(1),
    decimals: 2,
    baseDecimals: 2,
  };
  const { lines } = postInvoice(PRESET_CHARTS.generic, facts);
  const revenue = lines.filter(({ tax }) => tax?.part === 'net').map(({ base }) => base.toFixed());
  expect(revenue).toEqual(['-50', '-50']);
});

test.each(Object.entries(PRESET_CHARTS))('%s has accounts for every purpose and tax category', (_, chart) => {
  for (const purpose of ACCOUNT_PURPOSE_NAMES) expect(chart.accounts[purpose].number).toMatch(/^\d{4}$/);
  for (const category of TAX_CATEGORIES)
    expect(findTaxAccounts(chart, category, '3').revenue.number).toMatch(/^\d{4}$/);
  const numbers = listChartAccounts(chart).map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});

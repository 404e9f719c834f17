import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { postDeduction } from '../../../../domain/business/accounting/deduction-postings';
import { computeImbalance } from '../../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../../domain/business/accounting/journal';
import { postAllocation, postCreditNote, postInvoice } from '../../../../domain/business/accounting/postings';
import { VatTotals } from '../../../../domain/business/accounting/vat-report';
import { Decimal } from '../../../../domain/business/decimal';

const chart = PRESET_CHARTS.skr03;
const party = { id: 1, name: 'Käufer AG' };
const row = (net: string, tax: string) => ({
  category: 'S' as const,
  percent: '19',
  net: new Decimal(net),
  tax: new Decimal(tax),
});

const buildFacts = (date: string) => ({
  id: 7,
  number: 'INV-7',
  date,
  currencyCode: 'EUR',
  party,
  isDeposit: true,
  rows: [row('100', '19')],
  total: new Decimal(100),
  taxTotal: new Decimal(19),
  baseTotal: new Decimal(100),
  baseTaxTotal: new Decimal(19),
  exchangeRate: new Decimal(1),
  decimals: 2,
  baseDecimals: 2,
});

const settle = (date: string, net: string, tax: string): JournalEntry =>
  postAllocation(chart, {
    side: 'receivable',
    id: 3,
    date,
    baseCurrencyCode: 'EUR',
    party,
    debit: { kind: 'invoice', id: 7, number: 'INV-7' },
    consumed: new Decimal(net).plus(tax),
    relieved: new Decimal(net).plus(tax),
    depositTaxes: [row(net, tax)],
  });

const show = ({ lines }: JournalEntry) => lines.map(({ account, base }) => [account.number, base.toNumber()]);

/** Net amount and tax of each month. */
function sumVat(entries: readonly JournalEntry[]): Record<string, number[]> {
  const totals = new VatTotals('month', { from: '2026-01-01', to: '2026-12-31' }, 2);
  for (const entry of entries) {
    const { base, amount } = computeImbalance(entry);
    expect([entry.id, base.toNumber(), amount.toNumber()]).toEqual([entry.id, 0, 0]);
    totals.add(entry);
  }
  const periods = totals
    .list()
    .map(({ period, rows }) => [period, rows.flatMap(({ net, tax }) => [net, tax])] as const);
  return Object.fromEntries(periods.map(([period, sums]) => [period, sums.map((each) => each.toNumber())]));
}

test('the tax of a deposit is not due when it is requested, and due for each part that is received', () => {
  const requested = postInvoice(chart, buildFacts('2026-01-31'));
  expect(show(requested)).toEqual([
    ['1400', 119],
    ['1710', -100],
    ['1760', -19],
  ]);
  const received = settle('2026-02-10', '42.02', '7.98');
  expect(show(received)).toEqual([
    ['1710', 42.02],
    ['1710', -42.02],
    ['1760', 7.98],
    ['1776', -7.98],
  ]);
  expect(sumVat([requested, received, settle('2026-03-01', '57.98', '11.02')])).toEqual({
    '2026-02': [42.02, 7.98],
    '2026-03': [57.98, 11.02],
  });
});

test('a credit note takes back the tax of what was received, and nothing of a deposit that was not paid', () => {
  const requested = postInvoice(chart, buildFacts('2026-01-31'));
  const credited = postCreditNote(chart, buildFacts('2026-03-05'));
  expect(sumVat([requested, settle('2026-02-10', '100', '19'), credited])).toEqual({
    '2026-02': [100, 19],
    '2026-03': [-100, -19],
  });
  // The credit note is applied to the open deposit on its day.
  expect(sumVat([requested, credited, settle('2026-03-05', '100', '19')])).toEqual({ '2026-03': [0, 0] });
});

test('no tax is due for the part of a deposit that is written off', () => {
  const writtenOff = postDeduction(chart, {
    kind: 'write_off',
    side: 'receivable',
    isCredit: false,
    id: 1,
    date: '2026-02-11',
    document: { type: 'invoice', id: 7, number: 'INV-7' },
    currencyCode: 'EUR',
    party,
    amount: new Decimal('1.19'),
    amountBase: new Decimal('1.19'),
    taxes: [row('1', '0.19')],
    taxBase: new Decimal('0.19'),
    depositTaxes: [row('1', '0.19')],
    decimals: 2,
    baseDecimals: 2,
  });
  const received = settle('2026-02-10', '99', '18.81');
  expect(sumVat([postInvoice(chart, buildFacts('2026-01-31')), received, writtenOff])).toEqual({
    '2026-02': [99, 18.81],
  });
});

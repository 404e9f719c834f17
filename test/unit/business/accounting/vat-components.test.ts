import fc from 'fast-check';
import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { reverseEntry } from '../../../../domain/business/accounting/journal';
import { postInvoice } from '../../../../domain/business/accounting/postings';
import { VatTotals } from '../../../../domain/business/accounting/vat-report';
import { Decimal, round, sum } from '../../../../domain/business/decimal';
import { computeTaxComponents } from '../../../../domain/business/invoices/tax-components';

const DAYS = { from: '2026-01-01', to: '2026-01-31' };
const COMPONENTS = [
  { name: 'City', percent: '4.5' },
  { name: 'District', percent: '0.375' },
  { name: 'State', percent: '4' },
];

/** An invoice at a rate of three taxes. @param net in the currency; @param rate to the base currency */
function post(net: Decimal, rate: Decimal) {
  const tax = round(net.times('8.875').div(100), 2);
  return postInvoice(PRESET_CHARTS.generic, {
    id: 1,
    number: 'INV-1',
    date: DAYS.from,
    currencyCode: 'USD',
    party: { id: 1, name: 'Party' },
    rows: [
      {
        category: 'S',
        percent: '8.875',
        net,
        tax,
        components: computeTaxComponents(COMPONENTS, tax, 2).map(({ tax: share, ...each }) => ({
          ...each,
          share: new Decimal(share),
        })),
      },
    ],
    total: net,
    taxTotal: tax,
    baseTotal: round(net.times(rate), 2),
    baseTaxTotal: round(tax.times(rate), 2),
    exchangeRate: rate,
    decimals: 2,
    baseDecimals: 2,
  });
}

const amounts = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => new Decimal(cents).div(100));
const rates = fc.integer({ min: 1, max: 2_000_000 }).map((units) => new Decimal(units).div(10_000));

test('the components of a row add up to its tax, each has the whole net amount, and a void cancels them exactly', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(amounts, rates), { minLength: 1, maxLength: 5 }), (documents) => {
      const entries = documents.map(([net, rate]) => post(net, rate));
      const totals = new VatTotals('all', DAYS, 2);
      for (const entry of entries) totals.add(entry);
      const [row] = totals.list()[0]?.rows ?? [];
      const components = row?.components ?? [];
      expect(components.map(({ name }) => name)).toEqual(['City', 'District', 'State']);
      expect(sum(components.map(({ tax }) => tax)).toFixed()).toBe(row?.tax.toFixed());
      for (const { net } of components) expect(net.toFixed()).toBe(row?.net.toFixed());
      for (const entry of entries)
        totals.add(reverseEntry(entry, { id: 'v', kind: 'invoice_void', date: DAYS.from, description: '' }));
      const [voided] = totals.list()[0]?.rows ?? [];
      for (const { net, tax } of voided?.components ?? []) expect([net.isZero(), tax.isZero()]).toEqual([true, true]);
    }),
    { numRuns: 100 },
  );
});

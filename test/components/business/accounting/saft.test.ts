import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { postInvoice } from '../../../../domain/business/accounting/postings';
import {
  addEntries,
  formatSaftEntry,
  formatSaftHead,
  NO_ENTRIES,
  SAFT_TAIL,
} from '../../../../domain/business/accounting/saft';
import { Decimal } from '../../../../domain/business/decimal';
import { openSaftSchema } from '../../../support/business/saft-schema';

const LONG_TEXT = 'Ünïcode & <long> '.repeat(40);
const address = {
  line1: LONG_TEXT,
  line2: LONG_TEXT,
  city: LONG_TEXT,
  region: LONG_TEXT,
  postalCode: LONG_TEXT,
  country: 'DE',
};
const party = { name: LONG_TEXT, address, taxId: LONG_TEXT, registrationNumber: null };
const balances = { opening: new Decimal(0), closing: new Decimal(-119) };

/** A file of one invoice in a foreign currency, with texts of any length. */
function buildFile(company: { taxId: string | null; phone: string | null }): string {
  const chart = PRESET_CHARTS.skr03;
  const entry = postInvoice(chart, {
    id: 1,
    number: LONG_TEXT,
    date: '2026-01-31',
    currencyCode: 'USD',
    party: { id: 1, name: LONG_TEXT },
    rows: [{ category: 'S', percent: '19', net: new Decimal(110), tax: new Decimal('20.9') }],
    total: new Decimal(110),
    taxTotal: new Decimal('20.9'),
    baseTotal: new Decimal(100),
    baseTaxTotal: new Decimal(19),
    exchangeRate: new Decimal('0.909091'),
    decimals: 2,
    baseDecimals: 2,
  });
  const totals = addEntries(NO_ENTRIES, [entry]);
  const head = formatSaftHead({
    createdOn: '2026-02-01',
    softwareVersion: '10.20.30-beta.1+build.99',
    company: { ...party, ...company, contactName: LONG_TEXT, email: null },
    country: 'DE',
    currencyCode: 'EUR',
    from: '2026-01-01',
    to: '2026-01-31',
    accounts: entry.lines.map(({ account }) => ({
      ...account,
      ...{ ...balances, debit: new Decimal(0), credit: new Decimal(0), type: 'asset' as const },
    })),
    receivablesAccount: chart.accounts.receivables.number,
    payablesAccount: chart.accounts.payables.number,
    customers: [{ ...party, ...balances, id: 1 }],
    suppliers: [{ ...party, ...balances, id: 1, taxId: null }],
    taxCodes: [{ code: 'S-19', description: 'Standard', percent: '19' }],
    entryCount: totals.entryCount,
    total: totals,
  });
  return head + formatSaftEntry(entry, { country: 'DE', currencyCode: 'EUR' }) + SAFT_TAIL;
}

const findErrors = openSaftSchema();
const describeIf = (available: boolean) => (available ? describe : describe.skip);

describeIf(findErrors !== null)('the schema of SAF-T 2.00 (with python3 and pip)', () => {
  test.each([
    [{ taxId: LONG_TEXT, phone: LONG_TEXT }],
    // It requires a registration number and a telephone number also of a company that has stated none.
    [{ taxId: null, phone: null }],
  ])('accepts a file with texts of any length: %j', (company) => {
    expect(findErrors?.(buildFile(company))).toEqual([]);
  });

  test.each([
    ['an element in the wrong place', '<SoftwareID>Vouch</SoftwareID>', ''],
    ['an amount with three decimals', '<Amount>119</Amount>', '<Amount>119.001</Amount>'],
    ['a text that is too long', '<TaxCode>S-19</TaxCode>', '<TaxCode>S-19.123456</TaxCode>'],
    [
      'a date that is none',
      '<TransactionDate>2026-01-31</TransactionDate>',
      '<TransactionDate>2026-02-31</TransactionDate>',
    ],
  ])('rejects %s', (_name, found, replacement) => {
    const file = buildFile({ taxId: null, phone: null });
    expect(file).toContain(found);
    expect(findErrors?.(file.replace(found, replacement))).not.toEqual([]);
  });
});

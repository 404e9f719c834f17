import { StockValue } from '../../../../models/business/stock/stock';
import { fromDecimal128 } from '../../../../models/business/decimal128';
import { findChildren, findElement, findText, parseXml } from '../../../../lib/xml-tree';
import { bookDatevRows, readDatevBatch } from '../../../support/business/accounting/datev';
import { createBooks } from '../../../support/business/accounting/scenario';
import type { BooksScenario } from '../../../support/business/accounting/scenario';
import { createBusinessClient, getData, getRows } from '../../../support/business/client';
import { createAndDownloadExport, parseCsvRows } from '../../../support/business/exports';
import { openSaftSchema } from '../../../support/business/saft-schema';
import { expectDocumented } from '../../../support/business/documented';
import { call } from '../../../support/client';
import { closeTestPlatform } from '../../../support/tenant';

interface Line {
  accountNumber: string;
  debit: number;
  credit: number;
  currencyDebit: number;
  currencyCredit: number;
}
interface Entry {
  id: string;
  kind: string;
  date: string;
  lines: Line[];
}

/**
 * The closing balances that follow from the amounts of the scenario, computed by hand: debits are positive. Stock: 100
 * at 5; −10, −2, +2 (void), +4 (credit note), +20 and +10 at 6, −3 at the average of 650 ÷ 124.
 */
const CLOSING_BALANCES = {
  '1000': 50,
  '1200': 20.5,
  '1400': 632.9,
  '1548': 11.4,
  '1571': 7,
  '1574': 38,
  '1576': 15.2,
  '1600': -247.5,
  '1610': -71.4,
  '1771': -2.1,
  '1774': -38,
  '1776': -22.8,
  '1792': 0,
  '2660': -1.2,
  '3200': 260,
  '3950': 30,
  '3960': 15.73,
  '3980': 634.27,
  '8100': -12,
  '8120': -90,
  '8125': -500,
  '8300': -30,
  '8337': -80,
  '8400': -120,
  '9000': -500,
};

let books: BooksScenario;
beforeAll(async () => {
  books = await createBooks();
});
afterAll(closeTestPlatform);

async function listEntries(pageSize = 100): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let page = 1; ; page += 1) {
    const response = await books.client.get(`/api/journal?page=${page}&pageSize=${pageSize}`);
    expect(response.status).toBe(200);
    entries.push(...(getRows(response) as unknown as Entry[]));
    if (entries.length >= Number(response.body['totalCount'])) return entries;
  }
}

const sumCents = (lines: readonly Line[], field: 'debit' | 'credit' | 'currencyDebit' | 'currencyCredit'): number =>
  lines.reduce((total, line) => total + Math.round(line[field] * 100), 0);

async function readClosingBalances(query = ''): Promise<Record<string, number>> {
  const response = await books.client.get(`/api/reports/trial-balance${query}`);
  expectDocumented('get', '/api/reports/trial-balance', response);
  const accounts = getData(response)['accounts'] as { number: string; closing: number }[];
  return Object.fromEntries(accounts.map(({ number, closing }) => [number, closing]));
}

test('every journal entry balances in base currency and in its own', async () => {
  const response = await books.client.get('/api/journal?pageSize=100');
  expectDocumented('get', '/api/journal', response);
  const entries = await listEntries();
  for (const { id, lines } of entries) {
    expect([id, sumCents(lines, 'debit')]).toEqual([id, sumCents(lines, 'credit')]);
    expect([id, sumCents(lines, 'currencyDebit')]).toEqual([id, sumCents(lines, 'currencyCredit')]);
  }
  expect([...new Set(entries.map(({ kind }) => kind))].sort()).toEqual(
    [
      'allocation',
      'bill',
      'bill_void',
      'credit_note',
      'invoice',
      'invoice_void',
      'payment',
      'payment_void',
      'receipt',
      'receipt_billed',
      'receipt_billed_void',
      'refund',
      'stock',
      'vendor_credit_note',
      'vendor_credit_note_void',
    ].sort(),
  );
});

test('pages of the journal have every entry once, by day, and are the same at every request', async () => {
  const entries = await listEntries();
  expect(await listEntries(20)).toEqual(entries);
  expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
  expect(entries.map(({ date }) => date)).toEqual(entries.map(({ date }) => date).sort());
  const { from, to } = books.month;
  const month = await books.client.get(`/api/journal?dateFrom=${from}&dateTo=${to}&pageSize=100`);
  expect(getRows(month)).toEqual(entries.filter(({ date }) => date >= from && date <= to));
});

test('days up to the last one of the calendar have every entry, also those of stock', async () => {
  const entries = await listEntries();
  const response = await books.client.get(`/api/journal?dateFrom=${books.month.from}&dateTo=9999-12-31`);
  const expected = entries.filter(({ date }) => date >= books.month.from).length;
  expect([response.status, response.body['totalCount']]).toEqual([200, expected]);
});

test('the trial balance of documents of every kind has the balances computed by hand', async () => {
  expect(await readClosingBalances()).toEqual(CLOSING_BALANCES);
});

test('opening balances of a trial balance are the closing balances of the days before', async () => {
  const before = await readClosingBalances(`?dateFrom=${books.month.from}&dateTo=${books.month.to}`);
  const response = await books.client.get(`/api/reports/trial-balance?dateFrom=${books.today}&dateTo=${books.today}`);
  const accounts = getData(response)['accounts'] as { number: string; opening: number; debit: number }[];
  for (const { number, opening } of accounts) expect([number, opening]).toEqual([number, before[number] ?? 0]);
});

test('the journal agrees with aging and stock value on every day', async () => {
  const { client, month, today } = books;
  for (const asOf of [month.from, `${month.from.slice(0, 8)}15`, month.to, today]) {
    const balances = await readClosingBalances(`?dateTo=${asOf}&dateFrom=${asOf}`);
    const receivables = getData(await client.get(`/api/receivables/aging?asOf=${asOf}`))['total'] as { net: number };
    expect(receivables.net).toBe(balances['1400'] ?? 0);
    const payables = getData(await client.get(`/api/payables/aging?asOf=${asOf}`))['total'] as { net: number };
    expect(payables.net).toBeCloseTo(-(balances['1600'] ?? 0) - (balances['1610'] ?? 0), 6);
  }
  const { organisationId } = client.tenant;
  const values = await StockValue.find({ organisationId }).lean();
  const total = values.reduce((sum, { value }) => sum + fromDecimal128(value).toNumber(), 0);
  expect(total).toBe(CLOSING_BALANCES['3980']);
});

test('the VAT report has a row per rate and treatment, and its taxes are the balances of the tax accounts', async () => {
  const { client, month, today } = books;
  const path = `/api/reports/vat?dateFrom=${month.from}&dateTo=${today}&period=all`;
  const response = await client.get(path);
  expectDocumented('get', '/api/reports/vat', response);
  const [period] = getData(response)['periods'] as Record<string, unknown>[];
  const row = (direction: string, treatment: string, category: string, percent: number, net: number, tax: number) => ({
    direction,
    treatment,
    category,
    percent,
    net,
    tax,
    components: [],
  });
  expect(period).toEqual({
    period: `${month.from}/${today}`,
    rows: [
      row('self_assessed', 'intra_community', 'K', 0, 200, 38),
      row('output', 'reverse_charge', 'AE', 0, 80, 0),
      row('output', 'exempt', 'E', 0, 12, 0),
      row('output', 'export', 'G', 0, 90, 0),
      row('output', 'intra_community', 'K', 0, 500, 0),
      row('output', 'taxed', 'S', 19, 120, 22.8),
      row('output', 'taxed', 'S', 7, 30, 2.1),
      row('input', 'taxed', 'S', 19, 80, 15.2),
      row('input', 'taxed', 'S', 7, 100, 7),
    ],
    outputTax: 24.9,
    inputTax: 22.2,
    selfAssessedTax: 38,
    payable: 2.7,
  });
});

test('a void reduces the VAT of the month of the void, not of the invoice', async () => {
  const { client, month, today } = books;
  const response = await client.get(`/api/reports/vat?dateFrom=${month.from}&dateTo=${today}`);
  const periods = getData(response)['periods'] as { period: string; outputTax: number }[];
  expect(periods.map(({ period, outputTax }) => [period, outputTax])).toEqual([
    [month.from.slice(0, 7), 32.5],
    [today.slice(0, 7), -7.6],
  ]);
  const quarters = await client.get(`/api/reports/vat?dateFrom=${month.from}&dateTo=${today}&period=quarter`);
  for (const { period } of getData(quarters)['periods'] as { period: string }[])
    expect(period).toMatch(/^\d{4}-Q[1-4]$/);
});

describe('exports of the journal', () => {
  const getFilters = () => ({ dateFrom: books.month.from, dateTo: books.today });
  const download = async (format: string) =>
    (await createAndDownloadExport(books.client, { resource: 'journal', format, filters: getFilters() })).file;

  test('a DATEV batch has the fields of the published format, and its postings give the balances of the journal', async () => {
    const refused = await books.client.post('/api/exports', { resource: 'journal', format: 'datev' });
    expect([refused.status, refused.body['errors']]).toEqual([
      400,
      ['filters.dateFrom: is required for the format datev', 'filters.dateTo: is required for the format datev'],
    ]);
    const request = { resource: 'journal', format: 'datev', filters: getFilters() };
    const unset = await books.client.post('/api/exports', request);
    expect([unset.status, (unset.body['errors'] as string[])[0]]).toEqual([
      400,
      'format: datev needs datevConsultantNumber: set it by PUT /api/config/accounting',
    ]);
    const numbers = { datevConsultantNumber: 29_098, datevClientNumber: 55_003 };
    // Both months of the scenario are in one fiscal year, in January too.
    const settings = { ...numbers, fiscalYearStartMonth: Number(books.month.from.slice(5, 7)) };
    expect((await books.client.put('/api/config/accounting', settings)).status).toBe(200);
    const file = await download('datev');
    expect(file.headers.get('content-type')).toBe('text/csv; charset=windows-1252');
    expect(file.headers.get('content-disposition')).toContain('EXTF_Buchungsstapel');
    const { header, rows } = readDatevBatch(file.bytes);
    const compact = (day: string): string => day.replaceAll('-', '');
    expect(header.slice(10, 16)).toEqual([
      '29098',
      '55003',
      compact(getFilters().dateFrom),
      '4',
      compact(getFilters().dateFrom),
      compact(books.today),
    ]);
    expect([header[21], header[26]]).toEqual(['"EUR"', '"03"']);
    const expected = Object.entries(CLOSING_BALANCES).filter(([, balance]) => balance !== 0);
    expect(bookDatevRows(rows)).toEqual(Object.fromEntries(expected));
    expect(rows.find(({ document }) => document.startsWith('INV-'))).toMatchObject({ contraAccount: '10001' });
  });

  test('CSV rows are the lines of the entries', async () => {
    const rows = parseCsvRows((await download('csv')).bytes);
    const balances = new Map<string, number>();
    for (const { accountNumber = '', debit, credit } of rows)
      balances.set(
        accountNumber,
        (balances.get(accountNumber) ?? 0) + Math.round((Number(debit) - Number(credit)) * 100),
      );
    const cents = [...balances].map(([number, balance]) => [number, balance / 100]);
    expect(Object.fromEntries(cents)).toEqual(CLOSING_BALANCES);
    expect(rows).toHaveLength((await listEntries()).reduce((total, { lines }) => total + lines.length, 0));
  });

  test('SAF-T has header, master files and balanced transactions in the order of the OECD schema', async () => {
    const { bytes } = await download('saf-t');
    // Null without python3 and pip.
    expect(openSaftSchema()?.(bytes) ?? []).toEqual([]);
    const audit = parseXml(bytes.toString('utf8'), { maxDepth: 20, maxNodes: 100_000, maxAttributes: 20 });
    const listNames = (...path: string[]) => findElement(audit, ...path)?.children.map(({ name }) => name);
    expect(audit.namespace).toBe('urn:OECD:StandardAuditFile-Taxation/2.00');
    expect(listNames()).toEqual(['Header', 'MasterFiles', 'GeneralLedgerEntries']);
    expect(listNames('Header')?.join()).toBe(
      'AuditFileVersion,AuditFileCountry,AuditFileDateCreated,SoftwareCompanyName,SoftwareID,SoftwareVersion,' +
        'Company,DefaultCurrencyCode,SelectionCriteria,TaxAccountingBasis',
    );
    expect(listNames('MasterFiles')).toEqual(['GeneralLedgerAccounts', 'Customers', 'Suppliers', 'TaxTable']);
    const accounts = findElement(audit, 'MasterFiles', 'GeneralLedgerAccounts')?.children ?? [];
    const closing = accounts.map((account): [string, number] => [
      findText(account, 'AccountID') ?? '',
      Number(findText(account, 'ClosingDebitBalance') ?? -Number(findText(account, 'ClosingCreditBalance'))),
    ]);
    expect(Object.fromEntries(closing)).toEqual(CLOSING_BALANCES);
    expect(findText(audit, 'MasterFiles', 'Customers', 'Customer', 'ClosingDebitBalance')).toBe('632.9');
    expect(findText(audit, 'MasterFiles', 'Suppliers', 'Supplier', 'ClosingCreditBalance')).toBe('318.9');
    const entries = findElement(audit, 'GeneralLedgerEntries');
    const transactions = findChildren(findElement(entries, 'Journal'), 'Transaction');
    expect(findText(entries, 'NumberOfEntries')).toBe(String(transactions.length));
    const sumAmounts = (side: string): number =>
      transactions
        .flatMap((transaction) => findChildren(transaction, 'Line'))
        .reduce((total, line) => total + Math.round(Number(findText(line, side, 'Amount') ?? 0) * 100), 0);
    expect(sumAmounts('DebitAmount')).toBe(Math.round(Number(findText(entries, 'TotalDebit')) * 100));
    expect(sumAmounts('CreditAmount')).toBe(sumAmounts('DebitAmount'));
  });
});

test('a changed chart applies to open days and leaves locked days as they are', async () => {
  const { client, month } = books;
  const locked = await client.get(`/api/journal?dateFrom=${month.from}&dateTo=${month.to}&pageSize=100`);
  expect((await client.put('/api/config/period-lock', { lockedThrough: month.to })).status).toBe(200);
  const accounts = [{ purpose: 'inventory', number: '3970', name: 'Other stock' }];
  const changed = await client.put('/api/config/accounting', { accounts });
  expectDocumented('put', '/api/config/accounting', changed);
  expect(getData(changed)['chartValidFrom']).toBe(`${books.today.slice(0, 7)}-01`);
  const after = await client.get(`/api/journal?dateFrom=${month.from}&dateTo=${month.to}&pageSize=100`);
  expect(after.body).toEqual(locked.body);
  const balances = await readClosingBalances();
  expect(balances['3970']).toBe(CLOSING_BALANCES['3980']);
  expect(balances['3980']).toBeUndefined();
});

test('settings that were read can be sent back, and an incomplete tax table is rejected by field', async () => {
  const client = await createBusinessClient('Charts');
  const read = await client.get('/api/config/accounting');
  expectDocumented('get', '/api/config/accounting', read);
  const same = await client.put('/api/config/accounting', getData(read));
  expect([same.status, getData(same)]).toEqual([200, getData(read)]);
  const skr04 = await client.put('/api/config/accounting', { preset: 'skr04' });
  const accounts = getData(skr04)['accounts'] as { purpose: string; number: string }[];
  expect(accounts.find(({ purpose }) => purpose === 'bank')?.number).toBe('1800');
  const taxes = (getData(skr04)['taxes'] as { category: string }[]).filter(({ category }) => category !== 'K');
  const rejected = await client.put('/api/config/accounting', { taxes });
  expect(rejected.status).toBe(400);
  expect(rejected.body['errors']).toEqual([
    'taxes: must have accounts for every percentage (percent null) of the categories K',
  ]);
  const stale = await client.put('/api/config/accounting', { preset: 'skr03' }, { 'If-Match': '"1"' });
  expect(stale.status).toBe(412);
});

test('reading the journal needs accounting:read, changing the chart accounting:update', async () => {
  const { tenant } = books.client;
  const reader = await tenant.createBusinessKey(['accounting:read']);
  const other = await tenant.createBusinessKey(['invoices:read', 'config:update']);
  for (const path of ['/api/journal', '/api/reports/trial-balance', '/api/reports/vat', '/api/config/accounting']) {
    expect((await call('GET', path, { key: reader })).status).toBe(200);
    expect((await call('GET', path, { key: other })).status).toBe(403);
  }
  for (const key of [reader, other])
    expect((await call('PUT', '/api/config/accounting', { key, json: { preset: 'skr03' } })).status).toBe(403);
});

test('days in the wrong order and unknown parameters are rejected by name', async () => {
  const wrong = await books.client.get('/api/journal?dateFrom=2026-02-01&dateTo=2026-01-01');
  expect([wrong.status, wrong.body['errors']]).toEqual([400, ['dateFrom: must not be after dateTo, 2026-01-01']]);
  const period = await books.client.get('/api/reports/vat?period=week');
  expect([period.status, period.body['errors']]).toEqual([400, ['period: must be one of month, quarter, all']]);
});

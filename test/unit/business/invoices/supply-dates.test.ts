import { toElectronicInvoice } from '../../../../domain/business/documents/einvoice/from-document';
import { findEInvoiceViolations } from '../../../../domain/business/documents/einvoice/check';
import { coverPeriods, findSupplyDateProblems } from '../../../../domain/business/invoices/supply-dates';
import { buildTestInvoice, buildTestInvoiceLine, buildUntaxedInvoice } from '../../../support/business/documents';

const november = { start: '2026-11-01', end: '2026-11-30' };

describe('the dates of supply of a document or line', () => {
  test.each([
    [{}, '' as const, null, []],
    [{ deliveryDate: '2026-11-20' }, '' as const, null, []],
    [{ deliveryPeriod: november }, '' as const, null, []],
    [{ deliveryPeriod: { start: '2026-11-20', end: '2026-11-20' } }, 'lines[0].' as const, november, []],
    [{ deliveryDate: '2026-11-20', deliveryPeriod: november }, '' as const, null, ['deliveryPeriod']],
    [{ deliveryPeriod: { start: '2026-11-02', end: '2026-11-01' } }, '' as const, null, ['deliveryPeriod.end']],
    [{ deliveryDate: '2026-12-01' }, 'lines[3].' as const, november, ['lines[3].deliveryDate']],
    [
      { deliveryPeriod: { start: '2026-10-31', end: '2026-11-02' } },
      'lines[1].' as const,
      november,
      ['lines[1].deliveryPeriod'],
    ],
  ])('%j at "%s" within %j has problems with %j', (dates, at, within, fields) => {
    expect(findSupplyDateProblems(dates, at, within).map(({ field }) => field)).toEqual(fields);
  });

  test('cover a period only if every line states them', () => {
    const day = { start: '2026-12-03', end: '2026-12-03' };
    expect(coverPeriods([november, day])).toEqual({ start: '2026-11-01', end: '2026-12-03' });
    expect(coverPeriods([november, null])).toBeNull();
    expect(coverPeriods([])).toBeNull();
  });
});

describe('the dates of supply in an electronic invoice', () => {
  const within = buildUntaxedInvoice('K', 'Intra-Community supply');
  const findRules = (changes: object) =>
    findEInvoiceViolations({ ...within, ...changes }).map(({ rule, field }) => `${rule} ${field}`);

  test('are not invented for a supply within the Union', () => {
    expect(findRules({ deliveryDate: null, deliveryPeriod: null })).toEqual(['BR-IC-11 deliveryDate']);
    expect(findRules({ deliveryDate: '2026-11-20', deliveryPeriod: null })).toEqual([]);
    expect(findRules({ deliveryDate: null, deliveryPeriod: november })).toEqual([]);
  });

  test('are those of the lines if the document states none', () => {
    const lines = within.lines.map((line) => ({ ...line, deliveryDate: '2026-11-20' }));
    const stated = { ...within, lines, deliveryDate: null, deliveryPeriod: null };
    expect(toElectronicInvoice(stated)).toMatchObject({
      delivery: { date: null, country: 'ES' },
      period: { start: '2026-11-20', end: '2026-11-20' },
    });
    expect(findEInvoiceViolations(stated)).toEqual([]);
  });

  test('stay as they were in documents issued before dates could be stated', () => {
    expect(toElectronicInvoice(within)).toMatchObject({
      delivery: { date: '2026-11-21', country: 'ES' },
      period: null,
    });
    expect(toElectronicInvoice(buildTestInvoice())).toMatchObject({ delivery: null, period: null });
  });

  test('belong to their line (BG-26)', () => {
    const lines = [buildTestInvoiceLine({ deliveryPeriod: november }), buildTestInvoiceLine({ lineId: 2 })];
    expect(toElectronicInvoice(buildTestInvoice({ lines })).lines.map(({ period }) => period)).toEqual([
      november,
      null,
    ]);
  });
});

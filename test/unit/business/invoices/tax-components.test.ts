import { Decimal, sum } from '../../../../domain/business/decimal';
import { computeTaxComponents } from '../../../../domain/business/invoices/tax-components';
import { findEInvoiceViolations } from '../../../../domain/business/documents/einvoice/check';
import { buildTestInvoice, buildTestInvoiceTax } from '../../../support/business/documents';

const QUEBEC = [
  { name: 'GST', percent: '5' },
  { name: 'QST', percent: '9.975' },
];
const split = (tax: string, before = '0') =>
  computeTaxComponents(QUEBEC, new Decimal(tax), 2, new Decimal(before)).map((component) => component.tax);

describe('several taxes of one rate', () => {
  test('share the tax of the row by their percentages, to the cent', () => {
    expect(split('14.98')).toEqual(['5', '9.98']);
    expect(split('0.01')).toEqual(['0', '0.01']);
    expect(split('0')).toEqual(['0', '0']);
  });

  test('are credited in parts exactly as they were invoiced', () => {
    const parts = ['3.33', '0.01', '7.07', '4.57'];
    let before = new Decimal(0);
    const credited = parts.map((part) => {
      const components = split(part, before.toFixed());
      expect(sum(components.map((tax) => new Decimal(tax))).toFixed()).toBe(new Decimal(part).toFixed());
      before = before.plus(part);
      return components;
    });
    const totals = QUEBEC.map((_, index) => sum(credited.map((components) => new Decimal(components[index] ?? 0))));
    expect(totals.map((total) => total.toFixed())).toEqual(split('14.98'));
  });

  test('cannot be an electronic invoice', () => {
    const taxes = [buildTestInvoiceTax({ components: computeTaxComponents(QUEBEC, new Decimal('19'), 2) })];
    expect(findEInvoiceViolations(buildTestInvoice({ taxes })).map(({ rule }) => rule)).toEqual([
      'VOUCH-TAX-COMPONENTS',
    ]);
  });
});

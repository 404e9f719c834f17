import { explainCalculation } from '../../../../domain/business/invoices/calculation-explanation';
import { toElectronicInvoice } from '../../../../domain/business/documents/einvoice/from-document';
import { findTaxRowIndex } from '../../../../domain/business/invoices/tax-rows';
import { buildTestInvoice, buildTestInvoiceLine, buildTestInvoiceTax } from '../../../support/business/documents';

const exempt = { taxCategory: 'E', taxPercent: '0', tax: '0' } as const;
const EDUCATION = 'Education, article 132';
const INSURANCE = 'Insurance, article 135';

/** Two rates share the second row; their exemption reasons differ from that of the first. */
const DOCUMENT = buildTestInvoice({
  lines: [
    buildTestInvoiceLine({ ...exempt, lineId: 1, taxRateId: 1, gross: '10', net: '10', exemptionReason: EDUCATION }),
    buildTestInvoiceLine({ ...exempt, lineId: 2, taxRateId: 2, gross: '20', net: '20', exemptionReason: INSURANCE }),
    buildTestInvoiceLine({ ...exempt, lineId: 3, taxRateId: 3, gross: '40', net: '40', exemptionReason: INSURANCE }),
    buildTestInvoiceLine({
      lineId: 4,
      taxRateId: 4,
      gross: '80',
      net: '80',
      tax: '16.80',
      taxPercent: '21',
      exemptionReason: null,
    }),
  ],
  taxes: [
    buildTestInvoiceTax({ taxRateId: 1, category: 'E', percent: '0', exemptionReason: EDUCATION, net: '10', tax: '0' }),
    buildTestInvoiceTax({ taxRateId: 2, category: 'E', percent: '0', exemptionReason: INSURANCE, net: '60', tax: '0' }),
    buildTestInvoiceTax({ taxRateId: 4, percent: '21', exemptionReason: null, net: '80', tax: '16.80' }),
  ],
});

test('a line belongs to the row of its category, percentage and reason, even if the row has the name of another rate', () => {
  expect(DOCUMENT.lines.map((line) => findTaxRowIndex(DOCUMENT, line))).toEqual([0, 1, 1, 2]);
  expect(findTaxRowIndex(DOCUMENT, buildTestInvoiceLine({ ...exempt, exemptionReason: 'Another' }))).toBe(-1);
});

test('a line without reason belongs to the row of its rate, else to the first row of its category and percentage', () => {
  const rows = DOCUMENT.lines.map(({ exemptionReason: _, ...line }) => findTaxRowIndex(DOCUMENT, line));
  expect(rows).toEqual([0, 1, 0, 2]);
});

test('each row of the table is explained by its own lines', () => {
  const steps = new Map(explainCalculation(DOCUMENT).map(({ of, formula }) => [of, formula]));
  expect([0, 1, 2].map((row) => steps.get(`taxes[${row}].net`))).toEqual(['10', '20 + 40', '80']);
});

test('the electronic invoice has one breakdown for the category and percentage, with every reason', () => {
  const breakdowns = toElectronicInvoice(DOCUMENT).taxes.map(({ category, taxable, exemptionReason }) => [
    category,
    taxable,
    exemptionReason,
  ]);
  expect(breakdowns).toEqual([
    ['E', '70.00', `${EDUCATION}; ${INSURANCE}`],
    ['S', '80.00', null],
  ]);
});

import type {
  CreditNoteSnapshot,
  DocumentAdjustmentSnapshot,
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  InvoiceTaxSnapshot,
  PostalAddress,
} from '../../../domain/business/invoices/invoice';
import { Decimal } from '../../../domain/business/decimal';
import type { PrepaidSnapshot } from '../../../domain/business/invoices/prepaid';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import type { TaxCategory } from '../../../domain/business/settings/tax-rates';

/** An address without any part except those given. */
export const buildTestAddress = (changes: Partial<PostalAddress>): PostalAddress => ({
  line1: null,
  line2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
  ...changes,
});

/** A line of 100.00 for two units, with the given changes. */
export const buildTestInvoiceLine = (changes: Partial<InvoiceLineSnapshot> = {}): InvoiceLineSnapshot => ({
  lineId: 1,
  productId: 9,
  productCode: 'SKU-9',
  description: 'Beratung & Einführung <vor Ort>',
  unit: 'HUR',
  quantity: '2',
  unitPrice: '50',
  priceIncludesTax: false,
  discountPercent: '0',
  gross: '100',
  discount: '0',
  net: '100',
  tax: '19',
  taxRateId: 1,
  taxPercent: '19',
  taxCategory: 'S',
  ...changes,
});

/** A row of a tax table: 19 % of 100, as decimal texts. */
export const buildTestInvoiceTax = (changes: Partial<InvoiceTaxSnapshot> = {}): InvoiceTaxSnapshot => ({
  taxRateId: 1,
  name: 'USt 19 %',
  category: 'S',
  percent: '19',
  exemptionReason: null,
  net: '100',
  tax: '19',
  ...changes,
});

/** A deposit at 19 %, of an invoice of 119.00. */
export function buildTestPrepaid(total: string): PrepaidSnapshot {
  const net = new Decimal(total).div('1.19').toFixed();
  const tax = new Decimal(total).minus(net).toFixed();
  const deposit = { invoiceId: 3, number: 'INV-2026-000003', issueDate: '2026-11-03', net, tax, total };
  return {
    deposits: [{ ...deposit, taxes: [{ category: 'S', percent: '19', net, tax }] }],
    payments: [],
    amount: total,
    due: new Decimal(119).minus(total).toFixed(),
  };
}

/** A discount of 10.00 at 19 %, with the given changes. */
export const buildTestAdjustment = (changes: Partial<DocumentAdjustmentSnapshot> = {}): DocumentAdjustmentSnapshot => ({
  adjustmentId: 1,
  type: 'discount',
  reason: 'Treuerabatt',
  percent: null,
  base: null,
  includesTax: false,
  amount: '10',
  net: '10',
  tax: '1.9',
  taxRateId: 1,
  taxPercent: '19',
  taxCategory: 'S',
  exemptionReason: null,
  ...changes,
});

const COMMON_FIELDS = {
  templateVersion: DOCUMENT_TEMPLATE_VERSION,
  language: 'de',
  number: 'R-2026-000017',
  issueDate: '2026-11-21',
  issuedAt: '2026-11-21T10:15:30.000Z',
  reference: 'PO 7731',
  notes: 'Vielen Dank.\nÀ bientôt!',
  currencyCode: 'EUR',
  currencyDecimals: 2,
  baseCurrencyCode: 'EUR',
  baseCurrencyDecimals: 2,
  exchangeRate: '1',
  taxRounding: 'per_rate',
  seller: {
    legalName: 'Kaffeerösterei Nordlicht GmbH',
    taxId: 'DE 123 456 789',
    registrationNumber: 'HRB 98765',
    address: buildTestAddress({ line1: 'Speicherstraße 14', postalCode: '20457', city: 'Hamburg', country: 'DE' }),
    email: 'billing@nordlicht.example',
    phone: '+49 40 1234567',
    website: null,
    bankName: 'Commerzbank',
    iban: 'DE89 3704 0044 0532 0130 00',
    bic: 'COBADEFFXXX',
    logoKey: null,
  },
  buyer: {
    customerId: 3,
    code: 'C-3',
    name: 'Café Ñandú, S.L.',
    taxId: 'ESB12345674',
    address: buildTestAddress({ line1: 'Calle de la Ribera 3', postalCode: '08003', city: 'Barcelona', country: 'ES' }),
    email: null,
  },
  lines: [buildTestInvoiceLine()],
  taxes: [buildTestInvoiceTax()],
  total: '100',
  taxTotal: '19',
  grandTotal: '119',
  baseTotal: '100',
  baseTaxTotal: '19',
  baseGrandTotal: '119',
} as const satisfies Partial<InvoiceSnapshot>;

/** An invoice of one line, 100.00 and 19 % of tax. */
export const buildTestInvoice = (changes: Partial<InvoiceSnapshot> = {}): InvoiceSnapshot => ({
  ...COMMON_FIELDS,
  lines: [...COMMON_FIELDS.lines],
  taxes: [...COMMON_FIELDS.taxes],
  documentKind: 'invoice',
  dueDate: '2026-12-21',
  paymentTerms: 'NET30',
  ...changes,
});

/** A credit note of that invoice. */
export const buildTestCreditNote = (changes: Partial<CreditNoteSnapshot> = {}): CreditNoteSnapshot => ({
  ...COMMON_FIELDS,
  lines: [...COMMON_FIELDS.lines],
  taxes: [...COMMON_FIELDS.taxes],
  documentKind: 'credit_note',
  number: 'G-2026-000002',
  precedingInvoice: { number: 'R-2026-000017', issueDate: '2026-11-21' },
  reason: 'Ware beschädigt',
  ...changes,
});

/** An invoice with one line of a tax category without tax. */
export const buildUntaxedInvoice = (category: TaxCategory, exemptionReason: string | null): InvoiceSnapshot =>
  buildTestInvoice({
    lines: [buildTestInvoiceLine({ taxCategory: category, taxPercent: '0', tax: '0' })],
    taxes: [buildTestInvoiceTax({ category, percent: '0', tax: '0', exemptionReason })],
    taxTotal: '0',
    grandTotal: '100',
    baseTaxTotal: '0',
    baseGrandTotal: '100',
  });

import type {
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  PostalAddress,
  SellerSnapshot,
} from '../../domain/business/invoices/invoice';
import { DOCUMENT_TEMPLATE_VERSION } from '../../domain/business/documents/printable-document';

const buildLine = (lineId: number): InvoiceLineSnapshot => ({
  lineId,
  productId: lineId,
  productCode: `P-${lineId}`,
  description: 'Delivered goods, as ordered',
  unit: 'C62',
  quantity: '2',
  unitPrice: '49.95',
  priceIncludesTax: false,
  discountPercent: '0',
  gross: '99.9',
  discount: '0',
  net: '99.9',
  tax: '22.98',
  taxRateId: 1,
  taxPercent: '23',
  taxCategory: 'S',
});

const buildAddress = (line1: string, city: string): PostalAddress => ({
  line1,
  line2: null,
  city,
  region: null,
  postalCode: null,
  country: 'IE',
});

const SELLER: SellerSnapshot = {
  legalName: 'Specimen Trading Ltd',
  taxId: 'IE1234567T',
  registrationNumber: null,
  address: buildAddress('1 Quay Street', 'Dublin'),
  email: null,
  phone: null,
  website: null,
  bankName: null,
  iban: null,
  bic: null,
  logoKey: null,
};

/** An invoice without special cases; each sequence number gives a different document. */
export function buildInvoiceSnapshot(sequence: number, lines: number): InvoiceSnapshot {
  const [total, taxTotal] = [(lines * 99.9).toFixed(2), (lines * 22.977).toFixed(2)];
  const grandTotal = (Number(total) + Number(taxTotal)).toFixed(2);
  return {
    documentKind: 'invoice',
    templateVersion: DOCUMENT_TEMPLATE_VERSION,
    language: 'en',
    number: `INV-2026-${String(sequence).padStart(6, '0')}`,
    issuedAt: '2026-11-21T10:00:00.000Z',
    issueDate: '2026-11-21',
    dueDate: '2026-12-21',
    paymentTerms: 'NET30',
    reference: null,
    notes: null,
    currencyCode: 'EUR',
    currencyDecimals: 2,
    baseCurrencyCode: 'EUR',
    baseCurrencyDecimals: 2,
    exchangeRate: '1',
    taxRounding: 'per_rate',
    seller: SELLER,
    buyer: {
      customerId: sequence,
      code: `C${sequence}`,
      name: `Customer ${sequence}`,
      taxId: null,
      address: buildAddress('2 Market Square', 'Cork'),
      email: null,
    },
    lines: Array.from({ length: lines }, (_, index) => buildLine(index + 1)),
    taxes: [
      { taxRateId: 1, name: 'VAT', category: 'S', percent: '23', exemptionReason: null, net: total, tax: taxTotal },
    ],
    total,
    taxTotal,
    grandTotal,
    baseTotal: total,
    baseTaxTotal: taxTotal,
    baseGrandTotal: grandTotal,
  };
}

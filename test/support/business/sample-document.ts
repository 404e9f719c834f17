import { toDecimalString, DOCUMENT_TEMPLATE_VERSION } from '../../../domain/business/documents/printable-document';
import type { DocumentLine, PrintableDocument } from '../../../domain/business/documents/printable-document';
import type { DocumentLanguage } from '../../../domain/business/invoices/invoice';

const GOODS = ['Espresso machine, two groups', 'Burr grinder', 'Barista training', 'House blend, whole beans'] as const;

const buildLine = (position: number): DocumentLine => ({
  position,
  code: `SKU-${String(position).padStart(4, '0')}`,
  name: GOODS[position % GOODS.length] ?? GOODS[0],
  description:
    position % 3 === 0 ? 'Delivered to the ground floor, installed and calibrated; packaging taken back.' : undefined,
  quantity: toDecimalString(position % 4 === 0 ? '2.5' : '1'),
  unit: position % 4 === 0 ? 'kg' : 'pcs',
  unitPrice: toDecimalString(position % 5 === 0 ? '0.123456' : '1234.5'),
  priceIncludesTax: false,
  discountPercent: position % 6 === 1 ? toDecimalString('7.5') : undefined,
  taxPercent: toDecimalString(position % 2 === 0 ? '10' : '21'),
  net: toDecimalString('1234.50'),
});

/** A made-up invoice; its sums are only printed, not checked. */
export function buildSampleDocument(
  lines = 8,
  language: DocumentLanguage = 'en',
  changes: Partial<PrintableDocument> = {},
): PrintableDocument {
  return {
    templateVersion: DOCUMENT_TEMPLATE_VERSION,
    kind: 'invoice',
    language,
    locale: language,
    paper: 'A4',
    number: 'INV-2026-000042',
    issuedAt: '2026-11-21T10:15:30.000Z',
    issueDate: '2026-11-21',
    deliveryDate: '2026-11-20',
    dueDate: '2026-12-21',
    customerNumber: '10023',
    purchaseReference: 'PO 7731 / Müller',
    currencyCode: 'EUR',
    currencyDecimals: 2,
    seller: {
      name: 'Kaffeerösterei Nordlicht GmbH',
      addressLines: ['Speicherstraße 14', '20457 Hamburg', 'Germany'],
      taxId: 'DE123456789',
      registrationId: 'HRB 98765',
      email: 'billing@nordlicht.example',
      phone: '+49 40 1234567',
    },
    buyer: {
      name: 'Café Ñandú & Søn, S.L.',
      addressLines: ['Calle de la Ribera 3, 2.º izq.', '08003 Barcelona', 'Spain'],
      taxId: 'ESB12345678',
    },
    lines: Array.from({ length: lines }, (_, index) => buildLine(index + 1)),
    taxes: [
      {
        name: 'VAT',
        percent: toDecimalString('21'),
        taxable: toDecimalString('12345.00'),
        tax: toDecimalString('2592.45'),
      },
      {
        name: 'VAT',
        percent: toDecimalString('10'),
        taxable: toDecimalString('4938.00'),
        tax: toDecimalString('493.80'),
      },
    ],
    total: toDecimalString('17283.00'),
    taxTotal: toDecimalString('3086.25'),
    grandTotal: toDecimalString('20369.25'),
    payment: {
      termsText: 'Payable within 30 days without deduction.',
      iban: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      bankName: 'Commerzbank',
    },
    notes: 'Thank you for your order.\nPlease quote the invoice number with your payment.',
    ...changes,
  };
}

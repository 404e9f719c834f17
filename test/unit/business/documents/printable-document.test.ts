import type { CreditNoteSnapshot, InvoiceSnapshot } from '../../../../domain/business/invoices/invoice';
import { DOCUMENT_TEMPLATE_VERSION } from '../../../../domain/business/documents/printable-document';
import { buildPrintableDocument } from '../../../../domain/business/documents/build-printable-document';
import { CURRENCY_CODES, getCurrencyDecimals } from '../../../../domain/business/currencies';
import { getFormats } from '../../../../domain/business/documents/formats';
import { renderDocumentHtml } from '../../../../activities/rendering/template/document';
import { buildTestAddress } from '../../../support/business/documents';

const SNAPSHOT: InvoiceSnapshot = {
  documentKind: 'invoice',
  templateVersion: DOCUMENT_TEMPLATE_VERSION,
  language: 'de',
  number: 'R-2026-0001',
  issueDate: '2026-11-21',
  dueDate: '2026-12-21',
  issuedAt: '2026-11-21T10:00:00.000Z',
  paymentTerms: 'NET30',
  reference: null,
  notes: '  ',
  currencyCode: 'USD',
  currencyDecimals: 2,
  baseCurrencyCode: 'EUR',
  baseCurrencyDecimals: 2,
  exchangeRate: '0.9',
  taxRounding: 'per_rate',
  seller: {
    legalName: 'Nordlicht GmbH',
    taxId: 'DE123456789',
    registrationNumber: null,
    address: buildTestAddress({
      line1: 'Speicherstraße 14',
      postalCode: '20457',
      city: 'Hamburg',
      region: 'Hamburg',
      country: 'DE',
    }),
    email: null,
    phone: null,
    website: null,
    bankName: null,
    iban: 'DE89370400440532013000',
    bic: null,
    logoKey: null,
  },
  buyer: {
    customerId: 3,
    code: 'C-3',
    name: 'Acme Inc.',
    taxId: null,
    address: buildTestAddress({
      line1: '1 Main St',
      city: 'Springfield',
      region: 'IL',
      postalCode: '62701',
      country: 'US',
    }),
    email: null,
  },
  lines: [
    {
      lineId: 1,
      productId: 9,
      productCode: 'A',
      description: 'Beratung',
      unit: 'HUR',
      quantity: '1.5',
      unitPrice: '100',
      priceIncludesTax: false,
      discountPercent: '0',
      gross: '150',
      discount: '0',
      net: '150',
      tax: '28.5',
      taxRateId: 1,
      taxPercent: '19',
      taxCategory: 'S',
    },
  ],
  taxes: [
    { taxRateId: 1, name: 'USt 19 %', category: 'S', percent: '19', exemptionReason: null, net: '150', tax: '28.5' },
  ],
  total: '150',
  taxTotal: '28.5',
  grandTotal: '178.5',
  baseTotal: '135',
  baseTaxTotal: '25.65',
  baseGrandTotal: '160.65',
};

const { dueDate: _, paymentTerms: __, ...common } = SNAPSHOT;
const CREDIT_NOTE: CreditNoteSnapshot = {
  ...common,
  documentKind: 'credit_note',
  precedingInvoice: { number: 'R-2026-0000', issueDate: '2026-11-01' },
  reason: 'Ware beschädigt',
};

const buildPrintable = (changes: Partial<InvoiceSnapshot> = {}) =>
  buildPrintableDocument({ ...SNAPSHOT, ...changes }, { logo: null, voidedOn: null });

describe('the printable form of an issued document', () => {
  test('formats addresses by country, and includes the country for addresses abroad', () => {
    const document = buildPrintable();
    expect(document.seller.addressLines).toEqual(['Speicherstraße 14', '20457 Hamburg', 'Deutschland']);
    expect(document.buyer.addressLines).toEqual(['1 Main St', 'Springfield, IL 62701', 'Vereinigte Staaten']);
    const home = buildPrintable({
      buyer: { ...SNAPSHOT.buyer, address: buildTestAddress({ postalCode: '10115', city: 'Berlin', country: 'DE' }) },
    });
    expect(home.buyer.addressLines).toEqual(['10115 Berlin']);
  });

  test('copies numbers unchanged and formats terms and units in the language of the document', () => {
    const document = buildPrintable();
    expect(document.lines[0]).toMatchObject({
      position: 1,
      quantity: '1.5',
      unit: 'h',
      net: '150',
      discountPercent: undefined,
    });
    expect(document).toMatchObject({
      total: '150',
      taxTotal: '28.5',
      grandTotal: '178.5',
      locale: 'de-DE',
      paper: 'A4',
    });
    expect(document.payment.termsText).toBe('Zahlbar innerhalb von 30 Tagen ab Rechnungsdatum.');
    expect(document.notes).toBeUndefined();
  });

  test('has the tax in base currency only if the currencies differ', () => {
    expect(buildPrintable().baseCurrencyTax).toEqual({ currencyCode: 'EUR', rate: '0.9', tax: '25.65' });
    expect(buildPrintable({ currencyCode: 'EUR' }).baseCurrencyTax).toBeUndefined();
  });

  test('uses the paper size of the seller’s country', () => {
    const inCountry = (country: string) =>
      buildPrintable({ seller: { ...SNAPSHOT.seller, address: buildTestAddress({ country }) } }).paper;
    expect(['US', 'CA', 'DE', 'GB'].map(inCountry)).toEqual(['Letter', 'Letter', 'A4', 'A4']);
  });

  test('renders each amount in the format of the locale', () => {
    const page = renderDocumentHtml(buildPrintable()).replace(/\u00a0/g, ' ');
    for (const text of ['178,50 $', '150,00', '1,5', '19 %', 'USt 19 %', '21. November 2026', '25,65 €'])
      expect(page).toContain(text);
    expect(page).not.toContain('USt 19 % 19');
  });

  test('has no payment instructions on credit notes and void invoices, and a stamp on void invoices', () => {
    const pages = {
      issued: renderDocumentHtml(buildPrintable()),
      void: renderDocumentHtml(buildPrintableDocument(SNAPSHOT, { logo: null, voidedOn: '2026-11-22' })),
      creditNote: renderDocumentHtml(buildPrintableDocument(CREDIT_NOTE, { logo: null, voidedOn: null })),
    };
    expect(pages.issued).toContain('DE89 3704 0044 0532 0130 00');
    expect(pages.void).not.toContain('DE89');
    expect(pages.creditNote).not.toContain('DE89');
    expect(pages.void).toContain('Storniert am 22. November 2026');
    expect(pages.issued).not.toContain('Storniert');
    expect(pages.creditNote).toContain('Rechnungskorrektur R-2026-0001');
    expect(pages.creditNote).toContain('R-2026-0000\n1. November 2026');
    expect(pages.creditNote).toContain('Ware beschädigt');
    expect(pages.creditNote).not.toContain('Fällig am');
  });

  test('prints the reason of a credit note separately, and as part of the notes for layouts before version 3', () => {
    const buildCreditNoteText = (changes: Partial<CreditNoteSnapshot>) => {
      const { reason, notes } = buildPrintableDocument({ ...CREDIT_NOTE, ...changes }, { logo: null, voidedOn: null });
      return { reason, notes };
    };
    expect(buildCreditNoteText({ notes: 'Danke' })).toEqual({ reason: 'Ware beschädigt', notes: 'Danke' });
    expect(buildCreditNoteText({ notes: null })).toEqual({ reason: 'Ware beschädigt', notes: undefined });
    for (const templateVersion of [1, 2]) {
      expect(buildCreditNoteText({ templateVersion, notes: 'Danke' })).toEqual({ notes: 'Ware beschädigt\nDanke' });
      expect(buildCreditNoteText({ templateVersion, reason: null, notes: null })).toEqual({});
    }
  });

  test('rejects a snapshot with an amount that is not a plain decimal', () => {
    expect(() => buildPrintable({ total: '1e3' })).toThrow(RangeError);
  });
});

describe('the formats of a document', () => {
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

  test.each([
    ['en', '1,234.50', '€1,234.50', '21.5%', '21 November 2026'],
    ['de', '1.234,50', '1.234,50 €', '21,5 %', '21. November 2026'],
    ['es', '1.234,50', '1.234,50 €', '21,5 %', '21 de noviembre de 2026'],
    ['fr', '1 234,50', '1 234,50 €', '21,5 %', '21 novembre 2026'],
  ])('write numbers and dates the %s way', (language, amount, money, percent, date) => {
    const locale = language === 'en' ? 'en-GB' : language;
    const formats = getFormats({ locale, currencyCode: 'EUR', currencyDecimals: 2 });
    expect(
      [formats.amount('1234.5'), formats.money('1234.5'), formats.percent('21.5'), formats.date('2026-11-21')].map(
        plain,
      ),
    ).toEqual([amount, money, percent, date]);
  });

  test('keep every digit of large amounts and small prices, and the decimals of the currency', () => {
    const formats = getFormats({ locale: 'en', currencyCode: 'KWD', currencyDecimals: 3 });
    expect(formats.amount('999999999999.999')).toBe('999,999,999,999.999');
    expect(formats.unitPrice('0.000001')).toBe('0.000001');
    expect(getFormats({ locale: 'en', currencyCode: 'JPY', currencyDecimals: 0 }).money('1500')).toBe('¥1,500');
  });

  test.each(CURRENCY_CODES)('write another currency, %s, with its own decimals', (code) => {
    const formats = getFormats({ locale: 'en', currencyCode: 'XCD', currencyDecimals: 2 });
    const decimals = getCurrencyDecimals(code);
    const digits = decimals === 0 ? '1,234' : `1,234.${'0'.repeat(decimals)}`;
    expect(formats.money('1234', code).replace(/^[^\d]+/, '')).toBe(digits);
  });
});

import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { InvoiceSnapshot, SellerSnapshot } from '../../../../domain/business/invoices/invoice';
import {
  COMPANY_DETAILS,
  findMissingCompanyDetails,
  findMissingDetails,
  INVOICE_DETAILS,
} from '../../../../domain/business/documents/mandatory-details';
import { isRoutingNumber } from '../../../../domain/business/payments/bank-details';
import {
  buildTestAddress,
  buildTestInvoice,
  buildTestInvoiceTax,
  buildUntaxedInvoice,
} from '../../../support/business/documents';

const page = readFileSync(path.join(__dirname, '../../../../docs/explanation/mandatory-details.md'), 'utf8');

const base = buildTestInvoice({
  deliveryDate: '2026-11-20',
  deliveryPeriod: null,
  total: '1000',
  grandTotal: '1190',
  baseGrandTotal: '1190',
});

const buildAddress = (country: string) => buildTestAddress({ line1: '1 Main Street', city: 'Town', country });

/** An invoice that has everything that sellers in a country must state. */
const COMPLETE: Readonly<Record<string, Partial<SellerSnapshot>>> = {
  DE: {
    legalName: 'Nordlicht GmbH',
    taxId: 'DE123456788',
    registerName: 'Amtsgericht Hamburg',
    registrationNumber: 'HRB 98765',
    managingDirectors: ['Ada Nord'],
  },
  AT: {
    legalName: 'Alpenlicht GmbH',
    taxId: 'ATU12345675',
    registerName: 'Handelsgericht Wien',
    registrationNumber: 'FN 123456a',
  },
  ES: { legalName: 'Luz S.L.', taxId: 'B12345674' },
  FR: {
    legalName: 'Lumière',
    legalForm: 'S.A.R.L.',
    taxId: 'FR40303265045',
    registrationNumber: '303 265 045',
    registerName: 'RCS Paris',
    shareCapital: { amount: '10000', currencyCode: 'EUR' },
    paymentNote: 'Pénalités de retard : 3 fois le taux légal. Indemnité forfaitaire : 40 €.',
  },
  IE: { legalName: 'Quay Ltd', taxId: 'IE6388047V' },
  GB: { legalName: 'Thames Ltd', taxId: 'GB980780684' },
  CH: { legalName: 'Aare AG', taxId: 'CHE-123.456.788 MWST' },
  CA: { legalName: 'Maple Inc.', taxId: '123456782 RT0001' },
  US: { legalName: 'Prairie LLC', taxId: null },
};

const buildComplete = (country: string, changes: Partial<InvoiceSnapshot> = {}): InvoiceSnapshot => ({
  ...base,
  seller: { ...base.seller, registrationNumber: null, address: buildAddress(country), ...COMPLETE[country] },
  buyer: { ...base.buyer, taxId: 'B12345674', address: buildAddress(country) },
  ...changes,
});

const findRules = (invoice: InvoiceSnapshot): string[] => findMissingDetails(invoice).map(({ rule }) => rule);

/** One invoice for each requirement, which lacks that detail alone. */
const INCOMPLETE: Readonly<Record<string, InvoiceSnapshot>> = (() => {
  const lack = (country: string, changes: Partial<SellerSnapshot>): InvoiceSnapshot => {
    const complete = buildComplete(country);
    return { ...complete, seller: { ...complete.seller, ...changes } };
  };
  const noBuyerAddress = { ...base.buyer, taxId: 'ESB12345674', address: buildTestAddress({ country: 'DE' }) };
  const union = { ...buildUntaxedInvoice('K', 'x'), total: '1000', grandTotal: '1000', baseGrandTotal: '1000' };
  return {
    'SELLER-COUNTRY': lack('US', { address: buildTestAddress({ line1: 'x', city: 'y' }) }),
    'SELLER-ADDRESS': lack('US', { address: buildTestAddress({ country: 'US' }) }),
    'EU-VAT-ID': lack('IE', { taxId: '6388047V' }),
    'DE-TAX-NUMBER': lack('DE', { taxId: null }),
    'AT-VAT-ID': lack('AT', { taxId: null }),
    'ES-NIF': lack('ES', { taxId: null }),
    'FR-VAT-ID': lack('FR', { taxId: '303265045' }),
    'FR-SIREN': lack('FR', { registrationNumber: '12345' }),
    'FR-CAPITAL': lack('FR', { shareCapital: null }),
    'FR-LATE-PAYMENT': lack('FR', { paymentNote: ' ' }),
    'DE-REGISTER': lack('DE', { registerName: null }),
    'DE-DIRECTORS': lack('DE', { managingDirectors: [] }),
    'AT-REGISTER': lack('AT', { registrationNumber: null }),
    'GB-VAT-NUMBER': lack('GB', { taxId: null }),
    'CH-VAT-NUMBER': lack('CH', { taxId: null }),
    'CA-GST-NUMBER': lack('CA', { taxId: null }),
    'EU-BUYER-ADDRESS': buildComplete('DE', { buyer: noBuyerAddress }),
    'EU-BUYER-VAT-ID': buildComplete('DE', {
      taxes: [buildTestInvoiceTax({ category: 'AE', percent: '0', tax: '0', exemptionReason: 'Reverse charge' })],
    }),
    'EU-SUPPLY-DATE': {
      ...buildComplete('IE'),
      taxes: union.taxes,
      deliveryDate: null,
      buyer: { ...base.buyer, taxId: 'DE123456788', address: buildAddress('DE') },
    },
    'DE-SUPPLY-DATE': buildComplete('DE', { deliveryDate: null }),
    'AT-SUPPLY-DATE': buildComplete('AT', { deliveryDate: null }),
    'ES-BUYER-NIF': buildComplete('ES', { buyer: { ...base.buyer, taxId: null, address: buildAddress('ES') } }),
    'GB-BUYER-ADDRESS': buildComplete('GB', { buyer: noBuyerAddress }),
  };
})();

const ALL = [...COMPANY_DETAILS, ...INVOICE_DETAILS];

describe('the mandatory details', () => {
  test.each(Object.keys(COMPLETE))('are complete on an invoice of a seller in %s', (country) => {
    expect(findRules(buildComplete(country))).toEqual([]);
  });

  test.each(ALL.map(({ id }) => id))('%s is found missing, and nothing else is', (id) => {
    const invoice = INCOMPLETE[id];
    expect(invoice && findRules(invoice)).toEqual([id]);
  });

  test.each(ALL.map(({ id, field, source }) => [id, field, source]))(
    '%s is documented with its field and its law',
    (id, field, source) => {
      const row = page.split('\n').find((text) => text.includes(`\`${id}\``));
      expect(row).toContain(`\`${field}\``);
      expect(row).toContain(source);
    },
  );

  test('are fewer on simplified invoices, for sellers without VAT and without limited liability', () => {
    const small = { total: '100', grandTotal: '119', baseGrandTotal: '119' };
    const complete = buildComplete('DE', { ...small, deliveryDate: null });
    expect(findRules({ ...complete, buyer: { ...complete.buyer, address: buildTestAddress({}) } })).toEqual([]);
    const person = { ...base.seller, legalName: 'Ada Nord', taxId: null, registrationNumber: null };
    expect(
      findMissingCompanyDetails({ ...person, address: buildAddress('DE'), taxNumber: '22/815/08150' }, true),
    ).toEqual([]);
    expect(findMissingCompanyDetails({ ...person, address: buildAddress('IE') }, false)).toEqual([]);
  });

  test('accept the dates of all lines as the date of supply', () => {
    const { lines } = base;
    const dated = lines.map((line) => ({ ...line, deliveryDate: '2026-11-19' }));
    expect(findRules(buildComplete('DE', { deliveryDate: null, lines: dated }))).toEqual([]);
    expect(findRules(buildComplete('DE', { deliveryDate: null, lines: [...dated, ...lines] }))).toEqual([
      'DE-SUPPLY-DATE',
    ]);
  });
});

test.each([
  ['021000021', true],
  ['121000358', true],
  ['021000022', false],
  ['02100002', false],
  ['02100002a', false],
])('%s is a routing number: %s', (number, valid) => {
  expect(isRoutingNumber(number)).toBe(valid);
});

import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import {
  buildTestAddress,
  buildTestAdjustment,
  buildTestCreditNote,
  buildTestInvoice,
  buildTestInvoiceLine,
  buildTestInvoiceTax,
  buildTestPrepaid,
  buildUntaxedInvoice,
} from './documents';

const { seller, buyer } = buildTestInvoice();

/** Issued documents by what is special about them; all of them comply with EN 16931. */
export const COMPLIANT_DOCUMENTS: Readonly<Record<string, IssuedDocument>> = {
  'an invoice': buildTestInvoice(),
  'a credit note': buildTestCreditNote(),
  'a credit note without words': buildTestCreditNote({ reason: null, notes: null, reference: null }),
  'one with little said': buildTestInvoice({
    reference: null,
    notes: null,
    seller: { ...seller, email: null, phone: null, iban: null, bic: null },
    buyer: { ...buyer, taxId: null, address: buildTestAddress({ country: 'ES' }) },
  }),
  'one in another currency': buildTestInvoice({ currencyCode: 'USD', exchangeRate: '0.9', baseTaxTotal: '17.1' }),
  'one with a discount and two rates': buildTestInvoice({
    lines: [
      buildTestInvoiceLine({
        quantity: '3',
        unitPrice: '33.333333',
        discountPercent: '7.5',
        discount: '7.5',
        net: '92.5',
        tax: '17.58',
      }),
      buildTestInvoiceLine({
        lineId: 2,
        unit: 'KGM',
        quantity: '0.25',
        unitPrice: '40',
        gross: '10',
        net: '10',
        tax: '0.7',
        taxPercent: '7',
      }),
    ],
    taxes: [
      buildTestInvoiceTax({ net: '92.5', tax: '17.58' }),
      buildTestInvoiceTax({ percent: '7', net: '10', tax: '0.7' }),
    ],
    total: '102.5',
    taxTotal: '18.28',
    grandTotal: '120.78',
  }),
  'prices with tax': buildTestInvoice({
    lines: [
      buildTestInvoiceLine({
        priceIncludesTax: true,
        quantity: '3',
        unitPrice: '3.35',
        gross: '10.05',
        net: '8.38',
        tax: '1.67',
        taxPercent: '20',
      }),
    ],
    taxes: [buildTestInvoiceTax({ percent: '20', net: '8.38', tax: '1.67' })],
    total: '8.38',
    taxTotal: '1.67',
    grandTotal: '10.05',
  }),
  'one in yen': buildTestInvoice({
    currencyCode: 'JPY',
    currencyDecimals: 0,
    exchangeRate: '0.006',
    baseTaxTotal: '0.11',
  }),
  'one in yen whose price, discounts and percentages do not multiply to its amounts': buildTestInvoice({
    currencyCode: 'JPY',
    currencyDecimals: 0,
    exchangeRate: '0.006',
    lines: [
      buildTestInvoiceLine({
        quantity: '3',
        unitPrice: '33.5',
        discountPercent: '10',
        gross: '101',
        discount: '10',
        net: '91',
        tax: '17',
      }),
      buildTestInvoiceLine({ lineId: 2, discountPercent: '3.3', discount: '3', net: '97', tax: '18' }),
    ],
    adjustments: [buildTestAdjustment({ percent: '5', base: '188', amount: '9', net: '9', tax: '2' })],
    taxes: [buildTestInvoiceTax({ net: '179', tax: '34' })],
    total: '179',
    taxTotal: '34',
    grandTotal: '213',
    baseTaxTotal: '0.2',
  }),
  'discounts, charges, details and a line in free text': buildTestInvoice({
    lines: [
      buildTestInvoiceLine({
        details: 'Zweiter Absatz',
        discountPercent: '5',
        discount: '5',
        adjustments: [
          { type: 'discount', reason: 'Mengenrabatt', percent: '10', amount: '10' },
          { type: 'charge', reason: 'Verpackung', percent: null, amount: '2.5' },
        ],
        net: '87.5',
        tax: '16.63',
      }),
      buildTestInvoiceLine({ lineId: 2, productId: null, productCode: null, taxPercent: '7', tax: '7' }),
    ],
    adjustments: [
      buildTestAdjustment({ percent: '10', base: '87.5', amount: '8.75', net: '8.75', tax: '1.66' }),
      buildTestAdjustment({
        adjustmentId: 2,
        percent: '10',
        base: '100',
        amount: '10',
        net: '10',
        tax: '0.7',
        taxPercent: '7',
      }),
      buildTestAdjustment({
        adjustmentId: 3,
        type: 'charge',
        reason: 'Fracht',
        amount: '4.9',
        net: '4.9',
        tax: '0.93',
      }),
    ],
    taxes: [
      buildTestInvoiceTax({ net: '83.65', tax: '15.89' }),
      buildTestInvoiceTax({ percent: '7', net: '90', tax: '6.3' }),
    ],
    total: '173.65',
    taxTotal: '22.19',
    grandTotal: '195.84',
  }),
  'a discount for early payment': buildTestInvoice({
    earlyPaymentDiscount: { percent: '2', days: 14, until: '2026-12-05', amount: '2.38', payable: '116.62' },
  }),
  'a credit note less the discount for early payment that was taken': buildTestCreditNote({
    lines: [buildTestInvoiceLine(), buildTestInvoiceLine({ lineId: 2, taxPercent: '7', tax: '7' })],
    adjustments: [
      buildTestAdjustment({ reason: 'Skonto', amount: '2', net: '2', tax: '0.38', isEarlyPayment: true }),
      buildTestAdjustment({
        adjustmentId: 2,
        reason: 'Skonto',
        amount: '2',
        net: '2',
        tax: '0.14',
        taxPercent: '7',
        isEarlyPayment: true,
      }),
    ],
    taxes: [
      buildTestInvoiceTax({ net: '98', tax: '18.62' }),
      buildTestInvoiceTax({ percent: '7', net: '98', tax: '6.86' }),
    ],
    total: '196',
    taxTotal: '25.48',
    grandTotal: '221.48',
  }),
  'a credit note of units whose price was credited in part before': buildTestCreditNote({
    lines: [
      buildTestInvoiceLine({
        quantity: '10',
        unitPrice: '10',
        gross: '100',
        adjustments: [{ type: 'discount', reason: 'Bereits gutgeschrieben', percent: null, amount: '5' }],
        net: '95',
        tax: '18.05',
      }),
    ],
    taxes: [buildTestInvoiceTax({ net: '95', tax: '18.05' })],
    total: '95',
    taxTotal: '18.05',
    grandTotal: '113.05',
  }),
  'a credit note with a discount for early payment that was taken back': buildTestCreditNote({
    adjustments: [
      buildTestAdjustment({
        type: 'charge',
        reason: 'Zurückgenommenes Skonto',
        amount: '1',
        net: '1',
        tax: '0.19',
        isEarlyPayment: true,
      }),
    ],
    taxes: [buildTestInvoiceTax({ net: '101', tax: '19.19' })],
    total: '101',
    taxTotal: '19.19',
    grandTotal: '120.19',
  }),
  'a deposit invoice': buildTestInvoice({ isDeposit: true }),
  'a deposit and a payment that were received before': buildTestInvoice({
    prepaid: {
      ...buildTestPrepaid('47.6'),
      payments: [{ paymentId: 4, date: '2026-11-04', amount: '10' }],
      amount: '57.6',
      due: '61.4',
    },
  }),
  'several deposits, which leave nothing due': buildTestInvoice({
    prepaid: {
      ...buildTestPrepaid('59.5'),
      deposits: ['59.5', '59.5'].flatMap((total) => buildTestPrepaid(total).deposits),
      amount: '119',
      due: '0',
    },
  }),
  'zero rate': buildUntaxedInvoice('Z', null),
  exempt: buildUntaxedInvoice('E', 'Umsatzsteuerfrei nach § 4 UStG'),
  'reverse charge': buildUntaxedInvoice('AE', 'Reverse charge'),
  'within the Union': buildUntaxedInvoice('K', null),
  'within the Union, over a period': {
    ...buildUntaxedInvoice('K', null),
    deliveryDate: null,
    deliveryPeriod: { start: '2026-11-01', end: '2026-11-30' },
  },
  'legal details of the seller and the buyer': buildTestInvoice({
    seller: {
      ...seller,
      legalForm: 'GmbH',
      taxNumber: '22/815/08150',
      registerName: 'Amtsgericht Hamburg',
      managingDirectors: ['Ada Nord', 'Björn Licht'],
      shareCapital: { amount: '25000', currencyCode: 'EUR' },
    },
    buyer: { ...buyer, registrationNumber: 'B-12345' },
  }),
  'a day of delivery, and dates of lines': buildTestInvoice({
    deliveryDate: '2026-11-20',
    deliveryPeriod: null,
    lines: [
      buildTestInvoiceLine({
        discountPercent: '10',
        gross: '111.11',
        unitPrice: '55.555',
        discount: '11.11',
        deliveryPeriod: { start: '2026-11-01', end: '2026-11-20' },
      }),
    ],
  }),
  'a credit note over a period': buildTestCreditNote({
    deliveryDate: null,
    deliveryPeriod: { start: '2026-11-01', end: '2026-11-30' },
  }),
  export: buildUntaxedInvoice('G', null),
  'outside the scope of VAT': buildUntaxedInvoice('O', null),
  IGIC: buildTestInvoice({
    lines: [buildTestInvoiceLine({ taxCategory: 'L' })],
    taxes: [buildTestInvoiceTax({ category: 'L' })],
  }),
  IPSI: buildUntaxedInvoice('M', null),
};

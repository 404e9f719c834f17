import { z } from 'zod';
import { Decimal, ZERO } from '../../../domain/business/decimal';
import { INVOICE_STATUSES } from '../../../domain/business/invoices/invoice';
import type {
  DocumentSnapshot,
  InvoiceLineSnapshot,
  InvoiceSnapshot,
  InvoiceTaxSnapshot,
} from '../../../domain/business/invoices/invoice';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import { PAYMENT_TERMS_CODES } from '../../../domain/business/payments/payment-terms';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import type { InvoiceRecord, LineWarehouse, StoredInvoice } from '../../../models/business/invoices/invoice';
import { presentPrepaid, prepaidSchema } from './prepaid-fields';
import type { Outstanding } from '../../../services/business/payments/open-items';
import { day, instant, supplyDateSchemas } from '../fields';
import {
  documentAdjustmentSchema,
  lineAdjustmentSchema,
  presentDocumentAdjustment,
  presentLineAdjustment,
} from './adjustment-fields';

/** A line of an issued document. */
export const documentLineSchema = z.object({
  lineId: z.number().int(),
  productId: z.number().int().nullable().meta({ description: 'Product; null for a line in free text.' }),
  productCode: z.string().nullable(),
  description: z.string(),
  details: z.string().nullable().meta({ description: 'Text printed under the description.' }),
  unit: z.string(),
  quantity: z.number(),
  unitPrice: z.number(),
  priceIncludesTax: z.boolean(),
  discountPercent: z.number(),
  discount: z.number(),
  adjustments: z.array(lineAdjustmentSchema).meta({ description: 'Further discounts and charges of the line.' }),
  net: z.number().meta({ description: 'Amount of the line before tax, after discounts and charges.' }),
  tax: z.number().meta({ description: 'Share of the line in the tax of its rate.' }),
  taxRateId: z.number().int(),
  taxPercent: z.number(),
  taxCategory: z.enum(TAX_CATEGORIES),
  ...supplyDateSchemas,
});

const invoiceLineSchema = documentLineSchema.extend({ warehouseId: z.number().int().nullable() });

export const documentTaxSchema = z.object({
  taxRateId: z.number().int(),
  name: z.string(),
  category: z.enum(TAX_CATEGORIES),
  percent: z.number(),
  exemptionReason: z.string().nullable(),
  net: z.number(),
  tax: z.number(),
  components: z
    .array(z.object({ name: z.string(), percent: z.number(), tax: z.number() }))
    .optional()
    .meta({ description: 'The taxes that add up to the row, if there are several.' }),
});

export const totalFields = {
  total: z.number().meta({ description: 'Total before tax.' }),
  taxTotal: z.number(),
  grandTotal: z.number().meta({ description: '`total` plus `taxTotal`.' }),
};

const summaryFields = {
  id: z.number().int(),
  number: z.string().nullable().meta({ description: 'Document number; null for a draft.' }),
  status: z.enum(INVOICE_STATUSES),
  customerId: z.number().int(),
  customerName: z.string(),
  issueDate: day,
  dueDate: day,
  currencyCode: z.string(),
  ...totalFields,
  open: z.number().meta({ description: 'Outstanding amount.' }),
  overdue: z.boolean().meta({ description: 'Whether an amount is outstanding after the due date.' }),
};

const contentFields = {
  paymentTerms: z.enum(PAYMENT_TERMS_CODES),
  language: z.string(),
  ...supplyDateSchemas,
  reference: z.string().nullable(),
  buyerReference: z.string().nullable(),
  earlyPaymentDiscount: z
    .object({ percent: z.number(), days: z.number().int(), until: day, amount: z.number(), payable: z.number() })
    .nullable()
    .meta({ description: 'Discount for early payment: `payable` instead of the grand total until this day.' }),
  deposit: z.boolean().meta({ description: 'Whether it is a deposit invoice.' }),
  prepaid: prepaidSchema
    .nullable()
    .meta({ description: 'What was paid before the invoice; null if there is nothing.' }),
  notes: z.string().nullable(),
  exchangeRate: z.number().meta({ description: 'Units of base currency per unit of document currency.' }),
  base: z.object({ currencyCode: z.string(), ...totalFields }),
  lines: z.array(invoiceLineSchema),
  adjustments: z
    .array(documentAdjustmentSchema)
    .meta({ description: 'Discounts and charges of the document, by tax rate.' }),
  taxes: z.array(documentTaxSchema),
};

export const invoiceSummarySchema = z.object(summaryFields);

export const invoiceSchema = z.object({
  ...summaryFields,
  ...contentFields,
  seriesId: z.number().int(),
  salesOrder: z
    .object({ id: z.number().int(), number: z.string() })
    .nullable()
    .meta({ description: 'The sales order whose invoice it is; null if there is none, and once the invoice is void.' }),
  contentHash: z.string().nullable().meta({ description: 'SHA-256 of the document as issued; null for a draft.' }),
  voidedOn: day.nullable(),
  voidReason: z.string().nullable(),
  issuedAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
});

/** Result of a dry run: an invoice without id, number and the fields that exist only for stored invoices. */
export const invoiceDryRunSchema = z.object({
  id: z.null(),
  number: z.null(),
  customerId: z.number().int(),
  customerName: z.string(),
  issueDate: day,
  dueDate: day,
  currencyCode: z.string(),
  ...totalFields,
  ...contentFields,
});

export const exampleInvoiceSummary = {
  id: 1,
  number: 'INV-2026-000001',
  status: 'issued',
  customerId: 1,
  customerName: 'Nordlicht AG',
  issueDate: '2026-11-21',
  dueDate: '2026-12-21',
  currencyCode: 'EUR',
  total: 95.4,
  taxTotal: 20.03,
  grandTotal: 115.43,
  open: 115.43,
  overdue: false,
};

export const exampleInvoice = {
  ...exampleInvoiceSummary,
  paymentTerms: 'NET30',
  language: 'de',
  deliveryDate: '2026-11-20',
  deliveryPeriod: null,
  reference: 'PO-7781',
  buyerReference: null,
  earlyPaymentDiscount: null,
  deposit: false,
  prepaid: null,
  notes: null,
  exchangeRate: 1,
  base: { currencyCode: 'EUR', total: 95.4, taxTotal: 20.03, grandTotal: 115.43 },
  lines: [
    {
      lineId: 1,
      productId: 1,
      productCode: 'LAMP-01',
      description: 'Desk lamp',
      details: null,
      unit: 'C62',
      quantity: 15,
      unitPrice: 6.36,
      priceIncludesTax: false,
      discountPercent: 0,
      discount: 0,
      adjustments: [],
      net: 95.4,
      tax: 20.03,
      taxRateId: 1,
      taxPercent: 21,
      taxCategory: 'S',
      deliveryDate: null,
      deliveryPeriod: null,
      warehouseId: 1,
    },
  ],
  adjustments: [],
  taxes: [
    { taxRateId: 1, name: 'Standard rate', category: 'S', percent: 21, exemptionReason: null, net: 95.4, tax: 20.03 },
  ],
  seriesId: 1,
  salesOrder: null,
  contentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  voidedOn: null,
  voidReason: null,
  issuedAt: '2026-11-21T10:00:00.000+01:00',
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const toDecimal = (text: string): Decimal => new Decimal(text);

/**
 * A frozen line, with amounts in the currency of the document; of invoices and of credit notes, so without a warehouse.
 */
export const presentDocumentLine = (line: InvoiceLineSnapshot) => ({
  lineId: line.lineId,
  productId: line.productId,
  productCode: line.productCode,
  description: line.description,
  details: line.details ?? null,
  unit: line.unit,
  quantity: toDecimal(line.quantity),
  unitPrice: toDecimal(line.unitPrice),
  priceIncludesTax: line.priceIncludesTax,
  discountPercent: toDecimal(line.discountPercent),
  discount: toDecimal(line.discount),
  adjustments: (line.adjustments ?? []).map(presentLineAdjustment),
  net: toDecimal(line.net),
  tax: toDecimal(line.tax),
  taxRateId: line.taxRateId,
  taxPercent: toDecimal(line.taxPercent),
  taxCategory: line.taxCategory,
  ...toSupplyDates(line),
});

const presentInvoiceLine = (line: InvoiceLineSnapshot, warehouses: readonly LineWarehouse[]) => ({
  ...presentDocumentLine(line),
  warehouseId: warehouses.find(({ lineId }) => lineId === line.lineId)?.warehouseId ?? null,
});

/** A row of the tax table of a document. Only rates that consist of several taxes have `components`. */
export const presentDocumentTax = ({ components, base: _, ...tax }: InvoiceTaxSnapshot) => ({
  ...tax,
  percent: toDecimal(tax.percent),
  net: toDecimal(tax.net),
  tax: toDecimal(tax.tax),
  ...(components && {
    components: components.map(({ name, percent, tax: amount }) => ({
      name,
      percent: toDecimal(percent),
      tax: toDecimal(amount),
    })),
  }),
});

/** Totals before tax, of tax and with tax, in the currency of the document. */
export const presentTotals = (document: DocumentSnapshot) => ({
  total: toDecimal(document.total),
  taxTotal: toDecimal(document.taxTotal),
  grandTotal: toDecimal(document.grandTotal),
});

/** The same totals in the base currency, at the exchange rate that was frozen into the document. */
export const presentBaseTotals = (document: DocumentSnapshot) => ({
  currencyCode: document.baseCurrencyCode,
  total: toDecimal(document.baseTotal),
  taxTotal: toDecimal(document.baseTaxTotal),
  grandTotal: toDecimal(document.baseGrandTotal),
});

const presentEarlyPayment = (discount: InvoiceSnapshot['earlyPaymentDiscount']) =>
  discount === undefined
    ? null
    : {
        percent: toDecimal(discount.percent),
        days: discount.days,
        until: discount.until,
        amount: toDecimal(discount.amount),
        payable: toDecimal(discount.payable),
      };

const presentContent = (document: InvoiceSnapshot, warehouses: readonly LineWarehouse[]) => ({
  paymentTerms: document.paymentTerms,
  language: document.language,
  ...toSupplyDates(document),
  reference: document.reference,
  buyerReference: document.buyerReference ?? null,
  earlyPaymentDiscount: presentEarlyPayment(document.earlyPaymentDiscount),
  deposit: document.isDeposit ?? false,
  prepaid: presentPrepaid(document.prepaid),
  notes: document.notes,
  exchangeRate: toDecimal(document.exchangeRate),
  base: presentBaseTotals(document),
  lines: document.lines.map((line) => presentInvoiceLine(line, warehouses)),
  adjustments: (document.adjustments ?? []).map(presentDocumentAdjustment),
  taxes: document.taxes.map(presentDocumentTax),
});

/** Presents an invoice in a list. `today` is the current date in the company's time zone. */
export function presentInvoiceSummary(record: StoredInvoice, outstanding: Outstanding | undefined, today: string) {
  const open = outstanding?.open ?? ZERO;
  return {
    id: record.id,
    number: record.number,
    status: record.status,
    customerId: record.customerId,
    customerName: record.document.buyer.name,
    issueDate: record.issueDate,
    dueDate: record.dueDate,
    currencyCode: record.currencyCode,
    ...presentTotals(record.document),
    open,
    overdue: open.gt(0) && record.dueDate < today,
  };
}

/** Fields that only an issued invoice has. */
const presentIssue = (
  record: StoredInvoice,
): Pick<InvoiceRecord, 'voidedOn' | 'voidReason'> & {
  [K in 'contentHash' | 'issuedAt']: InvoiceRecord[K] | null;
} =>
  record.status === 'draft'
    ? { contentHash: null, voidedOn: null, voidReason: null, issuedAt: null }
    : {
        contentHash: record.contentHash,
        voidedOn: record.voidedOn,
        voidReason: record.voidReason,
        issuedAt: record.issuedAt,
      };

/** Response body of an invoice or draft with its content. `today` is the current date in the company's time zone. */
export const presentInvoice = (record: StoredInvoice, outstanding: Outstanding | undefined, today: string) => ({
  ...presentInvoiceSummary(record, outstanding, today),
  ...presentContent(record.document, record.lineWarehouses),
  seriesId: record.seriesId,
  // The detail has it; no other reply is about the invoice of an order.
  salesOrder: null,
  ...presentIssue(record),
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

/** Presents the snapshot that a dry run computed. */
export const presentInvoiceDryRun = (document: InvoiceSnapshot, warehouses: readonly LineWarehouse[]) => ({
  id: null,
  number: null,
  customerId: document.buyer.customerId,
  customerName: document.buyer.name,
  issueDate: document.issueDate,
  dueDate: document.dueDate,
  currencyCode: document.currencyCode,
  ...presentTotals(document),
  ...presentContent(document, warehouses),
});

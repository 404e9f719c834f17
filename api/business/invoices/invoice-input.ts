import { z } from 'zod';
import type { InvoiceInput } from '../../../services/business/invoices/invoice-preparation';
import {
  amount,
  parseCalendarField,
  currencyCode,
  flag,
  language,
  line,
  paragraph,
  paymentTerms,
  percent,
  quantity,
  recordId,
  unitPrice,
  dayInput,
  parseSupplyDates,
  supplyDateInputs,
  unitCode,
} from '../fields';
import { documentAdjustmentsInput, lineAdjustmentsInput } from './adjustment-fields';

const MAX_LINES = 1000;

/** Words the problem of a value that is no object; the default text of zod is used for all other problems. */
export const formatObjectError = (issue: { code?: string }) =>
  issue.code === 'invalid_type' ? 'must be an object' : undefined;

/** Schema of the lines of a document. */
export const buildInvoiceLinesSchema = <T extends z.ZodType>(lineSchema: T) =>
  z
    .array(lineSchema, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(MAX_LINES, `must have at most ${MAX_LINES} lines`);

const lineInput = z.strictObject(
  {
    productId: recordId.optional().meta({
      description: 'Product. A line without one is free text and needs `description` and `unitPrice`.',
    }),
    quantity,
    unitPrice: unitPrice.optional().meta({ description: 'Unit price. Default: the price of the product.' }),
    description: line(500)
      .optional()
      .meta({ 'x-addition': true, description: 'Description. Default: the name of the product.' }),
    details: paragraph(2000).optional().meta({
      'x-addition': true,
      description:
        'Further text, printed under the description; empty for none. Default: the description of the product.',
    }),
    unit: unitCode.optional().meta({
      'x-addition': true,
      description: 'Unit code of UN/ECE Recommendation 20. Default: that of the product, else C62 (one).',
    }),
    adjustments: lineAdjustmentsInput.optional(),
    discountPercent: percent.optional().meta({ 'x-addition': true, description: 'Discount in percent. Default: 0.' }),
    taxRateId: recordId
      .optional()
      .meta({ 'x-addition': true, description: 'Tax rate. Default: that of the product, else that of the company.' }),
    priceIncludesTax: flag
      .optional()
      .meta({ 'x-addition': true, description: 'Whether the unit price includes tax. Default: that of the product.' }),
    warehouseId: recordId
      .optional()
      .meta({ 'x-addition': true, description: 'Warehouse. Default: that of the company.' }),
    ...supplyDateInputs,
  },
  { error: formatObjectError },
);

const days = z
  .number({ error: 'must be a whole number of days, 0 to 365' })
  .int('must be a whole number of days, 0 to 365')
  .min(0, 'must be a whole number of days, 0 to 365')
  .max(365, 'must be a whole number of days, 0 to 365');

/** Discount for early payment in a request. */
export const earlyPaymentInput = z
  .strictObject(
    {
      percent: percent
        .refine((value) => value.gt(0) && value.lt(100), 'must be above 0 and below 100')
        .meta({ exclusiveMinimum: 0, exclusiveMaximum: 100 }),
      days: days.meta({ description: 'Days after the issue date.' }),
    },
    { error: formatObjectError },
  )
  .meta({
    'x-addition': true,
    description:
      'Discount for early payment (Skonto): printed with its date and amounts, and in the electronic invoice.',
  });

/** Fields of deposit invoices, and of invoices that deduct what was paid before. */
export const prepaidInputs = {
  deposit: flag.optional().meta({
    'x-addition': true,
    description:
      'Makes it a deposit invoice: lines in free text, tax as stated, no revenue until a final invoice deducts it.',
    default: false,
  }),
  depositInvoiceIds: z
    .array(recordId, { error: 'must be an array' })
    .max(50, 'must have at most 50 deposit invoices')
    .optional()
    .meta({
      'x-addition': true,
      description:
        'Paid deposit invoices of the customer that this invoice deducts, each with its whole amount and tax (BT-113).',
    }),
  prepayments: z
    .array(
      z.strictObject(
        { paymentId: recordId, amount: amount.meta({ exclusiveMinimum: 0, description: 'Part of the payment.' }) },
        { error: formatObjectError },
      ),
      { error: 'must be an array' },
    )
    .max(50, 'must have at most 50 payments')
    .optional()
    .meta({
      'x-addition': true,
      description: 'Unapplied parts of payments that were received before, applied to this invoice (BT-113).',
    }),
};

/** Body of `POST /api/invoices`. */
export const invoiceInput = z.strictObject({
  customerId: recordId,
  paymentTerms: paymentTerms
    .optional()
    .meta({ description: 'Payment terms. Default: those of the customer, else those of the company.' }),
  currencyCode: currencyCode
    .optional()
    .meta({ description: 'Currency of the document. Default: that of the customer, else the base currency.' }),
  lines: buildInvoiceLinesSchema(lineInput),
  notes: paragraph(2000).nullable().optional(),
  adjustments: documentAdjustmentsInput.optional(),
  earlyPaymentDiscount: earlyPaymentInput.optional(),
  ...prepaidInputs,
  buyerReference: line(100).nullable().optional().meta({
    'x-addition': true,
    description: 'Buyer reference (BT-10), such as a Leitweg-ID. Default: that of the customer.',
  }),
  dueDate: dayInput.optional().meta({
    'x-addition': true,
    description: 'Due date, not before the issue date. Default: by the payment terms.',
  }),
  issueDate: dayInput.optional().meta({
    'x-addition': true,
    description: 'Issue date. Default: today in the time zone of the company.',
  }),
  ...supplyDateInputs,
  reference: line(100)
    .nullable()
    .optional()
    .meta({ 'x-addition': true, description: 'Reference of the customer, such as a purchase order number.' }),
  language: language.optional().meta({
    'x-addition': true,
    description: 'Language of the document. Default: that of the customer, else that of the company.',
  }),
  seriesId: recordId
    .optional()
    .meta({ 'x-addition': true, description: 'Document series. Default: the invoice series of the company.' }),
  draft: flag.optional().meta({
    'x-addition': true,
    description:
      'Stores a draft instead, without number, stock movements and receivable; `POST /api/invoices/:id/issue` issues it.',
    default: false,
  }),
});

/** What the invoice of an order does not take from the order. */
export const invoiceHeadInput = invoiceInput.omit({
  customerId: true,
  currencyCode: true,
  lines: true,
  deposit: true,
  draft: true,
});

/** Converts the fields that are not about lines to the input of the service. @throws AppError 400 for an invalid date */
export const toInvoiceHead = <T extends z.infer<typeof invoiceHeadInput>>(body: T, timeZone: string) => ({
  ...body,
  issueDate: parseCalendarField('issueDate', body.issueDate, timeZone),
  ...parseSupplyDates(body, '', timeZone),
  dueDate: parseCalendarField('dueDate', body.dueDate, timeZone),
  reference: body.reference ?? undefined,
  buyerReference: body.buyerReference ?? undefined,
  notes: body.notes ?? undefined,
});

/** Converts the body to the input of the service. @throws AppError 400 for an invalid date */
export const toInvoiceInput = (
  { draft: _draft, ...body }: z.infer<typeof invoiceInput>,
  timeZone: string,
): InvoiceInput => ({
  ...toInvoiceHead(body, timeZone),
  lines: body.lines.map((each, index) => ({ ...each, ...parseSupplyDates(each, `lines[${index}].`, timeZone) })),
});

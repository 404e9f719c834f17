import { z } from 'zod';
import type { InvoiceInput } from '../../../services/business/invoices/invoice-preparation';
import {
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
} from '../fields';

const MAX_LINES = 1000;

export const formatObjectError = (issue: { code?: string }) =>
  issue.code === 'invalid_type' ? 'must be an object' : undefined;

/** Lines of at most so many, each of one shape. */
export const buildInvoiceLinesSchema = <T extends z.ZodType>(lineSchema: T) =>
  z
    .array(lineSchema, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(MAX_LINES, `must have at most ${MAX_LINES} lines`);

const lineInput = z.strictObject(
  {
    productId: recordId,
    quantity,
    unitPrice: unitPrice.optional().meta({ description: 'Default: the product’s price.' }),
    description: line(500).optional().meta({ 'x-addition': true, description: 'Default: the product’s name.' }),
    discountPercent: percent.optional().meta({ 'x-addition': true, description: 'Default: 0.' }),
    taxRateId: recordId
      .optional()
      .meta({ 'x-addition': true, description: 'Default: the product’s, else the company’s.' }),
    priceIncludesTax: flag
      .optional()
      .meta({ 'x-addition': true, description: 'Governs this line’s unitPrice. Default: the product’s.' }),
    warehouseId: recordId.optional().meta({ 'x-addition': true, description: 'Default: the company’s.' }),
  },
  { error: formatObjectError },
);

/** What `POST /api/invoices` takes. */
export const invoiceInput = z.strictObject({
  customerId: recordId,
  paymentTerms: paymentTerms.optional().meta({ description: 'Default: the customer’s, else the company’s.' }),
  currencyCode: currencyCode.optional().meta({ description: 'Default: the customer’s, else the base currency.' }),
  lines: buildInvoiceLinesSchema(lineInput),
  notes: paragraph(2000).nullable().optional(),
  issueDate: z
    .string({ error: 'must be a string' })
    .optional()
    .meta({ 'x-addition': true, description: 'Default: today in the company’s time zone.', example: '2026-11-21' }),
  reference: line(100).nullable().optional().meta({ 'x-addition': true, description: 'The customer’s own reference.' }),
  language: language
    .optional()
    .meta({ 'x-addition': true, description: 'Default: the customer’s, else the company’s.' }),
  seriesId: recordId.optional().meta({ 'x-addition': true, description: 'Default: the company’s invoice series.' }),
  draft: flag.optional().meta({
    'x-addition': true,
    description: 'Keeps a draft instead: no number, no stock, no receivable; `POST /api/invoices/:id/issue` issues it.',
    default: false,
  }),
});

/** The service's input. @throws AppError 400 for a date that is none */
export const toInvoiceInput = (
  { draft: _draft, ...body }: z.infer<typeof invoiceInput>,
  timeZone: string,
): InvoiceInput => ({
  ...body,
  issueDate: parseCalendarField('issueDate', body.issueDate, timeZone),
  reference: body.reference ?? undefined,
  notes: body.notes ?? undefined,
});

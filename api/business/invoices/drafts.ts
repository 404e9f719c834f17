import { z } from 'zod';
import type { InvoiceDraftRecord } from '../../../models/business/invoices/invoice';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { issueDraft, dryRunDraftIssue } from '../../../services/business/invoices/draft-issuing';
import { deleteDraft, requireDraft, updateDraft } from '../../../services/business/invoices/drafts';
import { getInvoice } from '../../../services/business/invoices/invoice-lists';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import {
  parseCalendarField,
  currencyCode,
  dayInput,
  dryRunQuery,
  flag,
  idPath,
  language,
  line,
  paragraph,
  paymentTerms,
  percent,
  quantity,
  recordId,
  unitCode,
  unitPrice,
  NULLABLE_DECIMAL,
  readOnlyField,
  parseSupplyDates,
  supplyDateInputs,
} from '../fields';
import {
  draftDocumentAdjustmentsInput,
  draftLineAdjustmentsInput,
  isUnchanged,
  toAdjustmentInputs,
} from './adjustment-fields';
import {
  presentDocumentLine,
  exampleInvoice,
  presentInvoice,
  invoiceSchema,
  presentInvoiceDryRun,
  invoiceDryRunSchema,
} from './invoice-responses';
import { buildInvoiceLinesSchema, earlyPaymentInput, prepaidInputs, formatObjectError } from './invoice-input';
import { loadInvoiceDetail } from './invoices';
import { parseIfMatch, stripReadOnlyLineFields, stripReadOnlyFields } from '../revisions';

const TAG = 'Invoicing';

/** Read-only fields of a line, which a client may send back as it read them. */
const LINE_READ_ONLY = ['productCode', 'discount', 'net', 'tax', 'taxPercent', 'taxCategory'] as const;

const draftLineInput = z.strictObject(
  {
    lineId: recordId.optional().meta({ description: 'Id of an existing line of the draft; omit it for a new line.' }),
    productId: recordId.nullable().optional(),
    quantity,
    details: paragraph(2000).nullable().optional(),
    unit: unitCode.nullable().optional(),
    adjustments: draftLineAdjustmentsInput.nullable().optional(),
    unitPrice: unitPrice.nullable().optional().meta(NULLABLE_DECIMAL),
    description: line(500).nullable().optional(),
    discountPercent: percent.nullable().optional().meta(NULLABLE_DECIMAL),
    taxRateId: recordId.nullable().optional(),
    priceIncludesTax: flag.nullable().optional(),
    warehouseId: recordId.nullable().optional(),
    ...supplyDateInputs,
    productCode: readOnlyField,
    discount: readOnlyField,
    net: readOnlyField,
    tax: readOnlyField,
    taxPercent: readOnlyField,
    taxCategory: readOnlyField,
  },
  { error: formatObjectError },
);

/** As in a new invoice; the computed fields, with which a draft returns it, are ignored. */
const draftEarlyPaymentInput = earlyPaymentInput
  .extend({ until: readOnlyField, amount: readOnlyField, payable: readOnlyField })
  .transform(({ percent: rate, days }) => ({ percent: rate, days }));

const draftChangesInput = z.strictObject({
  customerId: recordId.optional(),
  issueDate: dayInput.nullable().optional(),
  paymentTerms: paymentTerms.nullable().optional(),
  currencyCode: currencyCode.nullable().optional(),
  seriesId: recordId.nullable().optional(),
  language: language.nullable().optional(),
  ...supplyDateInputs,
  reference: line(100).nullable().optional(),
  notes: paragraph(2000).nullable().optional(),
  dueDate: dayInput.nullable().optional(),
  buyerReference: line(100).nullable().optional(),
  earlyPaymentDiscount: draftEarlyPaymentInput.nullable().optional(),
  deposit: prepaidInputs.deposit.nullable().optional(),
  depositInvoiceIds: prepaidInputs.depositInvoiceIds.nullable().optional(),
  prepayments: prepaidInputs.prepayments.nullable().optional(),
  adjustments: draftDocumentAdjustmentsInput.nullable().optional(),
  lines: buildInvoiceLinesSchema(draftLineInput)
    .optional()
    .meta({ description: 'All lines of the draft; they replace the existing lines.' }),
  id: readOnlyField,
  number: readOnlyField,
  status: readOnlyField,
  customerName: readOnlyField,
  total: readOnlyField,
  taxTotal: readOnlyField,
  grandTotal: readOnlyField,
  open: readOnlyField,
  overdue: readOnlyField,
  exchangeRate: readOnlyField,
  base: readOnlyField,
  prepaid: readOnlyField,
  salesOrder: readOnlyField,
  taxes: readOnlyField,
  contentHash: readOnlyField,
  voidedOn: readOnlyField,
  voidReason: readOnlyField,
  issuedAt: readOnlyField,
  createdAt: readOnlyField,
  updatedAt: readOnlyField,
});

const READ_ONLY = [
  'id',
  'number',
  'status',
  'customerName',
  'total',
  'taxTotal',
  'grandTotal',
  'open',
  'overdue',
  'prepaid',
  'salesOrder',
  'exchangeRate',
  'base',
  'taxes',
  'contentHash',
  'voidedOn',
  'voidReason',
  'issuedAt',
  'createdAt',
  'updatedAt',
] as const;

type DraftLineInput = z.infer<typeof draftLineInput>;

/** Presents the draft as clients read it. */
const presentDraft = (draft: InvoiceDraftRecord, { company }: BusinessCaller) =>
  // A draft has no open amount, so the day does not matter.
  serializeResponse(presentInvoice(draft, undefined, draft.issueDate), company.timeZone);

const parseDraftLines = (lines: readonly DraftLineInput[], draft: InvoiceDraftRecord, timeZone: string) => {
  const currentLines = draft.document.lines.map((each) => serializeResponse(presentDocumentLine(each), timeZone));
  return stripReadOnlyLineFields(lines, currentLines, LINE_READ_ONLY).map(({ adjustments, ...fields }, index) => ({
    ...fields,
    ...parseSupplyDates(fields, `lines[${index}].`, timeZone),
    adjustments: adjustments && toAdjustmentInputs(adjustments),
  }));
};

type AdjustmentList = z.infer<typeof draftDocumentAdjustmentsInput>;

/** Undefined if the list is the one that the draft returns. */
const parseDraftAdjustments = (sent: AdjustmentList | null | undefined, { document }: InvoiceDraftRecord) =>
  sent == null ? sent : isUnchanged(sent, document.adjustments) ? undefined : toAdjustmentInputs(sent);

const exampleDraft = {
  ...exampleInvoice,
  number: null,
  status: 'draft',
  open: 0,
  contentHash: null,
  issuedAt: null,
};

const update = defineRoute({
  method: 'put',
  path: '/api/invoices/:id',
  operationId: 'updateInvoice',
  summary: 'Change a draft',
  description:
    'Changes the fields that are sent and computes the draft again. Fields may be sent back as they were read: a default remains a default unless the customer (for a line: the product) changes; null resets a field to its default. `lines` replaces all lines. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'invoices:update',
  params: idPath,
  body: draftChangesInput,
  bodyExample: { reference: 'PO-7781', lines: [{ lineId: 1, productId: 1, quantity: 20 }] },
  replies: {
    200: {
      description: 'The changed draft.',
      schema: z.object({ data: invoiceSchema }),
      example: { data: exampleDraft },
    },
  },
  errors: {
    409: 'The invoice is already issued (`invoice_already_issued`); the error lists the routes for voiding it and for a credit note.',
    412: 'The draft is not at the version of If-Match any more.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const draft = await getInvoice(caller, params.id);
    requireDraft(draft);
    const { lines, issueDate, dueDate, adjustments, ...fields } = stripReadOnlyFields(
      body,
      presentDraft(draft, caller),
      READ_ONLY,
    );
    const changes = {
      ...fields,
      issueDate: parseCalendarField('issueDate', issueDate, timeZone),
      ...parseSupplyDates(fields, '', timeZone),
      dueDate: parseCalendarField('dueDate', dueDate, timeZone),
      adjustments: parseDraftAdjustments(adjustments, draft),
      lines: lines && parseDraftLines(lines, draft, timeZone),
    };
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await updateDraft(context.platform, caller, at, changes);
    const { data, headers } = await loadInvoiceDetail(context, caller, record);
    return { status: 200, headers, body: serializeResponse({ data }, timeZone) };
  },
});

const remove = defineRoute({
  method: 'delete',
  path: '/api/invoices/:id',
  operationId: 'deleteInvoice',
  summary: 'Delete a draft',
  description: 'Applies to drafts only; an issued invoice can be voided. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'invoices:delete',
  params: idPath,
  replies: {
    200: {
      description: 'The draft was deleted.',
      schema: z.object({ data: z.object({ id: z.number().int(), deleted: z.literal(true) }), message: z.string() }),
      example: { data: { id: 1, deleted: true }, message: 'Draft 1 deleted.' },
    },
  },
  errors: {
    409: 'The invoice is already issued (`invoice_already_issued`); the error lists the routes for voiding it and for a credit note.',
    412: 'The draft is not at the version of If-Match any more.',
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    await deleteDraft(context.platform, caller, { id: params.id, ifMatch: parseIfMatch(context) });
    return {
      status: 200,
      body: { data: { id: params.id, deleted: true }, message: `Draft ${params.id} deleted.` },
    };
  },
});

const issue = defineRoute({
  method: 'post',
  path: '/api/invoices/:id/issue',
  operationId: 'issueInvoice',
  summary: 'Issue a draft',
  description:
    'Computes the draft again with the current prices, rates and defaults and issues it as `POST /api/invoices` does, in one transaction. The id stays the same. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'invoices:issue',
  idempotent: true,
  params: idPath,
  query: dryRunQuery,
  replies: {
    200: {
      description: 'The issued invoice; for a dry run, the invoice that would be issued.',
      schema: z.object({ data: z.union([invoiceSchema, invoiceDryRunSchema]), message: z.string() }),
      example: { data: exampleInvoice, message: 'Invoice INV-2026-000001 issued.' },
    },
  },
  errors: {
    409: 'The invoice is already issued (`invoice_already_issued`), or an error of `POST /api/invoices`: `insufficient_stock`, `credit_limit_exceeded`, `period_locked`, `issue_date_before_latest`, `series_year_closed`.',
    412: 'The draft is not at the version of If-Match any more.',
  },
  async handle(context, { params, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    if (query.dryRun === 'true') {
      const { document, lineWarehouses } = await dryRunDraftIssue(context.platform, caller, at);
      const message = 'The draft can be issued; nothing was written.';
      return {
        status: 200,
        body: serializeResponse({ data: presentInvoiceDryRun(document, lineWarehouses), message }, timeZone),
      };
    }
    const record = await issueDraft(context.platform, caller, at, context.idempotency);
    const { data, headers } = await loadInvoiceDetail(context, caller, record);
    return {
      status: 200,
      headers,
      body: serializeResponse({ data, message: `Invoice ${record.number} issued.` }, timeZone),
    };
  },
});

export const invoiceDraftRoutes: readonly Route[] = [update, remove, issue];

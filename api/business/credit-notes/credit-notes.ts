import { z } from 'zod';
import { toSupplyDates } from '../../../domain/business/invoices/supply-dates';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import {
  CREDIT_NOTE_SORT_FIELDS,
  getCreditNote,
  listCreditNotes,
} from '../../../services/business/credit-notes/credit-note-lists';
import { createCreditNote, dryRunCreditNote } from '../../../services/business/credit-notes/credit-notes';
import type { CreditNoteInput } from '../../../services/business/credit-notes/credit-notes';
import { readOpenAmount } from '../../../services/business/payments/open-items';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import {
  amount,
  parseCalendarField,
  day,
  dryRunQuery,
  flag,
  idPath,
  instant,
  line,
  paragraph,
  quantity,
  recordId,
  supplyDateSchemas,
} from '../fields';
import { documentAdjustmentSchema, presentDocumentAdjustment } from '../invoices/adjustment-fields';
import {
  presentBaseTotals,
  presentDocumentLine,
  documentLineSchema,
  documentTaxSchema,
  presentDocumentTax,
  totalFields,
  presentTotals,
} from '../invoices/invoice-responses';
import {
  parseCalendarFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdsParameter,
} from '../listing';
import { buildPostingDay } from '../payments/payments';

const MAX_LINES = 1000;

const summaryFields = {
  id: z.number().int(),
  number: z.string(),
  invoiceId: z.number().int(),
  invoiceNumber: z.string(),
  customerId: z.number().int(),
  customerName: z.string(),
  issueDate: day,
  currencyCode: z.string(),
  ...totalFields,
  reason: z.string().nullable(),
};

const creditNoteSummarySchema = z.object(summaryFields);

const creditNoteSchema = z.object({
  ...summaryFields,
  restock: z.boolean(),
  ...supplyDateSchemas,
  notes: z.string().nullable(),
  base: z.object({ currencyCode: z.string(), ...totalFields }),
  lines: z.array(documentLineSchema.meta({ description: 'Credited line; `lineId` is that of the invoice.' })),
  adjustments: z.array(documentAdjustmentSchema).meta({
    description:
      'Credited part of the discounts and charges; `adjustmentId` is that of the invoice. Ids after those of the invoice are the part of the discount for early payment that the customer took, by which the credited amounts are reduced at each tax rate; a charge returns it after the discount was taken back.',
  }),
  taxes: z.array(documentTaxSchema),
  contentHash: z.string(),
  issuedAt: instant,
});

const presentCreditNoteSummary = ({ document, ...record }: CreditNoteRecord) => ({
  id: record.id,
  number: record.number,
  invoiceId: record.invoiceId,
  invoiceNumber: document.precedingInvoice.number,
  customerId: record.customerId,
  customerName: document.buyer.name,
  issueDate: record.issueDate,
  currencyCode: record.currencyCode,
  ...presentTotals(document),
  reason: document.reason,
});

const presentCreditNote = (record: CreditNoteRecord) => ({
  ...presentCreditNoteSummary(record),
  restock: record.restock,
  ...toSupplyDates(record.document),
  notes: record.document.notes,
  base: presentBaseTotals(record.document),
  lines: record.document.lines.map(presentDocumentLine),
  adjustments: (record.document.adjustments ?? []).map(presentDocumentAdjustment),
  taxes: record.document.taxes.map(presentDocumentTax),
  contentHash: record.contentHash,
  issuedAt: record.issuedAt,
});

const list = defineRoute({
  method: 'get',
  path: '/api/credit-notes',
  operationId: 'listCreditNotes',
  summary: 'List credit notes',
  tag: 'Invoicing',
  addition: true,
  permission: 'credit-notes:read',
  query: z.strictObject({
    ...listParameters(CREDIT_NOTE_SORT_FIELDS),
    invoiceId: recordIdsParameter('an invoice'),
    customerId: recordIdsParameter('a customer'),
  }),
  replies: {
    200: {
      description: 'A page of credit notes and the exact total.',
      schema: buildListSchema(creditNoteSummarySchema),
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'issueDate', dir: 'desc' });
    const filter = {
      invoiceId: query.invoiceId,
      customerId: query.customerId,
      ...parseCalendarFilter(query, timeZone),
    };
    const { rows, totalCount } = await listCreditNotes(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentCreditNoteSummary), totalCount, listRequest), timeZone),
    };
  },
});

const unapplied = z.number().meta({
  description: 'Remaining credit in the currency of the credit note, which can be applied or refunded.',
});

const detail = defineRoute({
  method: 'get',
  path: '/api/credit-notes/:id',
  operationId: 'getCreditNote',
  summary: 'Credit note detail',
  tag: 'Invoicing',
  addition: true,
  permission: 'credit-notes:read',
  params: idPath,
  replies: {
    200: {
      description: 'The credit note with its remaining credit.',
      schema: z.object({ data: creditNoteSchema.extend({ unapplied }) }),
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getCreditNote(caller, params.id);
    const { organisationId } = caller;
    const credit = await readOpenAmount({ organisationId, side: 'receivable', kind: 'credit_note', id: record.id });
    const data = { ...presentCreditNote(record), unapplied: credit };
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const creditNoteBody = z.strictObject({
  invoiceId: recordId,
  reason: line(500).meta({ description: 'Reason, printed on the document.' }),
  lines: z
    .array(
      z
        .strictObject({
          invoiceLineId: recordId,
          quantity: quantity
            .optional()
            .meta({ type: 'number', description: 'Credited units; either this or `amount`.' }),
          amount: amount.optional().meta({
            type: 'number',
            description: 'Credited amount, including tax if the unit price of the line does.',
          }),
        })
        .meta({ oneOf: [{ required: ['quantity'] }, { required: ['amount'] }] }),
      { error: 'must be an array' },
    )
    .min(1, 'must have at least 1 line')
    .max(MAX_LINES, `must have at most ${MAX_LINES} lines`)
    .optional()
    .meta({ description: 'Credited lines. Default: everything that is not credited yet.' }),
  restock: flag.optional().meta({
    description:
      'Whether credited units of goods return to stock. Without `lines`, all units that were not credited yet return, also those whose price an earlier credit note reduced.',
    default: false,
  }),
  issueDate: buildPostingDay('issue', 'not before that of the invoice and not in the future'),
  notes: paragraph(2000).nullable().optional(),
  seriesId: recordId.optional().meta({
    description: 'Document series of credit notes. Default: the active one with the lowest id.',
  }),
});

const create = defineRoute({
  method: 'post',
  path: '/api/credit-notes',
  operationId: 'createCreditNote',
  summary: 'Create a credit note',
  description:
    'The credit reduces the open amount of the invoice; the rest can be applied to other documents or refunded. Amounts are rounded cumulatively, so that crediting everything credits exactly the total of the invoice. Discounts and charges of the invoice are credited in proportion to the credited lines.',
  tag: 'Invoicing',
  permission: 'credit-notes:create',
  idempotent: true,
  query: dryRunQuery,
  body: creditNoteBody,
  bodyExample: {
    invoiceId: 1,
    reason: 'Two lamps returned',
    lines: [{ invoiceLineId: 1, quantity: 2 }],
    restock: true,
  },
  replies: {
    201: { description: 'The issued credit note.', schema: z.object({ data: creditNoteSchema, message: z.string() }) },
    200: {
      description: 'Dry run: the computed credit note without id and number; nothing is written.',
      schema: z.object({ data: creditNoteSchema.extend({ id: z.null(), number: z.null() }), message: z.string() }),
    },
  },
  errors: {
    409: 'Exceeds what is neither credited nor written off yet (`credit_exceeds_invoice`, with `writeOffIds` to void before), the invoice is void or a draft (`invoice_void`, `invoice_not_issued`), the period is locked (`period_locked`), or the date is before the latest of the series (`issue_date_before_latest`).',
  },
  async handle(context, { body: sent, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input: CreditNoteInput = {
      ...sent,
      restock: sent.restock ?? false,
      issueDate: parseCalendarField('issueDate', sent.issueDate, timeZone),
      notes: sent.notes ?? undefined,
    };
    if (query.dryRun === 'true') {
      const data = {
        ...presentCreditNote(await dryRunCreditNote(context.platform, caller, input)),
        id: null,
        number: null,
      };
      return {
        status: 200,
        body: serializeResponse({ data, message: 'The credit note can be issued; nothing was written.' }, timeZone),
      };
    }
    const record = await createCreditNote(buildRequest(context, caller), input);
    return {
      status: 201,
      headers: { Location: `/api/credit-notes/${record.id}` },
      body: serializeResponse(
        { data: presentCreditNote(record), message: `Credit note ${record.number} created.` },
        timeZone,
      ),
    };
  },
});

export const creditNoteRoutes: readonly Route[] = [list, detail, create];

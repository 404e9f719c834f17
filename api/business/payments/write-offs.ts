import { z } from 'zod';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { PARTY_FIELD } from '../../../services/business/parties/parties';
import {
  getWriteOff,
  listWriteOffs,
  voidWriteOff,
  writeOff,
  WRITE_OFF_SORT_FIELDS,
} from '../../../services/business/payments/write-offs';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildRequest, getCaller } from '../caller';
import { amount, day, dayInput, idPath, instant, line, parseCalendarField, recordId } from '../fields';
import { buildListResponse, buildListSchema, listParameters, parseCalendarFilter, toListRequest } from '../listing';
import { serializeResponse } from '../serialization';
import { PARTY_NAME_FIELD } from './account-responses';
import { buildItemParameters, SIDE_NAMES } from './accounts';

const buildWriteOffSchema = (side: LedgerSide) =>
  z.object({
    id: z.number().int(),
    status: z.enum(['posted', 'void']),
    [PARTY_FIELD[side]]: z.number().int(),
    [PARTY_NAME_FIELD[side]]: z.string(),
    documentId: z.number().int().nullable(),
    paymentId: z.number().int().nullable(),
    creditNoteId: z.number().int().nullable(),
    number: z.string().meta({ description: 'Number of the document or credit.' }),
    date: day,
    amount: z.number().meta({ description: 'Amount in the currency of the document, with tax.' }),
    currencyCode: z.string(),
    amountBase: z.number(),
    taxBase: z.number().meta({ description: 'Tax that is corrected, in base currency.' }),
    reason: z.string().nullable(),
    voidedOn: day.nullable(),
    voidReason: z.string().nullable(),
    createdAt: instant,
  });

const presentWriteOff = (record: DeductionRecord) => ({
  id: record.id,
  status: record.reversedOn === null ? 'posted' : 'void',
  [PARTY_FIELD[record.side]]: record.partyId,
  [PARTY_NAME_FIELD[record.side]]: record.partyName,
  documentId: record.itemKind === 'invoice' || record.itemKind === 'bill' ? record.documentId : null,
  paymentId: record.itemKind === 'payment' ? record.documentId : null,
  creditNoteId: record.itemKind === 'credit_note' ? record.documentId : null,
  number: record.documentNumber,
  date: record.date,
  amount: record.amount,
  currencyCode: record.currencyCode,
  amountBase: record.amountBase,
  taxBase: record.taxBase,
  reason: record.reason,
  voidedOn: record.reversedOn,
  voidReason: record.reversalReason,
  createdAt: record.createdAt,
});

const buildBody = (side: LedgerSide) =>
  z
    .strictObject({
      documentId: recordId
        .optional()
        .meta({ description: side === 'receivable' ? 'Id of the invoice.' : 'Id of the bill.' }),
      paymentId: recordId
        .optional()
        .meta({ description: 'Id of a payment whose unapplied rest is written off, instead of `documentId`.' }),
      creditNoteId: recordId
        .optional()
        .meta({ description: 'Id of a credit note whose unapplied rest is written off, instead of `documentId`.' }),
      amount: amount
        .optional()
        .meta({ type: 'number', exclusiveMinimum: 0, description: 'Amount with tax. Default: all that is open.' }),
      date: dayInput
        .optional()
        .meta({ description: 'Posting date, not in the future. Default: today in the time zone of the company.' }),
      reason: line(500),
    })
    .refine(
      ({ documentId, paymentId, creditNoteId }) =>
        [documentId, paymentId, creditNoteId].filter((id) => id !== undefined).length === 1,
      { path: ['documentId'], error: 'name one of documentId, paymentId and creditNoteId' },
    )
    .meta({
      oneOf: [{ required: ['documentId'] }, { required: ['paymentId'] }, { required: ['creditNoteId'] }],
    });

const defineCreateRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/write-offs`,
    operationId: `writeOff${names.operation}`,
    summary: 'Write off a small difference',
    description:
      'Closes what is left open of a document, or of a payment or credit note, up to `writeOffLimit` of the company in base currency. The net amount and tax of a document are reduced in the proportion of its rates, in the period of `date`; what exceeds the amount that it still charges, such as after a credit note of it was paid out, has no tax.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:create`,
    idempotent: true,
    body: buildBody(side),
    bodyExample: { documentId: 1, reason: 'Bank charges of the payer' },
    replies: {
      201: {
        description: 'The write-off.',
        schema: z.object({ data: buildWriteOffSchema(side), message: z.string() }),
      },
    },
    errors: {
      409: 'More than is open (`allocation_exceeds_open`) or than the limit of the company (`write_off_exceeds_limit`), or the period is locked (`period_locked`).',
    },
    async handle(context, { body }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const input = { ...body, date: parseCalendarField('date', body.date, timeZone) };
      const record = await writeOff(buildRequest(context, caller), side, input);
      return {
        status: 201,
        headers: { Location: `${names.path}/write-offs/${record.id}` },
        body: serializeResponse({ data: presentWriteOff(record), message: `Write-off ${record.id} posted.` }, timeZone),
      };
    },
  });
};

const defineListRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${names.path}/write-offs`,
    operationId: `list${names.operation}WriteOffs`,
    summary: 'List write-offs',
    description:
      'What was written off of which document, payment or credit note, and when; also those that were voided (`voidedOn`). `dateFrom` and `dateTo` filter by the date of the write-off.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:read`,
    query: z.strictObject({ ...listParameters(WRITE_OFF_SORT_FIELDS), ...buildItemParameters(side) }),
    replies: {
      200: {
        description: 'A page of write-offs and the exact total.',
        schema: buildListSchema(buildWriteOffSchema(side)),
      },
    },
    async handle(context, { query }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const listRequest = toListRequest(query, { by: 'date', dir: 'desc' });
      const { documentId, paymentId, creditNoteId } = query;
      const filter = { documentId, paymentId, creditNoteId, ...parseCalendarFilter(query, timeZone) };
      const { rows, totalCount } = await listWriteOffs(caller, side, filter, listRequest);
      return {
        status: 200,
        body: serializeResponse(buildListResponse(rows.map(presentWriteOff), totalCount, listRequest), timeZone),
      };
    },
  });
};

const defineDetailRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${names.path}/write-offs/:id`,
    operationId: `get${names.operation}WriteOff`,
    summary: 'Write-off detail',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:read`,
    params: idPath,
    replies: { 200: { description: 'The write-off.', schema: z.object({ data: buildWriteOffSchema(side) }) } },
    async handle(context, { params }) {
      const caller = await getCaller(context);
      const data = presentWriteOff(await getWriteOff(caller, side, params.id));
      return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
    },
  });
};

const defineVoidRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/write-offs/:id/void`,
    operationId: `void${names.operation}WriteOff`,
    summary: 'Void a write-off',
    description: 'Posts counter-entries dated today: the amount is open again, the record is kept.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:update`,
    idempotent: true,
    params: idPath,
    body: z.strictObject({ reason: line(500) }),
    bodyExample: { reason: 'The customer paid the rest' },
    replies: {
      200: {
        description: 'The voided write-off.',
        schema: z.object({ data: buildWriteOffSchema(side), message: z.string() }),
      },
    },
    errors: {
      409: 'The write-off is already void (`already_void`), the period is locked (`period_locked`), or the Idempotency-Key is in use.',
    },
    async handle(context, { params, body }) {
      const caller = await getCaller(context);
      const record = await voidWriteOff(buildRequest(context, caller), side, params.id, body.reason);
      const message = `Write-off ${params.id} voided.`;
      return {
        status: 200,
        body: serializeResponse({ data: presentWriteOff(record), message }, caller.company.timeZone),
      };
    },
  });
};

/** Routes of differences that are written off: write off, list, read, void. */
export const createWriteOffRoutes = (side: LedgerSide): readonly Route[] => [
  defineListRoute(side),
  defineDetailRoute(side),
  defineCreateRoute(side),
  defineVoidRoute(side),
];

import { z } from 'zod';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { ALLOCATION_SORT_FIELDS, listAllocations } from '../../../services/business/payments/accounts';
import { applyCredit, refundCredit, reverseAllocation } from '../../../services/business/payments/credits';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  allocationSchema,
  buildPaymentSchema,
  listedAllocationSchema,
  presentAllocation,
  presentListedAllocation,
  presentPayment,
} from './account-responses';
import { buildItemParameters, buildPartiesParameter, readPartyIds, SIDE_NAMES } from './accounts';
import { buildListResponse, buildListSchema, listParameters, parseCalendarFilter, toListRequest } from '../listing';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import { amount, parseCalendarField, idPath, line, recordId } from '../fields';
import { buildPostingDay, discountField, paymentMethod } from './payments';

/** A body names one of them. */
const EITHER_CREDIT = { oneOf: [{ required: ['paymentId'] }, { required: ['creditNoteId'] }] };

const creditReferenceFields = {
  paymentId: recordId.optional().meta({ description: 'Id of the payment whose unapplied amount is used.' }),
  creditNoteId: recordId
    .optional()
    .meta({ description: 'Id of the credit note whose credit is used, instead of `paymentId`.' }),
};

const applyFields = {
  ...creditReferenceFields,
  documentId: recordId,
  amount: amount.meta({ exclusiveMinimum: 0, description: 'Amount in the currency of the credit.' }),
  settled: amount.optional().meta({
    type: 'number',
    exclusiveMinimum: 0,
    description: 'Amount in the currency of the document; required if the currencies differ.',
  }),
  date: buildPostingDay('the allocation'),
};

/** Only invoices grant a discount for early payment. */
const APPLY_BODIES = {
  receivable: z.strictObject({ ...applyFields, discount: discountField }).meta(EITHER_CREDIT),
  payable: z.strictObject(applyFields).meta(EITHER_CREDIT),
} as const;

const defineApplyRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/allocations`,
    operationId: `apply${names.operation}Credit`,
    summary: 'Apply credit to a document',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:create`,
    idempotent: true,
    body: APPLY_BODIES[side],
    bodyExample: { paymentId: 1, documentId: 2, amount: 50 },
    replies: {
      201: { description: 'The allocation.', schema: z.object({ data: allocationSchema, message: z.string() }) },
    },
    errors: {
      409: 'The amount exceeds the open amount (`allocation_exceeds_open`), its discount is not granted (`discount_not_available`), or the period is locked (`period_locked`).',
    },
    async handle(context, { body }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const discount = 'discount' in body ? body.discount : undefined;
      const input = { ...body, discount, date: parseCalendarField('date', body.date, timeZone) };
      const allocation = await applyCredit(buildRequest(context, caller), side, input);
      const message = `Allocation ${allocation.id} posted.`;
      return { status: 201, body: serializeResponse({ data: presentAllocation(allocation), message }, timeZone) };
    },
  });
};

/** Allocations have no text that could be searched. */
const { search: _search, ...allocationParameters } = listParameters(ALLOCATION_SORT_FIELDS);

const defineListRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${names.path}/allocations`,
    operationId: `list${names.operation}Allocations`,
    summary: 'List allocations',
    description:
      'Which payment or credit note settled which document, and when; also those that were reversed (`reversedOn`). `dateFrom` and `dateTo` filter by the date of the allocation.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:read`,
    query: z.strictObject({
      ...allocationParameters,
      ...buildPartiesParameter(side),
      ...buildItemParameters(side),
    }),
    replies: {
      200: {
        description: 'A page of allocations and the exact total.',
        schema: buildListSchema(listedAllocationSchema),
      },
    },
    async handle(context, { query }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const listRequest = toListRequest(query, { by: 'date', dir: 'desc' });
      const { documentId, paymentId, creditNoteId } = query;
      const dated = { partyId: readPartyIds(side, query), ...parseCalendarFilter(query, timeZone) };
      const filter = { documentId, paymentId, creditNoteId, ...dated };
      const { rows, totalCount } = await listAllocations(caller, side, filter, listRequest);
      return {
        status: 200,
        body: serializeResponse(
          buildListResponse(rows.map(presentListedAllocation), totalCount, listRequest),
          timeZone,
        ),
      };
    },
  });
};

const defineReverseRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/allocations/:id/reverse`,
    operationId: `reverse${names.operation}Allocation`,
    summary: 'Reverse an allocation',
    description: 'Posts counter-entries dated today; the credit is available again.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:update`,
    idempotent: true,
    params: idPath,
    body: z.strictObject({ reason: line(500) }),
    bodyExample: { reason: 'Applied to the wrong invoice' },
    replies: {
      200: {
        description: 'The reversed allocation.',
        schema: z.object({ data: allocationSchema, message: z.string() }),
      },
    },
    errors: {
      409: 'The allocation is already reversed (`allocation_reversed`), the period is locked (`period_locked`), or the Idempotency-Key is in use.',
    },
    async handle(context, { params, body }) {
      const caller = await getCaller(context);
      const allocation = await reverseAllocation(buildRequest(context, caller), side, params.id, body.reason);
      const message = `Allocation ${params.id} reversed.`;
      return {
        status: 200,
        body: serializeResponse({ data: presentAllocation(allocation), message }, caller.company.timeZone),
      };
    },
  });
};

const defineRefundRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/refunds`,
    operationId: `refund${names.operation}Credit`,
    summary: side === 'receivable' ? 'Refund credit to a customer' : 'Receive a refund from a vendor',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:create`,
    idempotent: true,
    body: z
      .strictObject({
        ...creditReferenceFields,
        amount: amount.meta({ exclusiveMinimum: 0 }),
        date: buildPostingDay('the refund', 'not before that of the credit and not in the future'),
        method: paymentMethod.optional().meta({ default: 'bank_transfer' }),
        reference: line(100).nullable().optional(),
      })
      .meta(EITHER_CREDIT),
    bodyExample: { paymentId: 1, amount: 20 },
    replies: {
      201: { description: 'The refund.', schema: z.object({ data: buildPaymentSchema(side), message: z.string() }) },
    },
    errors: {
      409: 'The amount exceeds the remaining credit (`refund_exceeds_credit`), or the period is locked (`period_locked`).',
    },
    async handle(context, { body }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const input = {
        ...body,
        date: parseCalendarField('date', body.date, timeZone),
        method: body.method ?? 'bank_transfer',
        reference: body.reference ?? undefined,
      } as const;
      const detail = await refundCredit(buildRequest(context, caller), side, input);
      const message = `Refund ${detail.payment.id} posted.`;
      return { status: 201, body: serializeResponse({ data: presentPayment(detail), message }, timeZone) };
    },
  });
};

/** Routes for credit: list applications, apply it, reverse an application, refund it. */
export const createCreditRoutes = (side: LedgerSide): readonly Route[] => [
  defineListRoute(side),
  defineApplyRoute(side),
  defineReverseRoute(side),
  defineRefundRoute(side),
];

import { z } from 'zod';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { PAYMENT_METHODS } from '../../../domain/business/payments/payments';
import { listPayments, PAYMENT_SORT_FIELDS } from '../../../services/business/payments/accounts';
import { PARTY_FIELD } from '../../../services/business/parties/parties';
import type { PaymentInput } from '../../../services/business/payments/payment-preparation';
import { voidPayment } from '../../../services/business/payments/payment-voids';
import { getPayment, registerPayment, dryRunPayment } from '../../../services/business/payments/payments';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import {
  presentPayment,
  buildPaymentSummarySchema,
  buildPaymentSchema,
  presentPaymentDryRun,
  buildPaymentDryRunSchema,
  presentPaymentSummary,
} from './account-responses';
import { readPartyIds, buildPartiesParameter, SIDE_NAMES } from './accounts';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import { amount, parseCalendarField, currencyCode, dayInput, dryRunQuery, idPath, line, recordId } from '../fields';
import {
  parseCalendarFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdsParameter,
} from '../listing';

export const paymentMethod = z
  .enum(PAYMENT_METHODS, { error: `must be one of ${PAYMENT_METHODS.join(', ')}` })
  .meta({ example: 'bank_transfer' });

/** The date of a posting in a request. @param bounds how early and how late it may be */
export const buildPostingDay = (of: string, bounds = 'not in the future') =>
  dayInput.optional().meta({
    description: `Date of ${of}, ${bounds}. Default: today in the time zone of the company.`,
  });

const paymentDay = buildPostingDay('the payment');

const allocationInput = z.strictObject({
  documentId: recordId,
  amount: amount.meta({ exclusiveMinimum: 0, description: 'Amount in the currency of the payment.' }),
  settled: amount.optional().meta({
    type: 'number',
    exclusiveMinimum: 0,
    description: 'Amount in the currency of the document; required if the currencies differ.',
  }),
});

/** The discount of an allocation to an invoice. */
export const discountField = amount.optional().meta({
  description:
    'Discount for early payment in the currency of the document, in addition to the amount. It needs the terms of the invoice (`earlyPaymentDiscount`), a payment on or before their last day, and closes the invoice. If omitted: the discount of the invoice if the payment leaves exactly that open in time. 0: none.',
});

const buildAllocationInput = (side: LedgerSide) =>
  side === 'receivable' ? allocationInput.extend({ discount: discountField }) : allocationInput;

const buildPaymentBody = (side: LedgerSide) =>
  z.strictObject({
    ...(side === 'receivable' ? { customerId: recordId } : { vendorId: recordId }),
    amount: amount.meta({ exclusiveMinimum: 0 }),
    currencyCode: currencyCode
      .optional()
      .meta({ description: 'Currency of the payment. Default: the base currency of the company.' }),
    date: paymentDay,
    method: paymentMethod.optional().meta({ default: 'bank_transfer' }),
    reference: line(100).nullable().optional(),
    allocations: z
      .array(buildAllocationInput(side), { error: 'must be an array' })
      .max(200, 'must have at most 200 allocations')
      .optional()
      .meta({
        description:
          side === 'receivable'
            ? 'Invoices to settle. If omitted: the one whose discounted amount for early payment is paid exactly, or all of them if their discounted amounts are, else those in the currency of the payment, oldest due first. If empty: the whole amount stays credit.'
            : 'Bills or receipts to settle. If omitted: the bills in the currency of the payment, oldest due first; a receipt that is not billed yet is settled only if it is named. If empty: the whole amount stays credit.',
      }),
  });

const toPaymentInput = (
  side: LedgerSide,
  body: z.infer<ReturnType<typeof buildPaymentBody>>,
  timeZone: string,
): PaymentInput => ({
  partyId: Number(new Map<string, unknown>(Object.entries(body)).get(PARTY_FIELD[side])),
  amount: body.amount,
  currencyCode: body.currencyCode,
  date: parseCalendarField('date', body.date, timeZone),
  method: body.method ?? 'bank_transfer',
  reference: body.reference ?? undefined,
  allocations: body.allocations,
});

const defineRegisterRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  const paymentSchema = buildPaymentSchema(side);
  return defineRoute({
    method: 'post',
    path: `${names.path}/payments`,
    operationId: `register${names.operation}Payment`,
    summary: side === 'receivable' ? 'Register a collection' : 'Register a payment',
    description: 'Applies the payment to documents in one transaction; the rest stays credit.',
    tag: names.tag,
    permission: `${names.module}:create`,
    idempotent: true,
    query: dryRunQuery,
    body: buildPaymentBody(side),
    bodyExample: { [PARTY_FIELD[side]]: 1, amount: 115.43, currencyCode: 'EUR', method: 'bank_transfer' },
    replies: {
      201: {
        description: 'The payment with its allocations.',
        schema: z.object({ data: paymentSchema, message: z.string() }),
      },
      200: {
        description: 'Dry run: the payment with the allocations it would have; nothing is written.',
        schema: z.object({ data: buildPaymentDryRunSchema(side), message: z.string() }),
      },
    },
    errors: {
      409: 'An allocation exceeds the open amount (`allocation_exceeds_open`), its discount is not granted (`discount_not_available`), or the period is locked (`period_locked`).',
    },
    async handle(context, { body, query }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const input = toPaymentInput(side, body, timeZone);
      if (query.dryRun === 'true') {
        const data = presentPaymentDryRun(await dryRunPayment(context.platform, caller, side, input));
        return {
          status: 200,
          body: serializeResponse({ data, message: 'The payment can be posted; nothing was written.' }, timeZone),
        };
      }
      const detail = await registerPayment(buildRequest(context, caller), side, input);
      const { id } = detail.payment;
      return {
        status: 201,
        headers: { Location: `${names.path}/payments/${id}` },
        body: serializeResponse({ data: presentPayment(detail), message: `Payment ${id} posted.` }, timeZone),
      };
    },
  });
};

const defineListRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${names.path}/payments`,
    operationId: `list${names.operation}Payments`,
    summary: 'List payments and refunds',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:read`,
    query: z.strictObject({
      ...listParameters(PAYMENT_SORT_FIELDS),
      ...buildPartiesParameter(side),
      refundOfPaymentId: recordIdsParameter('a payment'),
      refundOfCreditNoteId: recordIdsParameter('a credit note'),
    }),
    replies: {
      200: {
        description: 'A page of payments and refunds and the exact total.',
        schema: buildListSchema(buildPaymentSummarySchema(side)),
      },
    },
    async handle(context, { query }) {
      const caller = await getCaller(context);
      const { timeZone } = caller.company;
      const listRequest = toListRequest(query, { by: 'date', dir: 'desc' });
      const { refundOfPaymentId, refundOfCreditNoteId } = query;
      const dated = { partyId: readPartyIds(side, query), ...parseCalendarFilter(query, timeZone) };
      const filter = { refundOfPaymentId, refundOfCreditNoteId, ...dated };
      const { rows, totalCount } = await listPayments(caller, side, filter, listRequest);
      return {
        status: 200,
        body: serializeResponse(buildListResponse(rows.map(presentPaymentSummary), totalCount, listRequest), timeZone),
      };
    },
  });
};

const defineDetailRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${names.path}/payments/:id`,
    operationId: `get${names.operation}Payment`,
    summary: 'Payment detail',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:read`,
    params: idPath,
    replies: { 200: { description: 'The payment.', schema: z.object({ data: buildPaymentSchema(side) }) } },
    async handle(context, { params }) {
      const caller = await getCaller(context);
      const data = presentPayment(await getPayment(caller, side, params.id));
      return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
    },
  });
};

const defineVoidRoute = (side: LedgerSide): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/payments/:id/void`,
    operationId: `void${names.operation}Payment`,
    summary: 'Void a payment or refund',
    description: 'Posts counter-entries dated today: the settled amounts are open again, the record is kept.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:update`,
    idempotent: true,
    params: idPath,
    body: z.strictObject({ reason: line(500) }),
    bodyExample: { reason: 'Returned by the bank' },
    replies: {
      200: {
        description: 'The voided payment.',
        schema: z.object({ data: buildPaymentSchema(side), message: z.string() }),
      },
    },
    errors: {
      409: 'The payment is already void (`already_void`), was refunded (`payment_refunded`), the period is locked (`period_locked`), or the Idempotency-Key is in use.',
    },
    async handle(context, { params, body }) {
      const caller = await getCaller(context);
      const voidedPayment = await voidPayment(buildRequest(context, caller), side, params.id, body.reason);
      const message = `Payment ${params.id} voided.`;
      return {
        status: 200,
        body: serializeResponse({ data: presentPayment(voidedPayment), message }, caller.company.timeZone),
      };
    },
  });
};

/** Routes of customer or vendor payments. */
export const createPaymentRoutes = (side: LedgerSide): readonly Route[] => [
  defineListRoute(side),
  defineDetailRoute(side),
  defineRegisterRoute(side),
  defineVoidRoute(side),
];

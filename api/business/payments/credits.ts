import { z } from 'zod';
import type { Side } from '../../../domain/business/payments/open-items';
import { applyCredit, refundCredit, reverseAllocation } from '../../../services/business/payments/credits';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { allocationShape, allocationView, paymentDetail, paymentShape } from './account-responses';
import { SIDE_NAMES } from './accounts';
import { answer } from '../responses';
import { callerOf } from '../caller';
import { amount, calendarField, idPath, line, recordId } from '../fields';
import { method, postingDay } from './payments';

const creditName = {
  paymentId: recordId.optional().meta({ type: 'integer', description: 'Its unapplied rest is used.' }),
  creditNoteId: recordId.optional().meta({ type: 'integer', description: 'Instead of paymentId.' }),
};

const apply = (side: Side): Route => {
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
    body: z.strictObject({
      ...creditName,
      documentId: recordId,
      amount: amount.meta({ description: 'In the credit’s currency.' }),
      settled: amount
        .optional()
        .meta({ type: 'number', description: 'In the document’s currency; required where they differ.' }),
      date: postingDay,
    }),
    bodyExample: { paymentId: 1, documentId: 2, amount: 50 },
    replies: {
      201: { description: 'The allocation.', schema: z.object({ data: allocationShape, message: z.string() }) },
    },
    errors: { 409: 'More than is open (`allocation_exceeds_open`), or the period is locked (`period_locked`).' },
    async handle(context, { body }) {
      const caller = await callerOf(context);
      const { timeZone } = caller.company;
      const input = { ...body, date: calendarField('date', body.date, timeZone) };
      const allocation = await applyCredit(context.platform, caller, side, input, context.idempotency);
      const message = `Allocation ${allocation.id} posted.`;
      return { status: 201, body: answer({ data: allocationView(allocation), message }, timeZone) };
    },
  });
};

const reverse = (side: Side): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/allocations/:id/reverse`,
    operationId: `reverse${names.operation}Allocation`,
    summary: 'Reverse an allocation',
    description: 'By counter-entries dated today; the credit is free again.',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:update`,
    params: idPath,
    body: z.strictObject({ reason: line(500) }),
    bodyExample: { reason: 'Applied to the wrong invoice' },
    replies: {
      200: {
        description: 'The allocation, reversed.',
        schema: z.object({ data: allocationShape, message: z.string() }),
      },
    },
    errors: { 409: 'Reversed already (`allocation_reversed`), or the period is locked (`period_locked`).' },
    async handle(context, { params, body }) {
      const caller = await callerOf(context);
      const allocation = await reverseAllocation(context.platform, caller, side, params.id, body.reason);
      const message = `Allocation ${params.id} reversed.`;
      return { status: 200, body: answer({ data: allocationView(allocation), message }, caller.company.timeZone) };
    },
  });
};

const refund = (side: Side): Route => {
  const names = SIDE_NAMES[side];
  return defineRoute({
    method: 'post',
    path: `${names.path}/refunds`,
    operationId: `refund${names.operation}Credit`,
    summary: side === 'receivable' ? 'Pay a customer’s credit back' : 'Take a vendor’s credit back',
    tag: names.tag,
    addition: true,
    permission: `${names.module}:create`,
    idempotent: true,
    body: z.strictObject({
      ...creditName,
      amount,
      date: postingDay,
      method: method.optional().meta({ default: 'bank_transfer' }),
      reference: line(100).nullable().optional(),
    }),
    bodyExample: { paymentId: 1, amount: 20 },
    replies: {
      201: { description: 'The refund.', schema: z.object({ data: paymentShape(side), message: z.string() }) },
    },
    errors: {
      409: 'More than the credit that is left (`refund_exceeds_credit`), or the period is locked (`period_locked`).',
    },
    async handle(context, { body }) {
      const caller = await callerOf(context);
      const { timeZone } = caller.company;
      const input = {
        ...body,
        date: calendarField('date', body.date, timeZone),
        method: body.method ?? 'bank_transfer',
        reference: body.reference ?? undefined,
      } as const;
      const detail = await refundCredit(context.platform, caller, side, input, context.idempotency);
      const message = `Refund ${detail.payment.id} posted.`;
      return { status: 201, body: answer({ data: paymentDetail(detail), message }, timeZone) };
    },
  });
};

/** What can be done with credit: apply it, take that back, pay it out. */
export const creditRoutes = (side: Side): readonly Route[] => [apply(side), reverse(side), refund(side)];

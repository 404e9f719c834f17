import { z } from 'zod';
import { voidPayable } from '../../../services/business/purchasing/payable-voids';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildRequest, getCaller } from '../caller';
import { dayInput, idPath, line, parseCalendarField } from '../fields';
import { serializeResponse } from '../serialization';
import { payableSchema, presentPayable } from './payable-responses';

const voidRoute = defineRoute({
  method: 'post',
  path: '/api/payables/:id/void',
  operationId: 'voidPayable',
  summary: 'Void a bill or credit note of a vendor',
  description:
    'For a document that was recorded wrongly: counter-entries reverse it in the ledger, the journal and the VAT report, the record is kept, and its number can be used again. The receipts that a bill replaced are unbilled again, as before the bill. A document with payments, write-offs or credit notes, or in a locked period, cannot be voided: the 409 error lists what to reverse first and the routes that do so. Neither can a bill of which goods were returned since, nor the credit note of returned goods.',
  tag: 'Payables',
  addition: true,
  permission: 'payables:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({
    date: dayInput.optional().meta({
      description:
        'Day of the counter-entries, not in the future and not before the latest change of the document and of its receipts. Default: today in the time zone of the company.',
    }),
    reason: line(500),
  }),
  bodyExample: { reason: 'Recorded for the wrong vendor' },
  replies: {
    200: { description: 'The voided document.', schema: z.object({ data: payableSchema, message: z.string() }) },
  },
  errors: {
    409: 'Something must be reversed first, or the payable is a receipt (`payable_not_voidable`), it is already void (`already_void`), the period of the document or of the void is locked (`period_locked`), or the Idempotency-Key is in use.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const { reason } = body;
    const input = { date: parseCalendarField('date', body.date, timeZone), reason };
    const record = await voidPayable(buildRequest(context, caller), params.id, input);
    const message = `${record.type === 'bill' ? 'Bill' : 'Credit note'} ${record.number} voided.`;
    return { status: 200, body: serializeResponse({ data: presentPayable(record), message }, timeZone) };
  },
});

export const payableVoidRoutes: readonly Route[] = [voidRoute];

import { z } from 'zod';
import { getPayable, recordBill } from '../../../services/business/purchasing/bills';
import type { BillInput } from '../../../services/business/purchasing/bills';
import { readOpenAmount } from '../../../services/business/payments/open-items';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import {
  amount,
  parseCalendarField,
  currencyCode,
  dayInput,
  idPath,
  line,
  quantity,
  recordId,
  unitPrice,
} from '../fields';
import { payableDetailSchema, payableSchema, presentPayable } from './payable-responses';

const TAG = 'Payables';

const detail = defineRoute({
  method: 'get',
  path: '/api/payables/:id',
  operationId: 'getPayable',
  summary: 'Payable detail',
  description: 'A receipt, a bill or a credit note of a vendor.',
  tag: TAG,
  addition: true,
  permission: 'payables:read',
  params: idPath,
  replies: {
    200: { description: 'The payable with what is open of it.', schema: z.object({ data: payableDetailSchema }) },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getPayable(caller, params.id);
    const { organisationId } = caller;
    const open = await readOpenAmount({ organisationId, side: 'payable', kind: record.type, id: record.id });
    const data = { ...presentPayable(record), open };
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const day = (description: string) => dayInput.meta({ description });

const describeVendorTotal = (what: string): string =>
  `${what} as printed by the vendor. Default: that of the lines. A difference of up to 5 of the smallest units of the ` +
  'currency, or of 1 per line if that is more, is recorded as a line `Rounding`; a greater one is rejected.';

const vendorDocumentFields = {
  vendorId: recordId,
  number: line(60).meta({ description: 'Number given by the vendor; unique per vendor, except among void documents.' }),
  date: day('The vendor’s; never later than today.'),
  supplyDate: day(
    'Day of supply, whose tax rates apply. Default: that of the payable that a credit note names, or the last date of the receipts of a bill, else `date`.',
  ).optional(),
  currencyCode: currencyCode
    .optional()
    .meta({ description: 'ISO 4217 code. Default: the currency of the vendor, else of the company.' }),
  reference: line(100).nullable().optional(),
  lines: z
    .array(
      z.strictObject({
        productId: recordId.optional(),
        description: line(500).optional().meta({ description: 'Description of the line; required without a product.' }),
        quantity,
        unitCost: unitPrice.meta({ description: 'Cost per unit before tax.' }),
        taxRateId: recordId.optional(),
      }),
      { error: 'must be an array' },
    )
    .min(1, 'must have at least 1 line')
    .max(1000, 'must have at most 1000 lines'),
  total: amount.optional().meta({ type: 'number', description: describeVendorTotal('Total before tax') }),
  taxTotal: amount.optional().meta({ type: 'number', description: describeVendorTotal('Tax') }),
};

const bill = defineRoute({
  method: 'post',
  path: '/api/payables',
  operationId: 'recordVendorBill',
  summary: 'Record a bill of a vendor',
  description:
    'Replaces the unbilled payables of its receipts and returns the differences of price, quantity and exchange rate. It charges at most the quantities received, compared product by product; beyond the `overBillingTolerancePercent` of the company it is rejected. If no line names a product, the quantities are compared in total. A bill without receipts has no order.',
  tag: TAG,
  addition: true,
  permission: 'payables:create',
  idempotent: true,
  body: z.strictObject({
    ...vendorDocumentFields,
    dueDate: day('Not before the date of the bill. Default: by the vendor’s payment terms.').optional(),
    receiptIds: z.array(recordId, { error: 'must be an array' }).max(200, 'must have at most 200 receipts').optional(),
  }),
  bodyExample: {
    vendorId: 1,
    number: 'R-2026-118',
    date: '2026-11-21',
    lines: [{ productId: 1, quantity: 10, unitCost: 4.2 }],
    total: 42,
    taxTotal: 8.4,
    receiptIds: [1],
  },
  replies: { 201: { description: 'The bill.', schema: z.object({ data: payableSchema, message: z.string() }) } },
  errors: {
    409: 'A bill with the number of the vendor exists already (`number_taken`), a receipt has been billed (`receipt_billed`) or paid (`receipt_settled`, with the ids of the payments and of the allocations to reverse), more is billed than was received (`over_billing`), or the period is locked (`period_locked`).',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input: BillInput = {
      ...body,
      type: 'bill',
      date: parseCalendarField('date', body.date, timeZone) ?? body.date,
      supplyDate: parseCalendarField('supplyDate', body.supplyDate, timeZone),
      dueDate: parseCalendarField('dueDate', body.dueDate, timeZone),
      reference: body.reference ?? undefined,
    };
    const record = await recordBill(buildRequest(context, caller), input);
    const message = `Bill ${record.number} recorded.`;
    return { status: 201, body: serializeResponse({ data: presentPayable(record), message }, timeZone) };
  },
});

const creditNote = defineRoute({
  method: 'post',
  path: '/api/payables/credit-notes',
  operationId: 'recordVendorCreditNote',
  summary: 'Record a credit note of a vendor',
  description:
    'Reduces the payable that it names by what is open of it; the remainder is a credit that can be applied or refunded. It is not dated before that payable, and all credit notes of a bill together are worth at most the bill.',
  tag: TAG,
  addition: true,
  permission: 'payables:create',
  idempotent: true,
  body: z.strictObject({ ...vendorDocumentFields, payableId: recordId.optional() }),
  bodyExample: {
    vendorId: 1,
    number: 'G-2026-7',
    date: '2026-11-21',
    lines: [{ description: 'Broken lamp', quantity: 1, unitCost: 4.2 }],
    payableId: 2,
  },
  replies: { 201: { description: 'The credit note.', schema: z.object({ data: payableSchema, message: z.string() }) } },
  errors: {
    409: 'A credit note with the number of the vendor exists already (`number_taken`), it takes back more than the bill less its other credit notes and write-offs (`credit_exceeds_bill`, with `left`, or with `writeOffIds` to void before), the bill is void (`already_void`), or the period is locked (`period_locked`).',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input: BillInput = {
      ...body,
      type: 'credit_note',
      date: parseCalendarField('date', body.date, timeZone) ?? body.date,
      supplyDate: parseCalendarField('supplyDate', body.supplyDate, timeZone),
      reference: body.reference ?? undefined,
    };
    const record = await recordBill(buildRequest(context, caller), input);
    const message = `Credit note ${record.number} recorded.`;
    return { status: 201, body: serializeResponse({ data: presentPayable(record), message }, timeZone) };
  },
});

export const payableRoutes: readonly Route[] = [bill, creditNote, detail];

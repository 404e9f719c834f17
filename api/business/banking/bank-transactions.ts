import { z } from 'zod';
import { BANK_TRANSACTION_STATES } from '../../../domain/business/banking/bank-statement';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { forbiddenError } from '../../../domain/errors';
import type { BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import {
  acceptMatch,
  BANK_TRANSACTION_SORT_FIELDS,
  getTransaction,
  getTransactionSide,
  ignoreTransaction,
  listTransactions,
  reopenTransaction,
} from '../../../services/business/banking/bank-transactions';
import type { MatchInput } from '../../../services/business/banking/bank-transactions';
import { matchRegisteredPayment } from '../../../services/business/banking/registered-payments';
import { proposeTransactionMatches } from '../../../services/business/banking/match-proposals';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { discountField } from '../payments/payments';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildRequest, getCaller } from '../caller';
import { amount, idPath, line, recordId } from '../fields';
import {
  buildListResponse,
  buildListSchema,
  choicesParameter,
  listParameters,
  parseCalendarFilter,
  recordIdsParameter,
  toListRequest,
} from '../listing';
import { serializeResponse } from '../serialization';
import {
  exampleProposal,
  exampleTransaction,
  presentProposal,
  presentTransaction,
  proposalSchema,
  transactionSchema,
} from './banking-responses';
import { BANKING_TAG } from './bank-statements';
import {
  registeredPaymentFields,
  rejectDocumentFields,
  rejectSide,
  requireDocumentField,
} from './registered-payment-fields';

const transactionReply = (data: z.input<typeof transactionSchema>, message: string) => ({
  schema: z.object({ data: transactionSchema, message: z.string() }),
  example: { data, message },
});

const respond = (caller: BusinessCaller, record: BankTransactionRecord, message: string) =>
  serializeResponse({ data: presentTransaction(record), message }, caller.company.timeZone);

const list = defineRoute({
  method: 'get',
  path: '/api/bank-transactions',
  operationId: 'listBankTransactions',
  summary: 'List bank transactions',
  description: '`dateFrom` and `dateTo` filter the booking date; `search` finds names and texts.',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:read',
  query: z.strictObject({
    ...listParameters(BANK_TRANSACTION_SORT_FIELDS),
    state: choicesParameter(BANK_TRANSACTION_STATES),
    statementId: recordIdsParameter('a bank statement'),
  }),
  replies: {
    200: {
      description: 'A page of transactions and the exact total.',
      schema: buildListSchema(transactionSchema),
      example: { data: [exampleTransaction], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'bookingDate', dir: 'desc' });
    const { state, statementId } = query;
    const filter = { state, statementId, ...parseCalendarFilter(query, timeZone) };
    const { rows, totalCount } = await listTransactions(caller, filter, listRequest);
    const body = buildListResponse(rows.map(presentTransaction), totalCount, listRequest);
    return { status: 200, body: serializeResponse(body, timeZone) };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/bank-transactions/:id',
  operationId: 'getBankTransaction',
  summary: 'Get a bank transaction',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:read',
  params: idPath,
  replies: {
    200: {
      description: 'The transaction.',
      schema: z.object({ data: transactionSchema }),
      example: { data: exampleTransaction },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const data = presentTransaction(await getTransaction(caller, params.id));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const propose = defineRoute({
  method: 'get',
  path: '/api/bank-transactions/:id/proposals',
  operationId: 'listMatchProposals',
  summary: 'Propose payments and documents for a bank transaction',
  description:
    'First payments and refunds that are registered already, with the amount and currency of the transaction, no bank transaction yet, and a date at most 60 days from its booking date (`payment`); accepting one posts nothing. Then open invoices or bills in the currency of the transaction, best first, with a score from 0 to 100 and its reasons: document numbers in the text, the amount, the name, and earlier transactions of the same account. Nothing is posted until a proposal is accepted.',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:read',
  params: idPath,
  replies: {
    200: {
      description: 'At most ten proposals; none unless the transaction is open.',
      schema: z.object({ data: z.array(proposalSchema) }),
      example: { data: [exampleProposal] },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const data = (await proposeTransactionMatches(caller, params.id)).map(presentProposal);
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

const allocationInput = z.strictObject({
  documentId: recordId,
  amount: amount.meta({ exclusiveMinimum: 0, description: 'Amount in the currency of the transaction.' }),
  settled: amount.optional().meta({
    exclusiveMinimum: 0,
    description: 'Amount in the currency of the document; required if the currencies differ.',
  }),
  discount: discountField,
});

const acceptBody = z
  .strictObject({
    partyId: recordId.optional().meta({ description: 'Customer or vendor, by the side of the transaction.' }),
    allocations: z
      .array(allocationInput, { error: 'must be an array' })
      .max(200, 'must have at most 200 allocations')
      .optional()
      .meta({ description: 'Documents to settle, as proposed or chosen; empty: the whole amount stays credit.' }),
    ...registeredPaymentFields,
  })
  .meta({ oneOf: [{ required: ['partyId', 'allocations'] }, { required: ['paymentId'] }] });

type Match = MatchInput | { paymentId: number; side: LedgerSide | undefined };

/** What a body accepts. @throws AppError 400 if it names both a payment and documents, or neither */
function readMatch({ partyId, allocations, paymentId, side }: z.infer<typeof acceptBody>): Match {
  if (paymentId !== undefined) {
    rejectDocumentFields({ partyId, allocations });
    return { paymentId, side };
  }
  rejectSide(side);
  return {
    partyId: requireDocumentField('partyId', partyId),
    allocations: requireDocumentField('allocations', allocations),
  };
}

/** Accepting documents posts a payment, which needs the permission for payments of its side. @throws AppError 403 */
function requirePaymentPermission(caller: BusinessCaller, record: BankTransactionRecord): void {
  const permission = getTransactionSide(record) === 'receivable' ? 'receivables:create' : 'payables:create';
  if (!caller.permissions.has(permission)) throw forbiddenError(permission);
}

const accept = defineRoute({
  method: 'post',
  path: '/api/bank-transactions/:id/accept',
  operationId: 'acceptMatch',
  summary: 'Match a bank transaction with documents or a payment',
  description: [
    'With `partyId` and `allocations`: registers the payment of the transaction, dated its booking date, with these allocations, and marks the transaction as matched. What is not allocated stays credit. Needs `receivables:create` for money that was received, `payables:create` for money that was paid.',
    'With `paymentId`: marks the transaction as matched with a payment or refund that is registered already, of the same direction, amount and currency, and not matched with another transaction. Nothing is posted.',
  ].join('\n\n'),
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:update',
  idempotent: true,
  params: idPath,
  body: acceptBody,
  bodyExample: { partyId: 3, allocations: [{ documentId: 17, amount: 119 }] },
  replies: {
    200: {
      description: 'The matched transaction with its payment.',
      ...transactionReply({ ...exampleTransaction, state: 'matched', paymentId: 31, partyId: 3 }, 'Payment 31 posted.'),
    },
  },
  errors: {
    409: '`transaction_not_open`: it is matched or ignored. `payment_matched`: the payment has another bank transaction. `allocation_exceeds_open`, `discount_not_available`, `period_locked` as for a payment.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const match = readMatch(body);
    if ('paymentId' in match) {
      const matched = await matchRegisteredPayment(buildRequest(context, caller), params.id, match);
      return { status: 200, body: respond(caller, matched, `Matched with payment ${match.paymentId}.`) };
    }
    requirePaymentPermission(caller, await getTransaction(caller, params.id));
    const record = await acceptMatch(buildRequest(context, caller), params.id, match);
    return { status: 200, body: respond(caller, record, `Payment ${record.paymentId ?? ''} posted.`) };
  },
});

const ignore = defineRoute({
  method: 'post',
  path: '/api/bank-transactions/:id/ignore',
  operationId: 'ignoreBankTransaction',
  summary: 'Set a bank transaction aside',
  description: 'For transactions that settle no document, such as bank fees.',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({ reason: line(500) }),
  bodyExample: { reason: 'Bank fee' },
  replies: {
    200: {
      description: 'The ignored transaction.',
      ...transactionReply(
        { ...exampleTransaction, state: 'ignored', ignoreReason: 'Bank fee' },
        'The transaction is ignored.',
      ),
    },
  },
  errors: { 409: '`transaction_not_open`: it is matched or ignored.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const record = await ignoreTransaction(buildRequest(context, caller), params.id, body.reason);
    return { status: 200, body: respond(caller, record, 'The transaction is ignored.') };
  },
});

const reopen = defineRoute({
  method: 'post',
  path: '/api/bank-transactions/:id/reopen',
  operationId: 'reopenBankTransaction',
  summary: 'Open a bank transaction again',
  description:
    'For an ignored transaction, or a matched one whose payment has been voided. A payment that was registered before the match stays as it is.',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({}),
  bodyExample: {},
  replies: {
    200: { description: 'The open transaction.', ...transactionReply(exampleTransaction, 'The transaction is open.') },
  },
  errors: { 409: '`payment_not_void`: void its payment first.' },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await reopenTransaction(buildRequest(context, caller), params.id);
    return { status: 200, body: respond(caller, record, 'The transaction is open.') };
  },
});

export const bankTransactionRoutes: readonly Route[] = [list, detail, propose, accept, ignore, reopen];

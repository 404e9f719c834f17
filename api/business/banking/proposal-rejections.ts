import { z } from 'zod';
import { rejectProposal, restoreProposals } from '../../../services/business/banking/proposal-rejections';
import type { Rejection } from '../../../services/business/banking/proposal-rejections';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildRequest, getCaller } from '../caller';
import { idPath, recordId } from '../fields';
import { serializeResponse } from '../serialization';
import { BANKING_TAG } from './bank-statements';
import {
  registeredPaymentFields,
  rejectDocumentFields,
  rejectSide,
  requireDocumentField,
} from './registered-payment-fields';
import { exampleTransaction, presentTransaction, transactionSchema } from './banking-responses';

const OPEN_ONLY = { 409: '`transaction_not_open`: it is matched or ignored.' };

const buildReply = (description: string, rejectedProposals: number, message: string) => ({
  200: {
    description,
    schema: z.object({ data: transactionSchema, message: z.string() }),
    example: { data: { ...exampleTransaction, rejectedProposals }, message },
  },
});

const rejectBody = z
  .strictObject({
    partyId: recordId.optional().meta({ description: 'Customer or vendor of the proposal.' }),
    documentIds: z
      .array(recordId, { error: 'must be an array' })
      .min(1, 'must have the documents of the proposal')
      .max(200, 'must have at most 200 documents')
      .optional()
      .meta({ description: 'Every document of the proposal, in any order.' }),
    ...registeredPaymentFields,
  })
  .meta({ oneOf: [{ required: ['partyId', 'documentIds'] }, { required: ['paymentId'] }] });

/** What a body rejects. @throws AppError 400 if it names both a payment and documents, or neither */
function readRejection({ partyId, documentIds, paymentId, side }: z.infer<typeof rejectBody>): Rejection {
  if (paymentId !== undefined) {
    rejectDocumentFields({ partyId, documentIds });
    return { paymentId, side };
  }
  rejectSide(side);
  return {
    partyId: requireDocumentField('partyId', partyId),
    documentIds: requireDocumentField('documentIds', documentIds),
  };
}

const reject = defineRoute({
  method: 'post',
  path: '/api/bank-transactions/:id/proposals/reject',
  operationId: 'rejectMatchProposal',
  summary: 'Reject a proposal',
  description:
    'The transaction does not pay these documents together, or is not this registered payment: the proposal is not made again. Other proposals remain, also those with some of the documents.',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:update',
  idempotent: true,
  params: idPath,
  body: rejectBody,
  bodyExample: { partyId: 3, documentIds: [17] },
  replies: buildReply('The transaction.', 1, 'The proposal is rejected.'),
  errors: OPEN_ONLY,
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const record = await rejectProposal(buildRequest(context, caller), params.id, readRejection(body));
    const data = presentTransaction(record);
    return {
      status: 200,
      body: serializeResponse({ data, message: 'The proposal is rejected.' }, caller.company.timeZone),
    };
  },
});

const restore = defineRoute({
  method: 'post',
  path: '/api/bank-transactions/:id/proposals/restore',
  operationId: 'restoreMatchProposals',
  summary: 'Make rejected proposals again',
  tag: BANKING_TAG,
  addition: true,
  permission: 'banking:update',
  idempotent: true,
  params: idPath,
  body: z.strictObject({}),
  bodyExample: {},
  replies: buildReply('The transaction, without rejected proposals.', 0, 'Every proposal is possible again.'),
  errors: OPEN_ONLY,
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await restoreProposals(buildRequest(context, caller), params.id);
    const data = presentTransaction(record);
    return {
      status: 200,
      body: serializeResponse({ data, message: 'Every proposal is possible again.' }, caller.company.timeZone),
    };
  },
});

export const proposalRejectionRoutes: readonly Route[] = [reject, restore];

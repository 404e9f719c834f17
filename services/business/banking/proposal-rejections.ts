import { buildProposalKey } from '../../../domain/business/banking/matching';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import type {
  BankTransactionRecord,
  RejectedPayment,
  RejectedProposal,
} from '../../../models/business/banking/bank-statement';
import type { BusinessRequest } from '../access/caller';
import { changeState, changeTransaction, getTransactionSide, notOpenError } from './bank-transactions';

/** Rejected documents, and as many rejected payments, are kept up to this number; the earliest are dropped. */
const MAX_REJECTED_PROPOSALS = 200;

/** Documents of one party, or a registered payment; its side is that of the transaction unless it is named. */
export type Rejection = RejectedProposal | { paymentId: number; side?: LedgerSide | undefined };

export const isRejectedPayment = (
  { rejectedPayments = [] }: Pick<BankTransactionRecord, 'rejectedPayments'>,
  { side, paymentId }: RejectedPayment,
): boolean => rejectedPayments.some((each) => each.side === side && each.paymentId === paymentId);

/** How many proposals of a transaction were rejected. */
export const countRejections = ({ rejectedProposals = [], rejectedPayments = [] }: BankTransactionRecord): number =>
  rejectedProposals.length + rejectedPayments.length;

/** The rejections of a transaction with another one; null if it is among them. */
function addRejection(record: BankTransactionRecord, rejection: Rejection): Partial<BankTransactionRecord> | null {
  if ('paymentId' in rejection) {
    const payment = { side: rejection.side ?? getTransactionSide(record), paymentId: rejection.paymentId };
    if (isRejectedPayment(record, payment)) return null;
    return { rejectedPayments: [...(record.rejectedPayments ?? []), payment].slice(-MAX_REJECTED_PROPOSALS) };
  }
  const { partyId, documentIds } = rejection;
  const earlier = record.rejectedProposals ?? [];
  const key = buildProposalKey(partyId, documentIds);
  if (earlier.some((each) => buildProposalKey(each.partyId, each.documentIds) === key)) return null;
  const rejected = { partyId, documentIds: documentIds.toSorted((a, b) => a - b) };
  return { rejectedProposals: [...earlier, rejected].slice(-MAX_REJECTED_PROPOSALS) };
}

/**
 * Rejects a proposal: documents of one party that the transaction does not pay together, or a registered payment that it
 * is not. It is not made again; other proposals of the same documents are. Rejecting it again changes nothing.
 * @throws AppError 404; 409 `transaction_not_open`
 */
export const rejectProposal = (
  request: BusinessRequest,
  id: number,
  rejection: Rejection,
): Promise<BankTransactionRecord> =>
  changeState(request, id, async (unit, record) => {
    if (record.state !== 'open') throw notOpenError(record);
    const fields = addRejection(record, rejection);
    if (fields === null) return;
    await changeTransaction(unit, request.caller, record, fields, { action: 'bank_transaction.proposal_rejected' });
  });

/**
 * Makes every rejected proposal possible again.
 * @throws AppError 404; 409 `transaction_not_open`
 */
export const restoreProposals = (request: BusinessRequest, id: number): Promise<BankTransactionRecord> =>
  changeState(request, id, async (unit, record) => {
    if (record.state !== 'open') throw notOpenError(record);
    if (countRejections(record) === 0) return;
    const fields = { rejectedProposals: [], rejectedPayments: [] };
    await changeTransaction(unit, request.caller, record, fields, { action: 'bank_transaction.proposals_restored' });
  });

import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal, round, ZERO } from '../../../domain/business/decimal';
import type { OpenDocument } from '../../../domain/business/banking/match-comparison';
import { MAX_PROPOSALS, proposeMatches, proposePayments } from '../../../domain/business/banking/matching';
import type { MatchProposal } from '../../../domain/business/banking/matching';
import { splitSearchWords } from '../../../domain/business/search-tokens';
import { BankTransaction } from '../../../models/business/banking/bank-statement';
import type { BankTransactionRecord } from '../../../models/business/banking/bank-statement';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { BusinessCaller } from '../access/caller';
import { readDiscounts } from '../payments/early-payment';
import type { AvailableDiscount } from '../payments/early-payment';
import { DEBIT_KINDS } from '../payments/payments';
import { findRegisteredPayments } from './registered-payments';
import { getTransaction, getTransactionSide, joinTransactionText } from './bank-transactions';

/** Maximum number of candidates by words, and by amount. */
const MAX_CANDIDATES = 200;
const MAX_WORDS = 30;

/** Discounts of more than 10 % are not looked for by amount alone. */
const MAX_DISCOUNTED = new Decimal(1).div('0.9');

/** The discount that a payment on a day is granted. */
const getDiscount = (available: AvailableDiscount | undefined, item: OpenItemRecord, paidOn: string): Decimal =>
  available === undefined || paidOn > available.until || available.amount.gte(fromDecimal128(item.open))
    ? ZERO
    : available.amount;

/** Documents whose number or party the text names, and those whose open amount is that of the transaction. */
async function findCandidates(
  { organisationId }: BusinessCaller,
  record: BankTransactionRecord,
  knownPartyId: number | null,
): Promise<OpenDocument[]> {
  const side = getTransactionSide(record);
  const open = {
    organisationId,
    side,
    state: 'open',
    currencyCode: record.currencyCode,
    kind: { $in: [...DEBIT_KINDS[side]] },
  } as const;
  const amount = fromDecimal128(record.amount).abs();
  const words = splitSearchWords(joinTransactionText(record)).filter((word) => word.length > 2);
  const find = (condition: object): Promise<OpenItemRecord[]> =>
    OpenItem.find({ ...open, ...condition })
      .sort({ dueDate: 1, id: 1 })
      .limit(MAX_CANDIDATES)
      .lean<OpenItemRecord[]>()
      .exec();
  const found = await Promise.all([
    find({ tokens: { $in: words.slice(0, MAX_WORDS) } }),
    find({ open: toDecimal128(amount) }),
    // With a discount for early payment, a payment is less than what is open.
    side === 'payable'
      ? []
      : find({
          open: {
            $gt: toDecimal128(amount),
            $lte: toDecimal128(round(amount.times(MAX_DISCOUNTED), getCurrencyDecimals(record.currencyCode))),
          },
        }),
    knownPartyId === null ? [] : find({ partyId: knownPartyId }),
  ]);
  const items = new Map(found.flat().map((item) => [item._id.toHexString(), item]));
  const discounts = await readDiscounts(organisationId, [...items.values()], null);
  return [...items.values()].map((item) => ({
    id: item.id,
    number: item.number,
    partyId: item.partyId,
    partyName: item.partyName,
    dueDate: item.dueDate,
    open: fromDecimal128(item.open),
    discount: getDiscount(discounts.get(item.id), item, record.bookingDate),
  }));
}

async function findKnownParty(
  { organisationId }: BusinessCaller,
  record: BankTransactionRecord,
): Promise<number | null> {
  if (record.counterpartyIban === null) return null;
  const filter = {
    organisationId,
    counterpartyIban: record.counterpartyIban,
    side: getTransactionSide(record),
    state: 'matched',
  } as const;
  const earlier = await BankTransaction.findOne(filter, { partyId: 1 })
    .sort({ _id: -1 })
    .lean<{ partyId: number | null }>();
  return earlier?.partyId ?? null;
}

/**
 * Registered payments that a transaction may be and documents that it may pay, best first, of equal scores payments first;
 * none unless it is open.
 */
export async function proposeTransactionMatches(caller: BusinessCaller, id: number): Promise<MatchProposal[]> {
  const record = await getTransaction(caller, id);
  if (record.state !== 'open') return [];
  const knownPartyId = await findKnownParty(caller, record);
  const documents = await findCandidates(caller, record, knownPartyId);
  const { counterpartyName, currencyCode } = record;
  const amount = fromDecimal128(record.amount).abs();
  const rejected = record.rejectedProposals ?? [];
  const transaction = { amount, text: joinTransactionText(record), counterpartyName, knownPartyId, rejected };
  const registered = proposePayments(transaction, await findRegisteredPayments(record));
  return [...registered, ...proposeMatches(transaction, documents, currencyCode)]
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_PROPOSALS);
}

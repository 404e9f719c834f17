import { Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { planSettlement } from '../../../domain/business/payments/settlement';
import { invalidFieldError, notFoundError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import { emitEvent } from '../../platform/webhooks/events';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { allocate, listActiveAllocations } from './allocations';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { findInvoice, notIssuedError } from '../invoices/invoice-lists';
import { readDiscounts, resolveDiscount } from './early-payment';
import type { AvailableDiscount } from './early-payment';
import { findOpenItem, postItem } from './open-items';
import { preparePayment } from './payment-preparation';
import { addRefundedCredits } from './item-references';
import type { PaymentWithCredit } from './item-references';
import type { AllocationInput, PaymentInput, PreparedPayment } from './payment-preparation';
import { requireOpenPeriod } from '../documents/posting-period';
import { postIdempotently } from '../documents/idempotent-postings';

/** Maximum number of documents that a payment without allocations settles; the rest stays credit. */
const MAX_AUTOMATIC_ALLOCATIONS = 500;
/** The kinds of documents that payments of each side can settle. */
export const DEBIT_KINDS = { receivable: ['invoice'], payable: ['bill', 'receipt'] } as const;
/** The kinds that a payment without allocations settles: not a receipt, which its bill could then not replace. */
const AUTOMATIC_DEBIT_KINDS = { receivable: 'invoice', payable: 'bill' } as const;

/** The name of a counter that customers and vendors have one each of. */
export const buildCounterName = (side: LedgerSide, what: string): string => `${side}-${what}`;

/** A payment with its allocations and its remaining credit. */
export interface PaymentDetail extends PaymentWithCredit {
  allocations: AllocationRecord[];
  /** Credit that is not applied yet, in the payment's currency. */
  unapplied: Decimal;
}

const buildPaymentRecord = (
  caller: BusinessCaller,
  prepared: PreparedPayment,
  id: number,
  now: Date,
): PaymentRecord => ({
  _id: new Types.ObjectId(),
  organisationId: caller.organisationId,
  side: prepared.side,
  id,
  type: 'payment',
  status: 'posted',
  partyId: prepared.party.id,
  partyName: prepared.party.name,
  currencyCode: prepared.currencyCode,
  exchangeRate: toDecimal128(prepared.exchangeRate),
  amount: toDecimal128(prepared.amount),
  amountBase: toDecimal128(prepared.amountBase),
  realised: toDecimal128(ZERO),
  date: prepared.date,
  method: prepared.method,
  reference: prepared.reference,
  creditItemId: null,
  voidReason: null,
  voidedOn: null,
  tokens: buildSearchTokens([prepared.party.name, prepared.reference]),
  version: 1,
  createdBy: caller.id,
  createdAt: now,
  updatedAt: now,
});

/** Lists the open documents that a payment without allocations settles. */
async function selectAutomaticAllocations(unit: UnitOfWork, credit: OpenItemRecord): Promise<AllocationInput[]> {
  const { organisationId, side, partyId, currencyCode } = credit;
  const kind = AUTOMATIC_DEBIT_KINDS[side];
  const open = await OpenItem.find({ organisationId, side, partyId, state: 'open', kind, currencyCode })
    .sort({ dueDate: 1, id: 1 })
    .limit(MAX_AUTOMATIC_ALLOCATIONS)
    .session(unit.mongoSession)
    .lean<OpenItemRecord[]>();
  const discounts = await readDiscounts(organisationId, open, unit);
  const documents = open.map((item) => {
    const discount = discounts.get(item.id);
    return {
      id: item.id,
      dueDate: item.dueDate,
      open: fromDecimal128(item.open),
      discount: discount === undefined || credit.date > discount.until ? ZERO : discount.amount,
    };
  });
  return planSettlement(fromDecimal128(credit.open), documents).map(({ id, amount, discount }) => ({
    documentId: id,
    amount,
    discount,
  }));
}

/** @throws AppError 409 `invoice_not_issued` if the customer's invoice is a draft, which has no receivable yet */
async function rejectDraft(
  unit: UnitOfWork,
  organisationId: string,
  partyId: number,
  id: number,
  field: string,
): Promise<void> {
  const invoice = await findInvoice({ organisationId }, id, unit);
  if (invoice?.status === 'draft' && invoice.customerId === partyId)
    throw notIssuedError(`${field}: invoice ${id} is a draft; issue it first.`, 'POST /api/invoices/:id/issue');
}

/**
 * Returns the document of an allocation, read in this transaction.
 * @throws AppError 400 if it is not a document of the party; 409 `invoice_not_issued` for a draft
 */
export async function getDebitItem(
  unit: UnitOfWork,
  credit: OpenItemRecord,
  documentId: number,
  field: string,
): Promise<OpenItemRecord> {
  const { organisationId, side, partyId } = credit;
  const item = await findOpenItem(unit, { organisationId, side, kind: DEBIT_KINDS[side], id: documentId });
  if (item === null && side === 'receivable') await rejectDraft(unit, organisationId, partyId, documentId, field);
  if (item === null || item.partyId !== partyId)
    throw invalidFieldError(
      field,
      `is not ${side === 'receivable' ? 'an invoice of the customer' : 'a payable of the vendor'}`,
    );
  return item;
}

/**
 * Computes the amount that an allocation settles, in the document's currency.
 * @throws AppError 400 if `settled` is missing while the currencies differ, differs from `amount` while they are equal,
 * is not greater than 0, or has more decimals than the document's currency
 */
export function computeSettledAmount(
  input: AllocationInput,
  credit: OpenItemRecord,
  debit: OpenItemRecord,
  at: string,
): Decimal {
  const { amount, settled } = input;
  const sameCurrency = credit.currencyCode === debit.currencyCode;
  if (settled === undefined && !sameCurrency)
    throw invalidFieldError(
      `${at}settled`,
      `is required: ${debit.number} is in ${debit.currencyCode}, the credit in ${credit.currencyCode}`,
    );
  if (settled !== undefined && sameCurrency && !settled.eq(amount))
    throw invalidFieldError(`${at}settled`, 'must equal the amount if both are in one currency');
  if (settled !== undefined && !settled.gt(0)) throw invalidFieldError(`${at}settled`, 'must be greater than 0');
  if (settled !== undefined && settled.decimalPlaces() > getCurrencyDecimals(debit.currencyCode))
    throw invalidFieldError(
      `${at}settled`,
      `must have at most ${getCurrencyDecimals(debit.currencyCode)} decimals in ${debit.currencyCode}`,
    );
  return settled ?? amount;
}

/** The discount of an allocation with the taxes that it reduces; undefined if there is none. */
export function buildDiscount(
  input: AllocationInput,
  items: { credit: OpenItemRecord; debit: OpenItemRecord; settled: Decimal; at: string },
  available: AvailableDiscount | undefined,
): Omit<AvailableDiscount, 'until'> | undefined {
  const { credit, debit, settled, at } = items;
  // Only money is a payment within the terms.
  const granted = credit.kind === 'payment' ? available : undefined;
  const request = { discount: input.discount, settled, paidOn: credit.date, at };
  const amount = resolveDiscount(request, debit, granted);
  return amount.isZero() || granted === undefined
    ? undefined
    : { amount, taxes: granted.taxes, charged: granted.charged };
}

async function applyAllocations(
  unit: UnitOfWork,
  caller: BusinessCaller,
  posted: OpenItemRecord,
  inputs: readonly AllocationInput[],
  firstId: number,
): Promise<{ allocations: AllocationRecord[]; credit: OpenItemRecord }> {
  let credit = posted;
  const allocations: AllocationRecord[] = [];
  const { organisationId, side } = posted;
  const documents = inputs.map(({ documentId }) => ({
    side,
    kind: AUTOMATIC_DEBIT_KINDS[side],
    id: documentId,
  }));
  const discounts = await readDiscounts(organisationId, documents, unit);
  for (const [index, input] of inputs.entries()) {
    const at = `allocations[${index}].`;
    const debit = await getDebitItem(unit, credit, input.documentId, `${at}documentId`);
    const settled = computeSettledAmount(input, credit, debit, at);
    const { amount } = input;
    const discount = buildDiscount(input, { credit, debit, settled, at }, discounts.get(debit.id));
    const amounts = { amount, settled, discount };
    const request = { id: firstId + index, credit, debit, ...amounts, date: credit.date, field: `${at}amount` };
    const done = await allocate(unit, caller, request);
    credit = done.credit;
    allocations.push(done.allocation);
  }
  return { allocations, credit };
}

/** Writes a payment in one transaction: its record, its credit, and its allocations. */
async function writePayment(
  unit: UnitOfWork,
  caller: BusinessCaller,
  prepared: PreparedPayment,
  ids: { payment: number; allocations: (count: number) => Promise<number> },
): Promise<PaymentDetail> {
  const now = unit.platform.clock.now();
  const { organisationId } = caller;
  await requireOpenPeriod(unit, caller, prepared.date, prepared.dateField);
  const payment = buildPaymentRecord(caller, prepared, ids.payment, now);
  await Payment.create([payment], { session: unit.mongoSession });
  const item = await postItem(unit, {
    organisationId,
    side: prepared.side,
    kind: 'payment',
    id: payment.id,
    number: `PAY-${payment.id}`,
    partyId: prepared.party.id,
    partyName: prepared.party.name,
    reference: prepared.reference,
    currencyCode: prepared.currencyCode,
    exchangeRate: prepared.exchangeRate,
    date: prepared.date,
    dueDate: prepared.date,
    amount: prepared.amount,
    amountBase: prepared.amountBase,
    at: now,
  });
  const inputs = prepared.allocations ?? (await selectAutomaticAllocations(unit, item));
  const firstId = inputs.length === 0 ? 0 : await ids.allocations(inputs.length);
  const { allocations, credit } = await applyAllocations(unit, caller, item, inputs, firstId);
  if (prepared.side === 'receivable') await emitPaymentReceived(unit, payment);
  const subject = `${prepared.side}-payment:${payment.id}`;
  await unit.audit(caller, { actor: caller.id, action: 'payment.posted', subject });
  return { payment, refundOf: null, allocations, unapplied: fromDecimal128(credit.open) };
}

async function emitPaymentReceived(unit: UnitOfWork, payment: PaymentRecord): Promise<void> {
  const { organisationId } = payment;
  const subjectId = payment._id.toHexString();
  await emitEvent(
    unit,
    { organisationId, mode: 'live' },
    {
      type: 'payment.received',
      data: {
        paymentId: payment.id,
        customerId: payment.partyId,
        date: payment.date,
        currencyCode: payment.currencyCode,
        amount: fromDecimal128(payment.amount).toNumber(),
      },
      key: `payment.received:${subjectId}`,
      subjectId,
      at: payment.createdAt,
    },
  );
}

/**
 * Registers money received from a customer or paid to a vendor and applies it: as the allocations specify, or to the
 * open invoices or bills in its currency, oldest due first. The rest stays credit.
 * @param writeAlso writes in the transaction of the payment, before it, with its id
 * @throws AppError 400 naming every invalid field; 409 `allocation_exceeds_open`, `period_locked`
 */
export async function registerPayment(
  request: BusinessRequest,
  side: LedgerSide,
  input: PaymentInput,
  writeAlso?: (unit: UnitOfWork, paymentId: number) => Promise<void>,
): Promise<PaymentDetail> {
  const { platform, caller } = request;
  const { organisationId } = caller;
  return postIdempotently(
    request,
    async (post) => {
      const prepared = await preparePayment(platform, caller, side, input);
      return post(async (unit) => {
        const reserve = (counter: string, count: number) =>
          reserveNumberInTransaction(unit.mongoSession, organisationId, buildCounterName(side, counter), count);
        const id = await reserve('payments', 1);
        await writeAlso?.(unit, id);
        const allocations = (count: number) => reserve('allocations', count);
        const result = await writePayment(unit, caller, prepared, { payment: id, allocations });
        return { id, status: 201, result };
      });
    },
    (id) => getPayment(caller, side, id),
  );
}

/** Computes what `registerPayment` would post, with the same errors; writes nothing and allocates no number. */
export async function dryRunPayment(
  platform: Platform,
  caller: BusinessCaller,
  side: LedgerSide,
  input: PaymentInput,
): Promise<PaymentDetail> {
  const prepared = await preparePayment(platform, caller, side, input);
  // Placeholder ids: distinct, and used by no record.
  const ids = { payment: 0, allocations: (count: number) => Promise.resolve(-count) };
  return dryRunTransaction(platform, (unit) => writePayment(unit, caller, prepared, ids));
}

/** @throws AppError 404, also for another organisation's id */
export async function getPayment(caller: BusinessCaller, side: LedgerSide, id: number): Promise<PaymentDetail> {
  const { organisationId } = caller;
  const payment = await Payment.findOne({ organisationId, side, id }).lean<PaymentRecord>();
  if (payment === null) throw notFoundError('payment');
  const item = await OpenItem.findOne({ organisationId, side, kind: 'payment', id }).lean<OpenItemRecord>();
  const [{ refundOf } = { refundOf: null }] = await addRefundedCredits(organisationId, [payment]);
  if (item === null) return { payment, refundOf, allocations: [], unapplied: ZERO };
  return {
    payment,
    refundOf,
    allocations: await listActiveAllocations({ creditItemId: item._id }),
    unapplied: fromDecimal128(item.open),
  };
}

import type { ClientSession } from 'mongoose';
import { findLatestDay } from '../../../domain/business/calendar';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal, sum, ZERO } from '../../../domain/business/decimal';
import type { PrepaidSnapshot } from '../../../domain/business/invoices/prepaid';
import type { EarlyPaymentTerms } from '../../../domain/business/payments/early-payment';
import { computeCharged, fromShareText, toShareText } from '../../../domain/business/payments/deductions';
import { conflictError, invalidFieldError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { InvoiceRecord } from '../../../models/business/invoices/invoice';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import { reserveNumberInTransaction } from '../../platform/transactions/counters';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { allocate } from '../payments/allocations';
import { listActiveDeductions, postDeduction, reverseDeduction } from '../payments/deductions';
import { toShares } from '../payments/document-taxes';
import { findOpenItem } from '../payments/open-items';
import { buildCounterName } from '../payments/payments';
import type { Problems } from './invoice-lines';

const DEPOSIT_PROBLEM = 'is not a paid deposit invoice of the customer in the same currency that no invoice deducts';
const PAYMENT_PROBLEM = 'is not a payment of the customer with this unapplied amount in the same currency';

/** The parts of a request that decide on deposits and prepayments. */
export interface PrepaidInput {
  /** Whether this is a deposit invoice. @default false */
  deposit?: boolean | undefined;
  /** Paid deposit invoices that this invoice deducts. */
  depositInvoiceIds?: number[] | undefined;
  /** Parts of payments that were received before. */
  prepayments?: { paymentId: number; amount: Decimal }[] | undefined;
  earlyPaymentDiscount?: EarlyPaymentTerms | undefined;
  lines: readonly { productId?: number | undefined }[];
}

/** The customer, currency and date of an invoice. */
interface InvoiceHead {
  customerId: number;
  currencyCode: string;
  issueDate: string;
}

/** Which deposits are read: those of a list of ids, or all. */
interface DepositSelection {
  customerId: number;
  /** @default every currency */
  currencyCode?: string | undefined;
  ids?: readonly number[];
}

/** Deposits that are listed at most; one invoice deducts fewer. */
const MAX_LISTED_DEPOSITS = 100;

/** A deposit invoice that an invoice can deduct. */
interface UsableDeposit {
  invoice: InvoiceRecord;
  item: OpenItemRecord;
  /** Day from which it is paid completely, `YYYY-MM-DD`. */
  paidOn: string;
}

/**
 * The problem of an issue date; null if there is none. Deducted before the day of its payment, a deposit would reduce the
 * tax of a period in which none was due for it yet.
 */
const findDateProblem = (issueDate: string, { paidOn }: UsableDeposit, index: number): string | null =>
  issueDate >= paidOn ? null : `must not be before ${paidOn}, when the deposit of depositInvoiceIds[${index}] was paid`;

/** Deposit invoices that are paid by money alone and not deducted yet, by id. */
async function readUsableDeposits(
  organisationId: string,
  { customerId, currencyCode, ids }: DepositSelection,
  session: ClientSession | null,
): Promise<Map<number, UsableDeposit>> {
  if (ids?.length === 0) return new Map();
  const filter = {
    organisationId,
    status: 'paid',
    customerId,
    ...(currencyCode === undefined ? {} : { currencyCode }),
    ...(ids === undefined ? {} : { id: { $in: [...ids] } }),
  } as const;
  const invoices = await Invoice.find({ ...filter, 'document.isDeposit': true })
    .sort({ issueDate: 1, id: 1 })
    .session(session)
    .lean<InvoiceRecord[]>();
  const found = { $in: invoices.map(({ id }) => id) };
  const items = await OpenItem.find({ organisationId, side: 'receivable', kind: 'invoice', id: found })
    .session(session)
    .lean<OpenItemRecord[]>();
  const deductions = await Deduction.find({
    organisationId,
    reversedOn: null,
    $or: [{ depositId: found }, { itemId: { $in: items.map(({ _id }) => _id) } }],
  })
    .session(session)
    .lean<DeductionRecord[]>();
  const allocations = await Allocation.find(
    { organisationId, side: 'receivable', debitItemId: { $in: items.map(({ _id }) => _id) }, reversedOn: null },
    { debitId: 1, date: 1 },
  )
    .session(session)
    .lean<Pick<AllocationRecord, 'debitId' | 'date'>[]>();
  return new Map(
    invoices.flatMap((invoice) => {
      const item = items.find(({ id }) => id === invoice.id);
      const isChanged = deductions.some(({ depositId, documentId }) => [depositId, documentId].includes(invoice.id));
      if (item === undefined || isChanged || !fromDecimal128(item.credited).isZero()) return [];
      const days = allocations.filter(({ debitId }) => debitId === invoice.id).map(({ date }) => date);
      return [[invoice.id, { invoice, item, paidOn: findLatestDay(item.date, ...days) }] as const];
    }),
  );
}

/** The deposits that an invoice of the customer can deduct, oldest first. */
export async function listUsableDeposits(
  { organisationId }: BusinessCaller,
  selection: Pick<DepositSelection, 'customerId' | 'currencyCode'>,
): Promise<InvoiceRecord[]> {
  const usable = await readUsableDeposits(organisationId, selection, null);
  return [...usable.values()].map(({ invoice }) => invoice).slice(0, MAX_LISTED_DEPOSITS);
}

/** The problems of a deposit invoice, which neither delivers goods nor deducts anything. */
function checkDeposit(input: PrepaidInput, problems: Problems): void {
  input.lines.forEach(({ productId }, index) => {
    if (productId !== undefined) problems.add(`lines[${index}].productId`, 'must be null on a deposit invoice');
  });
  if (input.earlyPaymentDiscount !== undefined)
    problems.add('earlyPaymentDiscount', 'must be null on a deposit invoice');
  for (const field of ['depositInvoiceIds', 'prepayments'] as const)
    if ((input[field] ?? []).length > 0) problems.add(field, 'must be empty on a deposit invoice');
}

/** The problem of an amount that no payment of the currency can have; null if there is none. */
function findAmountProblem(amount: Decimal, currencyCode: string): string | null {
  const decimals = getCurrencyDecimals(currencyCode);
  if (!amount.gt(0)) return 'must be greater than 0';
  return amount.decimalPlaces() > decimals ? `must have at most ${decimals} decimals in ${currencyCode}` : null;
}

async function readPrepayments(
  { organisationId }: BusinessCaller,
  input: PrepaidInput,
  { customerId, currencyCode }: InvoiceHead,
  problems: Problems,
): Promise<PrepaidSnapshot['payments']> {
  const requested = input.prepayments ?? [];
  if (requested.length === 0) return [];
  const ids = requested.map(({ paymentId }) => paymentId);
  const items = await OpenItem.find({
    organisationId,
    side: 'receivable',
    kind: 'payment',
    id: { $in: ids },
    partyId: customerId,
    currencyCode,
  }).lean<OpenItemRecord[]>();
  return requested.flatMap(({ paymentId, amount }, index) => {
    const at = `prepayments[${index}].paymentId`;
    if (ids.indexOf(paymentId) !== index) problems.add(at, 'occurs twice');
    const amountProblem = findAmountProblem(amount, currencyCode);
    if (amountProblem !== null) problems.add(`prepayments[${index}].amount`, amountProblem);
    const item = items.find(({ id }) => id === paymentId);
    if (item === undefined || amount.gt(fromDecimal128(item.open))) {
      problems.add(at, PAYMENT_PROBLEM);
      return [];
    }
    return [{ paymentId, date: item.date, amount: amount.toFixed() }];
  });
}

/**
 * Reads what was paid before the invoice: deposit invoices with their taxes, and payments. Adds a problem for each that
 * cannot be deducted.
 * @returns null if the request names none
 */
export async function preparePrepaid(
  caller: BusinessCaller,
  input: PrepaidInput,
  head: InvoiceHead & { grandTotal: Decimal },
  problems: Problems,
): Promise<PrepaidSnapshot | null> {
  if (input.deposit === true) checkDeposit(input, problems);
  const ids = input.depositInvoiceIds ?? [];
  const usable = await readUsableDeposits(caller.organisationId, { ...head, ids }, null);
  const deposits = ids.flatMap((id, index): PrepaidSnapshot['deposits'] => {
    const field = `depositInvoiceIds[${index}]`;
    if (ids.indexOf(id) !== index) problems.add(field, 'occurs twice');
    const deposit = usable.get(id);
    if (deposit === undefined) {
      problems.add(field, DEPOSIT_PROBLEM);
      return [];
    }
    const dateProblem = findDateProblem(head.issueDate, deposit, index);
    if (dateProblem !== null) problems.add('issueDate', dateProblem);
    const { number, issueDate, total, taxTotal, grandTotal } = deposit.invoice.document;
    const taxes = toShares(deposit.invoice.document).map(toShareText);
    return [{ invoiceId: id, number, issueDate, net: total, tax: taxTotal, total: grandTotal, taxes }];
  });
  const payments = await readPrepayments(caller, input, head, problems);
  if (deposits.length === 0 && payments.length === 0) return null;
  const amount = sum(
    [...deposits.map(({ total }) => total), ...payments.map((each) => each.amount)].map((text) => new Decimal(text)),
  );
  if (amount.gt(head.grandTotal))
    problems.add(deposits.length > 0 ? 'depositInvoiceIds' : 'prepayments', 'add up to more than the invoice');
  return { deposits, payments, amount: amount.toFixed(), due: head.grandTotal.minus(amount).toFixed() };
}

/** Deducts deposit invoices from the receivable of the final invoice. */
async function deductDeposits(
  unit: UnitOfWork,
  caller: BusinessCaller,
  debit: OpenItemRecord,
  { deposits }: PrepaidSnapshot,
): Promise<OpenItemRecord> {
  const { organisationId, partyId: customerId, currencyCode } = debit;
  const ids = deposits.map(({ invoiceId }) => invoiceId);
  const usable = await readUsableDeposits(organisationId, { customerId, currencyCode, ids }, unit.mongoSession);
  let item = debit;
  for (const [index, { invoiceId, total, taxes }] of deposits.entries()) {
    const deposit = usable.get(invoiceId);
    if (deposit === undefined) throw invalidFieldError(`depositInvoiceIds[${index}]`, DEPOSIT_PROBLEM);
    const dateProblem = findDateProblem(debit.date, deposit, index);
    if (dateProblem !== null) throw invalidFieldError('issueDate', dateProblem);
    // Conflicts with a concurrent change of the deposit.
    const { _id, version } = deposit.item;
    await OpenItem.updateOne({ _id, version }, { $inc: { version: 1 } }, { session: unit.mongoSession });
    const counter = buildCounterName('receivable', 'deposits');
    const done = await postDeduction(unit, caller, item, {
      kind: 'deposit',
      id: await reserveNumberInTransaction(unit.mongoSession, organisationId, counter),
      amount: new Decimal(total),
      date: debit.date,
      reason: null,
      ...computeCharged(taxes.map(fromShareText), []),
      deposit: deposit.invoice,
    });
    item = done.item;
  }
  return item;
}

/**
 * Deducts deposits from an invoice and applies prepayments to it, in the transaction that issues it.
 * @throws AppError 400; 409 `allocation_exceeds_open` if something else used them meanwhile
 */
export async function applyPrepaid(
  unit: UnitOfWork,
  caller: BusinessCaller,
  debit: OpenItemRecord,
  prepaid: PrepaidSnapshot,
): Promise<void> {
  let item = await deductDeposits(unit, caller, debit, prepaid);
  const { organisationId } = debit;
  for (const [index, { paymentId, amount }] of prepaid.payments.entries()) {
    const field = `prepayments[${index}].paymentId`;
    const key = { organisationId, side: 'receivable', kind: 'payment', id: paymentId } as const;
    const credit = await findOpenItem(unit, key);
    if (credit === null || credit.partyId !== debit.partyId) throw invalidFieldError(field, PAYMENT_PROBLEM);
    const counter = buildCounterName('receivable', 'allocations');
    const id = await reserveNumberInTransaction(unit.mongoSession, organisationId, counter);
    const part = new Decimal(amount);
    const request = { id, credit, debit: item, amount: part, settled: part, date: debit.date, field };
    item = (await allocate(unit, caller, request)).debit;
  }
}

/** Makes the deposits of an invoice that is voided available again. */
export async function releaseDeposits(
  unit: UnitOfWork,
  item: OpenItemRecord,
  date: string,
  reason: string | null,
): Promise<void> {
  const { organisationId } = item;
  for (const deduction of await listActiveDeductions(unit, { organisationId, itemId: item._id, kind: 'deposit' }))
    await reverseDeduction(unit, deduction, date, reason);
}

/** @throws AppError 409 `deposit_deducted` if another invoice deducts this deposit invoice */
export async function rejectDeductedDeposit(
  unit: UnitOfWork,
  { organisationId, id, document }: InvoiceRecord,
): Promise<void> {
  if (document.isDeposit !== true) return;
  const [used] = await Deduction.find({ organisationId, kind: 'deposit', depositId: id, reversedOn: null })
    .session(unit.mongoSession)
    .limit(1)
    .lean<DeductionRecord[]>();
  if (used === undefined) return;
  throw conflictError('deposit_deducted', `The deposit is deducted by ${used.documentNumber}; void or credit that.`, {
    invoiceId: used.documentId,
    routes: ['POST /api/invoices/:id/void', 'POST /api/credit-notes'],
  });
}

/** What an invoice leaves to pay when it is issued. */
export const getAmountDue = ({ grandTotal }: { grandTotal: Decimal }, prepaid: PrepaidSnapshot | null): Decimal =>
  grandTotal.minus(prepaid === null ? ZERO : prepaid.amount);

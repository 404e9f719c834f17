import type { Decimal } from '../../domain/business/decimal';
import { ZERO } from '../../domain/business/decimal';
import { conflict } from '../../domain/errors';
import { CustomerBalance } from '../../models/business/customer-balance';
import { fromStored, toStored } from '../../models/business/decimal128';
import { Receivable, ReceivableEntry } from '../../models/business/receivable';
import type { ReceivableRecord } from '../../models/business/receivable';
import type { UnitOfWork } from '../platform/unit-of-work';

export interface NewReceivable {
  organisationId: string;
  invoiceId: number;
  customerId: number;
  currencyCode: string;
  exchangeRate: Decimal;
  issueDate: string;
  dueDate: string;
  amount: Decimal;
  amountBase: Decimal;
  /** Base currency; null: none. */
  creditLimit: Decimal | null;
  at: Date;
}

/**
 * Raises what the customer owes. The balance document is written under the guard of the credit limit, so that two
 * parallel invoices cannot both pass a limit that has room for one.
 */
async function raiseCustomerBalance(unit: UnitOfWork, receivable: NewReceivable): Promise<void> {
  const { organisationId, customerId, creditLimit, amountBase } = receivable;
  const raise = { $inc: { openBase: toStored(amountBase), version: 1 } };
  const { session } = unit;
  if (creditLimit === null) {
    await CustomerBalance.updateOne({ organisationId, customerId }, raise, { session, upsert: true });
    return;
  }
  const refused = conflict(
    'credit_limit_exceeded',
    `customerId: this invoice would take the customer above the credit limit of ${creditLimit.toFixed()}.`,
    { fields: [{ field: 'customerId', problem: 'the credit limit would be exceeded' }] },
  );
  const room = creditLimit.minus(amountBase);
  if (room.lt(0)) throw refused;
  await CustomerBalance.updateOne(
    { organisationId, customerId },
    { $setOnInsert: { openBase: toStored(ZERO), version: 0 } },
    { session, upsert: true },
  );
  const raised = await CustomerBalance.updateOne(
    { organisationId, customerId, openBase: { $lte: toStored(room) } },
    raise,
    { session },
  );
  if (raised.matchedCount === 0) throw refused;
}

/**
 * Opens the receivable of an invoice just issued, with its dated entry and the customer's balance.
 * @throws AppError 409 `credit_limit_exceeded`.
 */
export async function openReceivable(unit: UnitOfWork, receivable: NewReceivable): Promise<void> {
  await raiseCustomerBalance(unit, receivable);
  const { organisationId, invoiceId, customerId, currencyCode, issueDate, dueDate, at } = receivable;
  const amount = toStored(receivable.amount);
  const amountBase = toStored(receivable.amountBase);
  const nothing = toStored(ZERO);
  const { session } = unit;
  await Receivable.create(
    [
      {
        organisationId,
        invoiceId,
        customerId,
        currencyCode,
        exchangeRate: toStored(receivable.exchangeRate),
        issueDate,
        dueDate,
        original: amount,
        open: amount,
        settled: nothing,
        credited: nothing,
        originalBase: amountBase,
        openBase: amountBase,
        settledBase: nothing,
        creditedBase: nothing,
        version: 1,
        createdAt: at,
        updatedAt: at,
      },
    ],
    { session },
  );
  const entry = { organisationId, invoiceId, customerId, currencyCode, amount, amountBase };
  await ReceivableEntry.create([{ ...entry, kind: 'issue', date: issueDate, postedAt: at }], { session });
}

/** What is still to be received of an invoice, in its currency; the version counts payments and credits. */
export interface Outstanding {
  open: Decimal;
  version: number;
}

/** By invoice id. */
export async function outstandingOf(
  organisationId: string,
  invoiceIds: readonly number[],
): Promise<Map<number, Outstanding>> {
  if (invoiceIds.length === 0) return new Map();
  const records = await Receivable.find({ organisationId, invoiceId: { $in: [...invoiceIds] } }).lean<
    ReceivableRecord[]
  >();
  return new Map(records.map(({ invoiceId, open, version }) => [invoiceId, { open: fromStored(open), version }]));
}

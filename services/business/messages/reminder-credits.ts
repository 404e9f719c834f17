import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

type Item = Pick<OpenItemRecord, 'id' | 'partyId' | 'currencyCode' | 'open'>;

/** Credit is applied within a currency. */
const toAccount = ({ partyId, currencyCode }: Item): string => `${partyId}.${currencyCode}`;

/**
 * The overdue invoices of customers that their credit covers: payments and credit notes that have not been applied. An
 * invoice is covered as a whole or not at all, the longest overdue first, and each amount covers one invoice.
 */
export async function findCoveredInvoices(
  organisationId: string,
  customerIds: readonly number[],
  day: string,
  unit?: UnitOfWork,
): Promise<ReadonlySet<number>> {
  const own = { organisationId, side: 'receivable', partyId: { $in: [...customerIds] }, state: 'open' } as const;
  const fields = { id: 1, partyId: 1, currencyCode: 1, open: 1 };
  const mongoSession = unit?.mongoSession ?? null;
  const credits = await OpenItem.find({ ...own, kind: { $in: ['payment', 'credit_note'] } }, fields)
    .session(mongoSession)
    .lean<Item[]>();
  if (credits.length === 0) return new Set();
  const available = new Map<string, Decimal>();
  for (const credit of credits) {
    const before = available.get(toAccount(credit)) ?? ZERO;
    available.set(toAccount(credit), before.plus(fromDecimal128(credit.open)));
  }
  const holders = [...new Set(credits.map(({ partyId }) => partyId))];
  const invoices = await OpenItem.find(
    { ...own, partyId: { $in: holders }, kind: 'invoice', dueDate: { $lt: day } },
    fields,
  )
    .sort({ dueDate: 1, id: 1 })
    .session(mongoSession)
    .lean<Item[]>();
  const covered = new Set<number>();
  for (const invoice of invoices) {
    const left = (available.get(toAccount(invoice)) ?? ZERO).minus(fromDecimal128(invoice.open));
    if (left.isNegative()) continue;
    available.set(toAccount(invoice), left);
    covered.add(invoice.id);
  }
  return covered;
}

import type { Types } from 'mongoose';
import type { Settlement } from '../../../domain/business/accounting/datev';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';

const isPayment = ({ kind, document }: JournalEntry): boolean =>
  ['payment', 'refund', 'payment_void'].includes(kind) &&
  (document.type === 'receivable_payment' || document.type === 'payable_payment');

type NoteKind = 'credit_note' | 'vendor_credit_note';

/** The ledger of the credit notes of each kind. */
const NOTE_SIDES = { credit_note: 'receivable', vendor_credit_note: 'payable' } as const satisfies Record<
  NoteKind,
  LedgerSide
>;

const isNoteKind = (kind: JournalEntry['kind']): kind is NoteKind => kind in NOTE_SIDES;

/** The day of the payment itself, also of one that is voided. */
const getPaymentDay = ({ date, chartDate }: JournalEntry): string => chartDate ?? date;

/** A part of a payment or credit note that settles an open item; for a refund the credit, as a whole. */
interface SettledPart {
  side: LedgerSide;
  kind: AllocationRecord['creditKind'];
  creditId: number;
  day: string;
  itemId: Types.ObjectId;
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
}

interface Selection {
  organisationId: string;
  ids: number[];
  days: string[];
}

/**
 * What payments or credit notes were allocated on their day; an allocation that was reversed on that day does not count.
 */
async function readAllocated(
  creditKind: AllocationRecord['creditKind'],
  { organisationId, ids, days }: Selection,
): Promise<SettledPart[]> {
  if (ids.length === 0) return [];
  const found = await Allocation.find({
    organisationId,
    date: { $in: days },
    creditKind,
    creditId: { $in: ids },
  })
    .sort({ id: 1 })
    .lean<AllocationRecord[]>();
  return found
    .filter(({ date, reversedOn }) => reversedOn !== date)
    .map(({ side, creditId, date, debitItemId, amount, amountBase }) => ({
      side,
      kind: creditKind,
      creditId,
      day: date,
      itemId: debitItemId,
      amount,
      amountBase,
    }));
}

async function readRefunded({ organisationId, ids, days }: Selection): Promise<SettledPart[]> {
  if (ids.length === 0) return [];
  const found = await Payment.find({ organisationId, date: { $in: days }, type: 'refund', id: { $in: ids } }).lean<
    PaymentRecord[]
  >();
  return found.flatMap(({ side, id, date, creditItemId, amount, amountBase }) =>
    creditItemId === null
      ? []
      : [{ side, kind: 'payment', creditId: id, day: date, itemId: creditItemId, amount, amountBase }],
  );
}

async function readNumbers(organisationId: string, parts: readonly SettledPart[]): Promise<Map<string, string>> {
  if (parts.length === 0) return new Map();
  const items = await OpenItem.find({ organisationId, _id: { $in: parts.map(({ itemId }) => itemId) } }, { number: 1 })
    .lean<Pick<OpenItemRecord, '_id' | 'number'>[]>()
    .exec();
  return new Map(items.map(({ _id, number }) => [_id.toHexString(), number]));
}

const buildKey = ({ side, kind, creditId, day }: Pick<SettledPart, 'side' | 'kind' | 'creditId' | 'day'>): string =>
  `${side}:${kind}:${creditId}:${day}`;

/** The key of the payment or credit note of an entry; null for an entry of another kind. */
function buildEntryKey(entry: JournalEntry): string | null {
  const { kind, document, date } = entry;
  if (isNoteKind(kind))
    return buildKey({ side: NOTE_SIDES[kind], kind: 'credit_note', creditId: document.id, day: date });
  if (!isPayment(entry)) return null;
  const side = document.type === 'receivable_payment' ? 'receivable' : 'payable';
  return buildKey({ side, kind: 'payment', creditId: document.id, day: getPaymentDay(entry) });
}

const select = (organisationId: string, entries: readonly JournalEntry[]): Selection => ({
  organisationId,
  ids: [...new Set(entries.map(({ document }) => document.id))],
  days: [...new Set(entries.map(getPaymentDay))],
});

/**
 * What the payments, refunds and credit notes of entries settle on their day. Later allocations are left out, so that
 * every export of a payment or credit note says the same.
 */
export async function readSettlements(
  organisationId: string,
  entries: readonly JournalEntry[],
): Promise<(entry: JournalEntry) => Settlement[]> {
  const payments = select(organisationId, entries.filter(isPayment));
  const notes = select(
    organisationId,
    entries.filter(({ kind }) => isNoteKind(kind)),
  );
  const read = [readAllocated('payment', payments), readRefunded(payments), readAllocated('credit_note', notes)];
  const parts = (await Promise.all(read)).flat();
  const numbers = await readNumbers(organisationId, parts);
  const byKey = new Map<string, Settlement[]>();
  for (const part of parts) {
    const number = numbers.get(part.itemId.toHexString());
    if (number === undefined) continue;
    const settlement = { number, base: fromDecimal128(part.amountBase), amount: fromDecimal128(part.amount) };
    const key = buildKey(part);
    byKey.set(key, [...(byKey.get(key) ?? []), settlement]);
  }
  return (entry) => byKey.get(buildEntryKey(entry) ?? '') ?? [];
}

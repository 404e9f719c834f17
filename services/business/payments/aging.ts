import { sumAging, computeAging } from '../../../domain/business/payments/aging';
import type { AgedItem, AgingAmounts } from '../../../domain/business/payments/aging';
import { sum } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry } from '../../../models/business/payments/open-item';
import type { AccountEntryRecord } from '../../../models/business/payments/open-item';
import type { BusinessCaller } from '../access/caller';
import { readPartyNames } from '../parties/parties';

/** Balance of a party in one currency as of a day, by age; `base` at the exchange rates of posting. */
export interface AgingRow {
  partyId: number;
  partyName: string;
  currencyCode: string;
  amounts: AgingAmounts;
  base: AgingAmounts;
}

export interface AgingReport {
  asOf: string;
  rows: AgingRow[];
  /** Totals over all rows, in base currency. */
  total: AgingAmounts;
}

type ItemSum = Pick<AccountEntryRecord, 'partyId' | 'currencyCode' | 'dueDate' | 'amount' | 'amountBase'>;

/** Computes the open amount of every item on a day, as the sum of its entries up to it; omits items settled by then. */
async function listItemsAsOf(
  caller: BusinessCaller,
  side: LedgerSide,
  asOf: string,
  partyId: number | undefined,
): Promise<ItemSum[]> {
  const { organisationId } = caller;
  const party = partyId === undefined ? {} : { partyId };
  return AccountEntry.aggregate<ItemSum>([
    { $match: { organisationId, side, ...party, date: { $lte: asOf } } },
    {
      $group: {
        _id: '$itemId',
        partyId: { $first: '$partyId' },
        currencyCode: { $first: '$currencyCode' },
        dueDate: { $first: '$dueDate' },
        amount: { $sum: '$amount' },
        amountBase: { $sum: '$amountBase' },
      },
    },
    { $match: { $or: [{ amount: { $ne: 0 } }, { amountBase: { $ne: 0 } }] } },
  ]).option({ allowDiskUse: true });
}

/**
 * Computes receivables or payables by age as of any day, from dated entries alone: per party and currency, in document
 * and base currency. The net of every row is the balance of the party's account on that day.
 * @param asOf `YYYY-MM-DD`
 */
export async function buildAgingReport(
  caller: BusinessCaller,
  side: LedgerSide,
  asOf: string,
  partyId?: number,
): Promise<AgingReport> {
  const groups = new Map<string, { partyId: number; currencyCode: string; items: AgedItem[] }>();
  for (const item of await listItemsAsOf(caller, side, asOf, partyId)) {
    const key = `${item.partyId}/${item.currencyCode}`;
    const group = groups.get(key) ?? { partyId: item.partyId, currencyCode: item.currencyCode, items: [] };
    const [amount, amountBase] = [fromDecimal128(item.amount), fromDecimal128(item.amountBase)];
    group.items.push({ dueDate: item.dueDate, amount, amountBase });
    groups.set(key, group);
  }
  const names = await readPartyNames(caller, side, [...new Set([...groups.values()].map((group) => group.partyId))]);
  const rows = [...groups.values()]
    .map(({ items, ...row }) => ({ ...row, partyName: names.get(row.partyId) ?? '', ...computeAging(items, asOf) }))
    .sort((a, b) => a.partyId - b.partyId || (a.currencyCode < b.currencyCode ? -1 : 1));
  return { asOf, rows, total: sumAging(rows.map(({ base }) => base)) };
}

/** Balance of a party as of a day, in base currency and by currency. */
export interface Balance {
  asOf: string;
  /** Open documents less unapplied credit, in base currency. */
  balance: Decimal;
  /** Open amount past its due date, in base currency. */
  overdue: Decimal;
  /** Credit that is not applied yet, in base currency. */
  credit: Decimal;
  currencies: { currencyCode: string; balance: Decimal; overdue: Decimal; credit: Decimal; balanceBase: Decimal }[];
}

const sumOverdue = ({ days1to30, days31to60, days61to90, over90 }: AgingAmounts): Decimal =>
  sum([days1to30, days31to60, days61to90, over90]);

/** Computes the balance of one party; it equals the party's aging to the cent. */
export async function computePartyBalance(
  caller: BusinessCaller,
  side: LedgerSide,
  partyId: number,
  asOf: string,
): Promise<Balance> {
  const { rows, total } = await buildAgingReport(caller, side, asOf, partyId);
  return {
    asOf,
    balance: total.net,
    overdue: sumOverdue(total),
    credit: total.unappliedCredit,
    currencies: rows.map(({ currencyCode, amounts, base }) => ({
      currencyCode,
      balance: amounts.net,
      overdue: sumOverdue(amounts),
      credit: amounts.unappliedCredit,
      balanceBase: base.net,
    })),
  };
}

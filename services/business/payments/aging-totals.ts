import { computeAging, sumAging } from '../../../domain/business/payments/aging';
import type { AgingAmounts } from '../../../domain/business/payments/aging';
import { ITEM_KINDS, isCredit } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { Platform } from '../../platform/platform';
import { FigureCache } from '../../platform/statistics/figure-cache';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';

/** What is open today, by age, in base currency at the exchange rates of posting. */
export interface AgingTotals {
  asOf: string;
  /** Number of open documents; credit is not counted. */
  documents: number;
  total: AgingAmounts;
}

interface DueRow {
  dueDate: string;
  credit: boolean;
  openBase: OpenItemRecord['openBase'];
  count: number;
}

const CREDIT_KINDS = ITEM_KINDS.filter(isCredit);

async function readTotals({ organisationId }: BusinessCaller, side: LedgerSide, asOf: string): Promise<AgingTotals> {
  const rows = await OpenItem.aggregate<DueRow>([
    { $match: { organisationId, side, state: 'open' } },
    {
      $group: {
        _id: { dueDate: '$dueDate', credit: { $in: ['$kind', CREDIT_KINDS] } },
        openBase: { $sum: '$openBase' },
        count: { $sum: 1 },
      },
    },
    { $replaceWith: { $mergeObjects: ['$_id', { openBase: '$openBase', count: '$count' }] } },
  ]);
  const aged = rows.map(({ dueDate, credit, openBase }) => {
    const open = fromDecimal128(openBase);
    const amount = credit ? open.negated() : open;
    return computeAging([{ dueDate, amount, amountBase: amount }], asOf).base;
  });
  const documents = rows.filter(({ credit }) => !credit).reduce((sum, { count }) => sum + count, 0);
  return { asOf, documents, total: sumAging(aged) };
}

/**
 * Sums the open receivables or payables by age as of today. Reads only what is open, unlike the aging report, which is
 * computed for any day from all entries; the totals of both are equal.
 */
export const computeAgingTotals = (
  platform: Platform,
  caller: BusinessCaller,
  side: LedgerSide,
): Promise<AgingTotals> => {
  const asOf = getCompanyToday(platform, caller);
  const key = ['aging', caller.organisationId, side, asOf].join(' ');
  return platform.singletons.get(FigureCache).get(key, () => readTotals(caller, side, asOf));
};

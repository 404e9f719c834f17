import { TrialBalance } from '../../../domain/business/accounting/trial-balance';
import type { AccountTotals } from '../../../domain/business/accounting/trial-balance';
import { VatTotals } from '../../../domain/business/accounting/vat-report';
import type { VatPeriod, VatPeriodKind } from '../../../domain/business/accounting/vat-report';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import type { BusinessCaller } from '../access/caller';
import { streamEntries } from './journal';
import { readJournal, toJournalCompany } from './journal-context';
import type { Days } from './journal-context';

/** Before the first document of any company. */
export const FIRST_DAY = '1900-01-01';

/** Sums the journal by account: opening balances from all earlier entries, and the movements of the days. */
export const buildTrialBalance = (caller: BusinessCaller, days: Days): Promise<AccountTotals[]> =>
  readJournal(toJournalCompany(caller), async (context) => {
    const balance = new TrialBalance(days.from);
    for await (const entries of streamEntries(context, { from: FIRST_DAY, to: days.to }))
      for (const entry of entries) balance.add(entry);
    return balance.list();
  });

/** Sums the tax lines of the journal by period and rate. */
export const buildVatReport = (caller: BusinessCaller, days: Days, period: VatPeriodKind): Promise<VatPeriod[]> =>
  readJournal(toJournalCompany(caller), async (context) => {
    const totals = new VatTotals(period, days, getCurrencyDecimals(caller.company.baseCurrencyCode));
    for await (const entries of streamEntries(context, days)) for (const entry of entries) totals.add(entry);
    return totals.list();
  });

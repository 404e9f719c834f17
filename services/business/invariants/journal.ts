import type { ClientSession, Types } from 'mongoose';
import { computeImbalance } from '../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { addDays } from '../../../domain/business/calendar';
import { sum, ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { pickCalendar } from '../../../domain/business/settings/business-days';
import { readOptions, withMongoTransaction } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry } from '../../../models/business/payments/open-item';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { StockLedger } from '../../../models/business/stock/stock';
import { countEntries, deriveEntries, planWindows } from '../accounting/journal';
import { duringDays, onDays, openJournal } from '../accounting/journal-context';
import type { Days, JournalCompany, JournalContext } from '../accounting/journal-context';

/** The change of the receivables or payables of all parties; a liability is negative. */
const sumPartyLines = (entries: readonly JournalEntry[], side: LedgerSide): Decimal =>
  sum(entries.flatMap(({ lines }) => lines.flatMap(({ party, base }) => (party?.side === side ? [base] : []))));

/** The change of inventory, which is the first line of the entries of stock. */
const sumInventoryLines = (entries: readonly JournalEntry[]): Decimal =>
  sum(entries.flatMap(({ kind, lines: [first] }) => (kind === 'stock' && first !== undefined ? [first.base] : [])));

async function sumLedger(
  { organisationId, mongoSession }: JournalContext,
  days: Days,
  side: LedgerSide,
): Promise<Decimal> {
  const [row] = await AccountEntry.aggregate<{ base: Types.Decimal128 }>([
    { $match: { organisationId, side, date: onDays(days) } },
    { $group: { _id: null, base: { $sum: '$amountBase' } } },
  ]).option(readOptions(mongoSession));
  return row === undefined ? ZERO : fromDecimal128(row.base);
}

async function sumStock(context: JournalContext, days: Days): Promise<Decimal> {
  const { organisationId, mongoSession } = context;
  const [row] = await StockLedger.aggregate<{ value: Types.Decimal128 }>([
    { $match: { organisationId, postedAt: duringDays(days, context) } },
    { $group: { _id: null, value: { $sum: '$value' } } },
  ]).option(readOptions(mongoSession));
  return row === undefined ? ZERO : fromDecimal128(row.value);
}

/** Checks the entries of some days, and compares their sums with those of the ledgers from which they are not derived. */
async function checkDays(context: JournalContext, days: Days): Promise<InvariantReport> {
  const report = new InvariantReport();
  const entries = await deriveEntries(context, days);
  const balance = report.getFindings('journal_balance');
  for (const entry of entries) {
    const { base, amount } = computeImbalance(entry);
    balance.expectEqual(entry.id, 'sum in base currency', ZERO, base);
    balance.expectEqual(entry.id, `sum in ${entry.currencyCode}`, ZERO, amount);
  }
  const subject = `days:${days.from}/${days.to}`;
  const ledgers = report.getFindings('journal_ledgers');
  const receivables = sumPartyLines(entries, 'receivable');
  ledgers.expectEqual(subject, 'receivables', await sumLedger(context, days, 'receivable'), receivables);
  const payables = sumPartyLines(entries, 'payable');
  ledgers.expectEqual(subject, 'payables', await sumLedger(context, days, 'payable'), payables.neg());
  ledgers.expectEqual(subject, 'inventory', await sumStock(context, days), sumInventoryLines(entries));
  return report;
}

const ALL_DAYS: Days = { from: '1900-01-01', to: '9998-12-31' };

/** Ranges that together have every day, with a limited number of entries each. */
async function planAllDays(context: JournalContext): Promise<Days[]> {
  const windows = planWindows(await countEntries(context, ALL_DAYS));
  const ends = [...windows.slice(0, -1).map(({ to }) => to), ALL_DAYS.to];
  return ends.map((to, index) => {
    const before = ends[index - 1];
    return { from: before === undefined ? ALL_DAYS.from : addDays(before, 1), to };
  });
}

/** Derives the journal of a company and checks it, some days at a time, each in one snapshot. */
export async function checkJournal(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  const company = await Company.findById(organisationId).lean<CompanyRecord>();
  if (company === null) return report;
  const { baseCurrencyCode } = company;
  const journal: JournalCompany = { ...pickCalendar(company), organisationId, baseCurrencyCode };
  for (const days of await planAllDays(await openJournal(journal))) {
    const check = async (mongoSession: ClientSession) => checkDays(await openJournal(journal, mongoSession), days);
    report.merge(await withMongoTransaction(check));
  }
  return report;
}

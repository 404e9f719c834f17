import { listChartAccounts } from '../../../domain/business/accounting/accounts';
import { findEqualAccounts, getMaxPartyIds } from '../../../domain/business/accounting/datev';
import { getFiscalYearStart } from '../../../domain/business/accounting/fiscal-year';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { isJournalFormat, JOURNAL_FORMATS } from '../../../domain/business/exports/exports';
import { requireRangeOrder } from '../../../domain/date-range';
import { invalidFieldError, invalidRequestError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import type { ExportRecord } from '../../../models/business/exports/export';
import { Customer } from '../../../models/business/parties/customer';
import { Vendor } from '../../../models/business/parties/vendor';
import type { Platform } from '../../platform/platform';
import { readAccountingSettings } from '../accounting/accounting-settings';
import type { BusinessCaller } from '../access/caller';
import { getCompanyToday } from '../settings/company';
import { getExportDays } from './journal-source';

const SETTINGS_HINT = 'set it by PUT /api/config/accounting';

/** What DATEV can hold: days of one fiscal year, amounts of two decimals, accounts of a fixed length. */
async function findDatevProblems(caller: BusinessCaller, days: { from: string; to: string }): Promise<FieldProblem[]> {
  const { organisationId, company } = caller;
  const settings = await readAccountingSettings(organisationId);
  const problems: FieldProblem[] = [];
  const add = (problem: string, field = 'format'): void => void problems.push({ field, problem });
  if (settings.datevConsultantNumber === null) add(`datev needs datevConsultantNumber: ${SETTINGS_HINT}`);
  if (settings.datevClientNumber === null) add(`datev needs datevClientNumber: ${SETTINGS_HINT}`);
  if (getCurrencyDecimals(company.baseCurrencyCode) > 2) add('datev accepts a base currency of at most 2 decimals');
  const { fiscalYearStartMonth: month, datevAccountLength: length } = settings;
  if (getFiscalYearStart(days.from, month) !== getFiscalYearStart(days.to, month))
    add('must be in the fiscal year of dateFrom, because datev has one fiscal year in a file', 'filters.dateTo');
  // Entries of earlier days, and counter-entries, have the accounts of earlier charts.
  const charts = settings.charts.filter(({ validFrom }) => validFrom === null || validFrom <= days.to);
  const long = charts.flatMap(listChartAccounts).filter(({ number }) => number.length > length);
  if (long.length > 0)
    add(`datev needs accounts of at most ${length} digits (datevAccountLength), unlike ${long[0]?.number ?? ''}`);
  const equal = findEqualAccounts(charts, length);
  if (equal !== null)
    add(
      `datev fills account numbers with zeros to ${length} digits (datevAccountLength): ${equal.join(' and ')} are equal`,
    );
  const max = getMaxPartyIds(length);
  const [customer, vendor] = await Promise.all([
    Customer.exists({ organisationId, id: { $gt: max.receivable } }),
    Vendor.exists({ organisationId, id: { $gt: max.payable } }),
  ]);
  if (customer !== null || vendor !== null)
    add(`datev has no accounts for all customers and vendors at datevAccountLength ${length}; ${SETTINGS_HINT}`);
  return problems;
}

/**
 * Checks a format of the journal.
 * @throws AppError 400 for another list, without both days, and naming what the settings lack
 */
export async function requireJournalFormat(
  platform: Platform,
  caller: BusinessCaller,
  { resource, format, filters }: Pick<ExportRecord, 'resource' | 'format' | 'filters'>,
): Promise<void> {
  if (!isJournalFormat(format)) return;
  if (resource !== 'journal')
    throw invalidFieldError('format', `${JOURNAL_FORMATS.join(' and ')} are only available for journal`);
  const missing = (['dateFrom', 'dateTo'] as const).filter((name) => filters[name] === undefined);
  if (missing.length > 0)
    throw invalidRequestError(
      missing.map((name) => ({ field: `filters.${name}`, problem: `is required for the format ${format}` })),
    );
  const { timeZone } = caller.company;
  const days = getExportDays({ filters, timeZone, today: getCompanyToday(platform, caller) });
  requireRangeOrder(
    { field: 'filters.dateFrom', sent: days.from, value: days.from },
    { field: 'filters.dateTo', sent: days.to, value: days.to },
  );
  const problems = format === 'datev' ? await findDatevProblems(caller, days) : [];
  if (problems.length > 0) throw invalidRequestError(problems);
}

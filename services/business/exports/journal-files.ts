import { formatDatevEntry } from '../../../domain/business/accounting/datev';
import { listChartAccounts } from '../../../domain/business/accounting/accounts';
import type { AccountType } from '../../../domain/business/accounting/accounts';
import { DATEV_COLUMNS, formatDatevHeader } from '../../../domain/business/accounting/datev-format';
import { getFiscalYearStart } from '../../../domain/business/accounting/fiscal-year';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import {
  addEntries,
  buildSaftTaxCode,
  formatSaftEntry,
  formatSaftHead,
  NO_ENTRIES,
  SAFT_TAIL,
} from '../../../domain/business/accounting/saft';
import type { EntryTotals, SaftAccountParty, SaftParty, SaftTaxCode } from '../../../domain/business/accounting/saft';
import { TrialBalance } from '../../../domain/business/accounting/trial-balance';
import { encodeWindows1252 } from '../../../domain/business/accounting/windows-1252';
import { toCalendarDate } from '../../../domain/business/calendar';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { VERSION } from '../../../lib/version';
import type { ExportRecord } from '../../../models/business/exports/export';
import type { AccountingSettingsRecord } from '../../../models/business/accounting/accounting-settings';
import { Customer } from '../../../models/business/parties/customer';
import { Vendor } from '../../../models/business/parties/vendor';
import { Company } from '../../../models/business/settings/company';
import type { CompanyRecord } from '../../../models/business/settings/company';
import { getLatestChart, findChartOn, readAccountingSettings } from '../accounting/accounting-settings';
import { FIRST_DAY } from '../accounting/reports';
import { readSettlements } from '../accounting/settlements';
import { getExportDays, readExportEntries } from './journal-source';

/** How the journal is written in one format. */
export interface JournalFile {
  /** Text before the first entry, with the totals that the entries must have; null if the format states none. */
  buildHead(): Promise<{ text: string; totals: EntryTotals | null }>;
  formatEntries(entries: readonly JournalEntry[]): Promise<string>;
  tail: string;
  encode(text: string): Buffer;
}

const DATEV_CHARTS = { skr03: '03', skr04: '04', generic: '' } as const;

async function openDatevFile(record: ExportRecord): Promise<JournalFile> {
  const settings = await readAccountingSettings(record.organisationId);
  const days = getExportDays(record);
  const { datevAccountLength: accountLength, fiscalYearStartMonth } = settings;
  const header = formatDatevHeader({
    createdAt: record.createdAt,
    consultantNumber: settings.datevConsultantNumber ?? 0,
    clientNumber: settings.datevClientNumber ?? 0,
    fiscalYearStart: getFiscalYearStart(days.from, fiscalYearStartMonth),
    ...days,
    accountLength,
    currencyCode: record.baseCurrencyCode,
    chart: DATEV_CHARTS[getLatestChart(settings).preset],
  });
  return {
    buildHead: () => Promise.resolve({ text: `${header}\r\n${DATEV_COLUMNS.join(';')}\r\n`, totals: null }),
    async formatEntries(entries) {
      const findSettlements = await readSettlements(record.organisationId, entries);
      const rows = entries.flatMap((entry) => {
        const chart = findChartOn(settings, entry.chartDate ?? entry.date) ?? getLatestChart(settings);
        return formatDatevEntry({ chart, accountLength }, entry, record.baseCurrencyCode, findSettlements(entry));
      });
      return rows.map((row) => `${row}\r\n`).join('');
    },
    tail: '',
    encode: encodeWindows1252,
  };
}

interface PartyBalances {
  opening: Decimal;
  closing: Decimal;
}

/** What the head of a SAF-T file states, summed over the whole journal. */
class SaftSums {
  readonly balance: TrialBalance;
  readonly parties: Readonly<Record<LedgerSide, Map<number, PartyBalances>>> = {
    receivable: new Map(),
    payable: new Map(),
  };
  readonly taxCodes = new Map<string, SaftTaxCode>();
  totals: EntryTotals = NO_ENTRIES;

  constructor(private readonly from: string) {
    this.balance = new TrialBalance(from);
  }

  add(entries: readonly JournalEntry[]): void {
    this.totals = addEntries(
      this.totals,
      entries.filter(({ date }) => date >= this.from),
    );
    for (const entry of entries) this.addEntry(entry);
  }

  private addEntry(entry: JournalEntry): void {
    this.balance.add(entry);
    const isBefore = entry.date < this.from;
    for (const { party, tax, base } of entry.lines) {
      if (tax !== null && !isBefore) {
        const code = buildSaftTaxCode(tax);
        const { category, percent } = tax;
        this.taxCodes.set(code, { code, percent, description: `Category ${category}, ${percent} %` });
      }
      if (party === null) continue;
      const { opening, closing } = this.parties[party.side].get(party.id) ?? { opening: ZERO, closing: ZERO };
      const moved = { opening: isBefore ? opening.plus(base) : opening, closing: closing.plus(base) };
      this.parties[party.side].set(party.id, moved);
    }
  }
}

type StoredParty = Pick<SaftParty, 'name' | 'address' | 'taxId'> & { id: number };

async function readParties(
  organisationId: string,
  side: LedgerSide,
  balances: ReadonlyMap<number, PartyBalances>,
): Promise<SaftAccountParty[]> {
  const filter = { organisationId, id: { $in: [...balances.keys()] } };
  const fields = { id: 1, name: 1, address: 1, taxId: 1 };
  const found =
    side === 'receivable'
      ? await Customer.find(filter, fields).sort({ id: 1 }).lean<StoredParty[]>()
      : await Vendor.find(filter, fields).sort({ id: 1 }).lean<StoredParty[]>();
  return found.map(({ id, name, address, taxId }) => ({
    id,
    name,
    address,
    taxId,
    registrationNumber: null,
    ...(balances.get(id) ?? { opening: ZERO, closing: ZERO }),
  }));
}

/** The types of the accounts of every chart that the company has used. */
const listAccountTypes = ({ charts }: AccountingSettingsRecord): ReadonlyMap<string, AccountType> =>
  new Map(charts.flatMap(listChartAccounts).map(({ number, type }) => [number, type]));

const UNKNOWN_COUNTRY = 'ZZ';

async function openSaftFile(record: ExportRecord): Promise<JournalFile> {
  const { organisationId, baseCurrencyCode: currencyCode, timeZone } = record;
  const company = await Company.findById(organisationId).orFail().lean<CompanyRecord>();
  const country = company.address.country ?? UNKNOWN_COUNTRY;
  const { from, to } = getExportDays(record);
  return {
    async buildHead() {
      const sums = new SaftSums(from);
      const all = { ...record, filters: { ...record.filters, dateFrom: FIRST_DAY } };
      for await (const { items } of readExportEntries(all, null)) sums.add(items);
      const settings = await readAccountingSettings(organisationId);
      const { accounts } = getLatestChart(settings);
      const types = listAccountTypes(settings);
      const { totals } = sums;
      const text = formatSaftHead({
        createdOn: toCalendarDate(record.createdAt, timeZone),
        softwareVersion: VERSION,
        company: {
          ...company,
          name: company.legalName,
          contactName: company.managingDirectors?.[0] ?? company.legalName,
        },
        country,
        currencyCode,
        from,
        to,
        accounts: sums.balance.list().map((account) => ({ ...account, type: types.get(account.number) ?? 'asset' })),
        receivablesAccount: accounts.receivables.number,
        payablesAccount: accounts.payables.number,
        customers: await readParties(organisationId, 'receivable', sums.parties.receivable),
        suppliers: await readParties(organisationId, 'payable', sums.parties.payable),
        taxCodes: [...sums.taxCodes.values()],
        entryCount: totals.entryCount,
        total: totals,
      });
      return { text, totals };
    },
    formatEntries: (entries) =>
      Promise.resolve(entries.map((entry) => formatSaftEntry(entry, { country, currencyCode })).join('')),
    tail: SAFT_TAIL,
    encode: (text) => Buffer.from(text, 'utf8'),
  };
}

/** Opens the file of an export in a format of the journal. */
export const openJournalFile = (record: ExportRecord): Promise<JournalFile> =>
  record.format === 'datev' ? openDatevFile(record) : openSaftFile(record);

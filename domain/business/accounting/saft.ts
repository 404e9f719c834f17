import { escapeXml } from '../../xml-escape';
import { sum, ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import type { PostalAddress } from '../invoices/invoice';
import type { JournalEntry, JournalEntryKind, JournalLine } from './journal';
import type { AccountTotals } from './trial-balance';

/** Namespace and version of the schema of the OECD. */
const NAMESPACE = 'urn:OECD:StandardAuditFile-Taxation/2.00';
const VERSION = '2.00';

/** A company, customer or vendor with its address. */
export interface SaftParty {
  registrationNumber: string | null;
  name: string;
  address: PostalAddress;
  taxId: string | null;
}

/** A customer or vendor with balances in base currency; debits are positive. */
export interface SaftAccountParty extends SaftParty {
  id: number;
  opening: Decimal;
  closing: Decimal;
}

/** A tax rate that lines refer to. */
export interface SaftTaxCode {
  code: string;
  description: string;
  percent: string;
}

/** Everything before the entries. */
export interface SaftHead {
  createdOn: string;
  softwareVersion: string;
  company: SaftParty;
  country: string;
  currencyCode: string;
  from: string;
  to: string;
  accounts: readonly AccountTotals[];
  receivablesAccount: string;
  payablesAccount: string;
  customers: readonly SaftAccountParty[];
  suppliers: readonly SaftAccountParty[];
  taxCodes: readonly SaftTaxCode[];
  entryCount: number;
  total: { debit: Decimal; credit: Decimal };
}

const element = (name: string, text: string | null): string =>
  text === null || text === '' ? '' : `<${name}>${escapeXml(text)}</${name}>`;

const wrap = (name: string, content: string): string => (content === '' ? '' : `<${name}>${content}</${name}>`);

const buildAddress = ({ line1, line2, city, postalCode, region, country }: PostalAddress): string =>
  `<Address>${[
    element('StreetName', line1),
    element('AdditionalAddressDetail', line2),
    element('City', city),
    element('PostalCode', postalCode),
    element('Region', region),
    element('Country', country),
  ].join('')}</Address>`;

const buildParty = ({ registrationNumber, name, address, taxId }: SaftParty): string =>
  [
    element('RegistrationNumber', registrationNumber ?? taxId),
    element('Name', name),
    buildAddress(address),
    taxId === null ? '' : wrap('TaxRegistration', element('TaxRegistrationNumber', taxId)),
  ].join('');

const buildBalance = (prefix: 'Opening' | 'Closing', balance: Decimal): string =>
  balance.isNegative()
    ? element(`${prefix}CreditBalance`, balance.neg().toFixed())
    : element(`${prefix}DebitBalance`, balance.toFixed());

const buildAccount = ({ number, name, opening, closing }: AccountTotals): string =>
  wrap(
    'Account',
    [
      element('AccountID', number),
      element('AccountDescription', name),
      element('AccountType', 'GL'),
      buildBalance('Opening', opening),
      buildBalance('Closing', closing),
    ].join(''),
  );

const buildAccountParty = (kind: 'Customer' | 'Supplier', account: string) => (party: SaftAccountParty) =>
  wrap(
    kind,
    [
      buildParty(party),
      element(`${kind}ID`, String(party.id)),
      element('AccountID', account),
      buildBalance('Opening', party.opening),
      buildBalance('Closing', party.closing),
    ].join(''),
  );

const TAX_TYPE = 'VAT';

const buildTaxCode =
  (country: string) =>
  ({ code, description, percent }: SaftTaxCode): string =>
    wrap(
      'TaxCodeDetails',
      [
        element('TaxCode', code),
        element('Description', description),
        element('TaxPercentage', percent),
        element('Country', country),
      ].join(''),
    );

/** Writes the file up to its first journal: header, master files and the totals of the entries. */
export function formatSaftHead(head: SaftHead): string {
  const { company, country } = head;
  const header = [
    element('AuditFileVersion', VERSION),
    element('AuditFileCountry', country),
    element('AuditFileDateCreated', head.createdOn),
    element('SoftwareCompanyName', 'Vouch'),
    element('SoftwareID', 'Vouch'),
    element('SoftwareVersion', head.softwareVersion),
    wrap('Company', buildParty(company)),
    element('DefaultCurrencyCode', head.currencyCode),
    wrap('SelectionCriteria', element('SelectionStartDate', head.from) + element('SelectionEndDate', head.to)),
    element('TaxAccountingBasis', 'A'),
  ].join('');
  const taxes = head.taxCodes.map(buildTaxCode(country)).join('');
  const masterFiles = [
    wrap('GeneralLedgerAccounts', head.accounts.map(buildAccount).join('')),
    wrap('Customers', head.customers.map(buildAccountParty('Customer', head.receivablesAccount)).join('')),
    wrap('Suppliers', head.suppliers.map(buildAccountParty('Supplier', head.payablesAccount)).join('')),
    taxes === ''
      ? ''
      : wrap(
          'TaxTable',
          wrap('TaxTableEntry', element('TaxType', TAX_TYPE) + element('Description', 'Value added tax') + taxes),
        ),
  ].join('');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    `<AuditFile xmlns="${NAMESPACE}">`,
    wrap('Header', header),
    wrap('MasterFiles', masterFiles),
    '<GeneralLedgerEntries>',
    element('NumberOfEntries', String(head.entryCount)),
    element('TotalDebit', head.total.debit.toFixed()),
    element('TotalCredit', head.total.credit.toFixed()),
    '<Journal><JournalID>GL</JournalID><Description>General journal</Description><Type>GL</Type>',
  ].join('');
}

/** Ends the file after its last transaction. */
export const SAFT_TAIL = '</Journal></GeneralLedgerEntries></AuditFile>\n';

/** The tax code of a category and percentage, such as `S-19`. */
export const buildSaftTaxCode = ({ category, percent }: { category: string; percent: string }): string =>
  `${category}-${percent}`;

function buildAmount(name: string, base: Decimal, amount: Decimal, currencyCode: string, isForeign: boolean): string {
  const foreign = isForeign
    ? element('CurrencyCode', currencyCode) + element('CurrencyAmount', amount.abs().toFixed())
    : '';
  return wrap(name, element('Amount', base.abs().toFixed()) + foreign);
}

function buildTaxInformation({ tax, base }: JournalLine, lines: readonly JournalLine[], country: string): string {
  if (tax?.part !== 'net') return '';
  const taxed = lines.filter(
    (line) =>
      line.tax?.part === 'tax' &&
      line.tax.direction === tax.direction &&
      line.tax.category === tax.category &&
      line.tax.percent === tax.percent &&
      line.tax.components === tax.components,
  );
  const amount = sum(taxed.map((line) => line.base)).abs();
  return wrap(
    'TaxInformation',
    [
      element('TaxType', TAX_TYPE),
      element('TaxCode', buildSaftTaxCode(tax)),
      element('TaxPercentage', tax.percent),
      element('Country', country),
      element('TaxBase', base.abs().toFixed()),
      wrap('TaxAmount', element('Amount', amount.toFixed())),
    ].join(''),
  );
}

const TRANSACTION_TYPES: Partial<Record<JournalEntryKind, string>> = { stock: 'Inventory' };

/** Writes an entry as a transaction. */
export function formatSaftEntry(
  entry: JournalEntry,
  { country, currencyCode }: Pick<SaftHead, 'country' | 'currencyCode'>,
): string {
  const { id, kind, date, document, description, lines } = entry;
  const isForeign = entry.currencyCode !== currencyCode;
  const buildLine = (line: JournalLine, index: number): string => {
    const { account, party, base, amount } = line;
    const side = base.isNegative() || (base.isZero() && amount.isNegative()) ? 'CreditAmount' : 'DebitAmount';
    return wrap(
      'Line',
      [
        element('RecordID', String(index + 1)),
        element('AccountID', account.number),
        element('SourceDocumentID', document.number),
        party?.side === 'receivable' ? element('CustomerID', String(party.id)) : '',
        party?.side === 'payable' ? element('SupplierID', String(party.id)) : '',
        element('Description', description === '' ? kind : description),
        buildAmount(side, base, amount, entry.currencyCode, isForeign),
        buildTaxInformation(line, lines, country),
      ].join(''),
    );
  };
  return wrap(
    'Transaction',
    [
      element('TransactionID', id),
      element('Period', String(Number(date.slice(5, 7)))),
      element('PeriodYear', date.slice(0, 4)),
      element('TransactionDate', date),
      element('TransactionType', TRANSACTION_TYPES[kind] ?? 'Normal'),
      element('Description', `${document.number} ${description}`.trim()),
      element('SystemEntryDate', date),
      element('GLPostingDate', date),
      lines.map(buildLine).join(''),
    ].join(''),
  );
}

/** Sums of entries, which the head of a file states and its end must confirm. */
export interface EntryTotals {
  entryCount: number;
  debit: Decimal;
  credit: Decimal;
}

export const NO_ENTRIES: EntryTotals = { entryCount: 0, debit: ZERO, credit: ZERO };

/** Adds entries to totals. */
export const addEntries = (totals: EntryTotals, entries: readonly JournalEntry[]): EntryTotals => {
  const amounts = entries.flatMap(({ lines }) => lines.map(({ base }) => base));
  return {
    entryCount: totals.entryCount + entries.length,
    debit: totals.debit.plus(sum(amounts.filter((base) => base.isPositive()))),
    credit: totals.credit.minus(sum(amounts.filter((base) => base.isNegative()))),
  };
};

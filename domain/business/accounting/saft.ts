import { escapeXml } from '../../xml-escape';
import { sum, ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import type { PostalAddress } from '../invoices/invoice';
import type { AccountType } from './accounts';
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

/** The company with its contact, which the schema requires. */
export interface SaftCompany extends SaftParty {
  contactName: string;
  phone: string | null;
  email: string | null;
}

/** A customer or vendor with balances in base currency; debits are positive. */
export interface SaftAccountParty extends SaftParty {
  id: number;
  opening: Decimal;
  closing: Decimal;
}

/** An account with its movements and its type. */
export interface SaftAccount extends AccountTotals {
  type: AccountType;
}

/** Names of the types of accounts in the guidance of the OECD. */
const ACCOUNT_TYPES: Readonly<Record<AccountType, string>> = {
  asset: 'Asset',
  liability: 'Liability',
  equity: 'Equity',
  income: 'Sale',
  expense: 'Expense',
};

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
  company: SaftCompany;
  country: string;
  currencyCode: string;
  from: string;
  to: string;
  accounts: readonly SaftAccount[];
  receivablesAccount: string;
  payablesAccount: string;
  customers: readonly SaftAccountParty[];
  suppliers: readonly SaftAccountParty[];
  taxCodes: readonly SaftTaxCode[];
  entryCount: number;
  total: { debit: Decimal; credit: Decimal };
}

/** The text types of the schema by their greatest number of characters. */
const [CODE, SHORT, MIDDLE_1, MIDDLE_2, LONG] = [9, 18, 35, 70, 256] as const;

/** An element of a text type; a longer text is cut off, since the schema refuses it. */
const element = (name: string, text: string | null, max: number = LONG): string =>
  text === null || text === '' ? '' : `<${name}>${escapeXml([...text].slice(0, max).join(''))}</${name}>`;

/** Stands for what the schema requires and the company does not have. */
const NOT_USED = 'NotUsed';

const wrap = (name: string, content: string): string => (content === '' ? '' : `<${name}>${content}</${name}>`);

const buildAddress = ({ line1, line2, city, postalCode, region, country }: PostalAddress): string =>
  `<Address>${[
    element('StreetName', line1, MIDDLE_2),
    element('AdditionalAddressDetail', line2, MIDDLE_2),
    element('City', city, MIDDLE_1),
    element('PostalCode', postalCode, SHORT),
    element('Region', region, MIDDLE_1),
    element('Country', country),
  ].join('')}</Address>`;

/** @param contact the contact, which the schema requires of the company only */
const buildParty = ({ registrationNumber, name, address, taxId }: SaftParty, contact = ''): string =>
  [
    element('RegistrationNumber', registrationNumber ?? taxId, MIDDLE_1),
    element('Name', name, MIDDLE_2),
    buildAddress(address),
    contact,
    taxId === null ? '' : wrap('TaxRegistration', element('TaxRegistrationNumber', taxId, MIDDLE_1)),
  ].join('');

const buildCompany = (company: SaftCompany): string => {
  const person = element('FirstName', NOT_USED) + element('LastName', company.contactName, MIDDLE_2);
  const contact = [
    wrap('ContactPerson', person),
    element('Telephone', company.phone ?? NOT_USED, SHORT),
    element('Email', company.email, MIDDLE_2),
  ];
  const registrationNumber = company.registrationNumber ?? company.taxId ?? NOT_USED;
  return buildParty({ ...company, registrationNumber }, wrap('Contact', contact.join('')));
};

const buildBalance = (prefix: 'Opening' | 'Closing', balance: Decimal): string =>
  balance.isNegative()
    ? element(`${prefix}CreditBalance`, balance.neg().toFixed())
    : element(`${prefix}DebitBalance`, balance.toFixed());

const buildAccount = ({ number, name, type, opening, closing }: SaftAccount): string =>
  wrap(
    'Account',
    [
      element('AccountID', number),
      element('AccountDescription', name),
      element('AccountType', ACCOUNT_TYPES[type], SHORT),
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
        element('TaxCode', code, CODE),
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
    element('SoftwareVersion', head.softwareVersion, SHORT),
    wrap('Company', buildCompany(company)),
    element('DefaultCurrencyCode', head.currencyCode),
    wrap('SelectionCriteria', element('SelectionStartDate', head.from) + element('SelectionEndDate', head.to)),
    element('TaxAccountingBasis', 'Invoice Accounting', SHORT),
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
      element('TaxCode', buildSaftTaxCode(tax), CODE),
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
        element('SourceDocumentID', document.number, MIDDLE_1),
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
      element('TransactionID', id, MIDDLE_2),
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

import { PRESET_CHARTS } from '../../../../domain/business/accounting/charts';
import { postInvoice } from '../../../../domain/business/accounting/postings';
import {
  addEntries,
  formatSaftEntry,
  formatSaftHead,
  NO_ENTRIES,
  SAFT_TAIL,
} from '../../../../domain/business/accounting/saft';
import { Decimal } from '../../../../domain/business/decimal';
import { parseXml } from '../../../../lib/xml-tree';
import type { XmlElement } from '../../../../lib/xml-tree';

/** A child of an element: `!` marks required ones, a number is the greatest length of its text. */
type Sequence = readonly (readonly [name: string, max?: number | undefined])[];

const AMOUNT: Sequence = [['Amount!'], ['CurrencyCode', 3], ['CurrencyAmount'], ['ExchangeRate']];
const PARTY: Sequence = [
  ['RegistrationNumber', 35],
  ['Name!', 70],
  ['Address!'],
  ['Contact'],
  ['TaxRegistration'],
  ['BankAccount'],
];
const BALANCES: Sequence = [
  ['OpeningDebitBalance'],
  ['OpeningCreditBalance'],
  ['ClosingDebitBalance'],
  ['ClosingCreditBalance'],
];

/**
 * The sequences of the elements that the file uses, from the guidance for the Standard Audit File for Tax 2.0 of the OECD
 * and its schema.
 */
const SEQUENCES: Readonly<Record<string, Sequence>> = {
  AuditFile: [['Header!'], ['MasterFiles'], ['GeneralLedgerEntries'], ['SourceDocuments']],
  Header: [
    ['AuditFileVersion!', 9],
    ['AuditFileCountry!', 2],
    ['AuditFileRegion', 9],
    ['AuditFileDateCreated!', 10],
    ['SoftwareCompanyName!', 70],
    ['SoftwareID!', 256],
    ['SoftwareVersion!', 18],
    ['Company!'],
    ['DefaultCurrencyCode!', 3],
    ['SelectionCriteria'],
    ['HeaderComment', 256],
    ['TaxAccountingBasis!', 18],
    ['TaxEntity', 70],
  ],
  Company: PARTY.map(([name, max]) => [/^(RegistrationNumber|Contact)$/.test(name) ? `${name}!` : name, max]),
  Address: [
    ['StreetName', 70],
    ['Number', 18],
    ['AdditionalAddressDetail', 70],
    ['Building', 35],
    ['City', 35],
    ['PostalCode', 18],
    ['Region', 35],
    ['Country', 2],
    ['AddressType'],
  ],
  Contact: [['ContactPerson!'], ['Telephone!', 18], ['Fax', 18], ['Email', 70], ['Website'], ['MobilePhone', 18]],
  ContactPerson: [
    ['Title', 9],
    ['FirstName!', 35],
    ['Initials', 18],
    ['LastNamePrefix', 18],
    ['LastName!', 70],
  ],
  TaxRegistration: [['TaxRegistrationNumber!', 35]],
  SelectionCriteria: [
    ['SelectionStartDate!', 10],
    ['SelectionEndDate!', 10],
  ],
  MasterFiles: [['GeneralLedgerAccounts'], ['Taxonomies'], ['Customers'], ['Suppliers'], ['TaxTable']],
  GeneralLedgerAccounts: [['Account!']],
  Account: [
    ['AccountID!', 70],
    ['AccountDescription!', 256],
    ['StandardAccountID', 35],
    ['GroupingCategory', 35],
    ['GroupingCode', 35],
    ['AccountType!', 18],
    ['AccountCreationDate'],
    ...BALANCES,
  ],
  Customers: [['Customer']],
  Suppliers: [['Supplier']],
  Customer: [...PARTY, ['CustomerID!', 35], ['SelfBillingIndicator', 9], ['AccountID', 70], ...BALANCES],
  Supplier: [...PARTY, ['SupplierID!', 35], ['SelfBillingIndicator', 9], ['AccountID', 70], ...BALANCES],
  TaxTable: [['TaxTableEntry!']],
  TaxTableEntry: [['TaxType!', 9], ['Description!', 256], ['TaxCodeDetails!']],
  TaxCodeDetails: [
    ['TaxCode!', 9],
    ['EffectiveDate'],
    ['ExpirationDate'],
    ['Description', 256],
    ['TaxPercentage'],
    ['FlatTaxRate'],
    ['Country!', 2],
    ['Region', 9],
  ],
  GeneralLedgerEntries: [['NumberOfEntries!'], ['TotalDebit!'], ['TotalCredit!'], ['Journal']],
  Journal: [['JournalID!', 18], ['Description!', 256], ['Type!', 9], ['Transaction']],
  Transaction: [
    ['TransactionID!', 70],
    ['Period!'],
    ['PeriodYear!'],
    ['TransactionDate!', 10],
    ['SourceID', 35],
    ['TransactionType', 18],
    ['Description!', 256],
    ['BatchID', 35],
    ['SystemEntryDate!', 10],
    ['GLPostingDate!', 10],
    ['CustomerID', 35],
    ['SupplierID', 35],
    ['SystemID', 35],
    ['Line!'],
  ],
  Line: [
    ['RecordID!', 18],
    ['AccountID!', 70],
    ['Analysis'],
    ['ValueDate'],
    ['SourceDocumentID', 35],
    ['CustomerID', 35],
    ['SupplierID', 35],
    ['Description!', 256],
    ['DebitAmount'],
    ['CreditAmount'],
    ['TaxInformation'],
  ],
  DebitAmount: AMOUNT,
  CreditAmount: AMOUNT,
  TaxAmount: AMOUNT,
  TaxInformation: [
    ['TaxType', 9],
    ['TaxCode', 9],
    ['TaxPercentage'],
    ['Country', 2],
    ['TaxBase'],
    ['TaxBaseDescription', 70],
    ['TaxAmount!'],
    ['TaxExemptionReason', 70],
  ],
};

/** The problems of an element and those within it. */
function findProblems(element: XmlElement, path = element.name): string[] {
  const sequence = SEQUENCES[element.name];
  if (sequence === undefined) return element.children.length === 0 ? [] : [`${path} is not known`];
  const names = sequence.map(([name]) => name.replace('!', ''));
  const positions = element.children.map(({ name }) => names.indexOf(name));
  const missing = sequence.filter(
    ([name]) => name.endsWith('!') && !element.children.some((child) => `${child.name}!` === name),
  );
  return [
    ...missing.map(([name]) => `${path} lacks ${name}`),
    ...(positions.includes(-1) || positions.some((at, index) => at < (positions[index - 1] ?? 0))
      ? [`${path} has ${element.children.map(({ name }) => name).join()}`]
      : []),
    ...element.children.flatMap((child, index) => {
      const max = sequence[positions[index] ?? -1]?.[1] ?? Infinity;
      const long = [...child.text].length > max ? [`${path}/${child.name} is too long`] : [];
      return [...long, ...findProblems(child, `${path}/${child.name}`)];
    }),
  ];
}

const LONG_TEXT = 'Ünïcode & <long> '.repeat(40);
const address = {
  line1: LONG_TEXT,
  line2: LONG_TEXT,
  city: LONG_TEXT,
  region: LONG_TEXT,
  postalCode: LONG_TEXT,
  country: 'DE',
};
const party = { name: LONG_TEXT, address, taxId: LONG_TEXT, registrationNumber: null };
const balances = { opening: new Decimal(0), closing: new Decimal(-119) };

/** A file of one invoice in a foreign currency, with texts of any length. */
function buildFile(company: { taxId: string | null; phone: string | null }): string {
  const chart = PRESET_CHARTS.skr03;
  const entry = postInvoice(chart, {
    id: 1,
    number: LONG_TEXT,
    date: '2026-01-31',
    currencyCode: 'USD',
    party: { id: 1, name: LONG_TEXT },
    rows: [{ category: 'S', percent: '19', net: new Decimal(110), tax: new Decimal('20.9') }],
    total: new Decimal(110),
    taxTotal: new Decimal('20.9'),
    baseTotal: new Decimal(100),
    baseTaxTotal: new Decimal(19),
    exchangeRate: new Decimal('0.909091'),
    decimals: 2,
    baseDecimals: 2,
  });
  const totals = addEntries(NO_ENTRIES, [entry]);
  const head = formatSaftHead({
    createdOn: '2026-02-01',
    softwareVersion: '10.20.30-beta.1+build.99',
    company: { ...party, ...company, contactName: LONG_TEXT, email: null },
    country: 'DE',
    currencyCode: 'EUR',
    from: '2026-01-01',
    to: '2026-01-31',
    accounts: entry.lines.map(({ account }) => ({
      ...account,
      ...{ ...balances, debit: new Decimal(0), credit: new Decimal(0), type: 'asset' as const },
    })),
    receivablesAccount: chart.accounts.receivables.number,
    payablesAccount: chart.accounts.payables.number,
    customers: [{ ...party, ...balances, id: 1 }],
    suppliers: [{ ...party, ...balances, id: 1, taxId: null }],
    taxCodes: [{ code: 'S-19', description: 'Standard', percent: '19' }],
    entryCount: totals.entryCount,
    total: totals,
  });
  return head + formatSaftEntry(entry, { country: 'DE', currencyCode: 'EUR' }) + SAFT_TAIL;
}

test.each([
  [{ taxId: LONG_TEXT, phone: LONG_TEXT }],
  // The schema requires a registration number and a telephone number also of a company that has stated none.
  [{ taxId: null, phone: null }],
])(
  'every element is in the sequence of the schema, required ones are there, and no text is too long: %j',
  (company) => {
    const audit = parseXml(buildFile(company), { maxDepth: 20, maxElements: 10_000 });
    expect(findProblems(audit)).toEqual([]);
  },
);

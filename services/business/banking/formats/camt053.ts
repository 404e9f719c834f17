import { Decimal } from '../../../../domain/business/decimal';
import { isCalendarDate } from '../../../../domain/business/calendar';
import {
  MAX_TRANSACTION_TEXT_LENGTH,
  requireStatementCount,
  requireTransactionCount,
  StatementError,
} from '../../../../domain/business/banking/bank-statement';
import type { Statement, StatementTransaction } from '../../../../domain/business/banking/bank-statement';
import { findChildren, findElement, findText, parseXml, XmlError } from '../../../../lib/xml-tree';
import type { XmlElement, XmlElementReader } from '../../../../lib/xml-tree';

/** A file of the largest size whose elements are as short as in statements of banks has fewer. */
const LIMITS = { maxDepth: 40, maxNodes: 300_000, maxAttributes: 50 };
const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.\d{2}$/;
const AMOUNT = /^\d{1,15}(\.\d{1,5})?$/;

function readAmount(element: XmlElement | undefined, where: string): { amount: Decimal; currencyCode: string } {
  const text = element?.text ?? '';
  if (!AMOUNT.test(text)) throw new StatementError(`${where}: Amt must be a decimal such as 100.00`);
  return { amount: new Decimal(text), currencyCode: element?.attributes.get('Ccy') ?? '' };
}

/** Amounts of debits are negative. */
function readSign(element: XmlElement, where: string): 1 | -1 {
  const indicator = findText(element, 'CdtDbtInd');
  if (indicator !== 'CRDT' && indicator !== 'DBIT')
    throw new StatementError(`${where}: CdtDbtInd must be CRDT or DBIT`);
  return indicator === 'CRDT' ? 1 : -1;
}

/** A date, which may have an offset in XML, or the date of a time. */
function readDate(element: XmlElement | undefined): string | null {
  const date = (findText(element, 'Dt') ?? findText(element, 'DtTm'))?.slice(0, 10);
  return date !== undefined && isCalendarDate(date) ? date : null;
}

const BALANCES = { opening: ['OPBD', 'PRCD'], closing: ['CLBD'] } as const;

function readBalance(statement: XmlElement, codes: readonly string[]): Decimal | null {
  for (const code of codes)
    for (const balance of findChildren(statement, 'Bal'))
      if (findText(balance, 'Tp', 'CdOrPrtry', 'Cd') === code)
        return readAmount(findElement(balance, 'Amt'), `Bal ${code}`).amount.times(readSign(balance, `Bal ${code}`));
  return null;
}

/** The parts of an entry that its details can state more precisely. */
interface EntryFacts {
  bookingDate: string;
  valueDate: string;
  sign: 1 | -1;
  currencyCode: string;
}

/** The party on the other side: the debtor of a credit, the creditor of a debit; banks that pay refunds swap them. */
function readCounterparty(details: XmlElement | undefined, sign: 1 | -1) {
  const parties = findElement(details, 'RltdPties');
  const [party, account] = sign === 1 ? ['Dbtr', 'DbtrAcct'] : ['Cdtr', 'CdtrAcct'];
  return {
    counterpartyName: findText(parties, party, 'Nm') ?? findText(parties, party, 'Pty', 'Nm'),
    counterpartyIban: findText(parties, account, 'Id', 'IBAN'),
  };
}

/** What the payer wrote; null if there is nothing. */
function readInformation(details: XmlElement | undefined): string | null {
  const information = findElement(details, 'RmtInf');
  const unstructured = findChildren(information, 'Ustrd').map(({ text }) => text);
  const structured = findChildren(information, 'Strd').flatMap((each) => {
    const reference = findText(each, 'CdtrRefInf', 'Ref');
    return reference === null ? [] : [reference];
  });
  const texts = [...unstructured, ...structured].filter((text) => text !== '');
  return texts.length > 0 ? texts.join(' ') : findText(details, 'AddtlTxInf');
}

const readRemittance = (details: XmlElement | undefined, entry: XmlElement): string =>
  readInformation(details) ?? findText(entry, 'AddtlNtryInf') ?? '';

const buildTransaction = (
  entry: XmlElement,
  details: XmlElement | undefined,
  facts: EntryFacts,
  amount: Decimal,
): StatementTransaction => {
  const endToEndId = findText(details, 'Refs', 'EndToEndId');
  return {
    bookingDate: facts.bookingDate,
    valueDate: facts.valueDate,
    amount: amount.times(facts.sign),
    currencyCode: facts.currencyCode,
    ...readCounterparty(details, facts.sign),
    remittance: readRemittance(details, entry),
    endToEndId: endToEndId === 'NOTPROVIDED' ? null : endToEndId,
    bankReference:
      findText(details, 'Refs', 'AcctSvcrRef') ?? findText(entry, 'AcctSvcrRef') ?? findText(entry, 'NtryRef'),
  };
};

/** Places of the amount of a transaction: as it was booked, and of the transaction behind it. */
const [BOOKED, UNDERLYING] = [['Amt'], ['AmtDtls', 'TxAmt', 'Amt']] as const;

/** Divides a collective entry by the amounts of its transactions, of which one kind adds up to it; null if none does. */
function divideEntry(
  entry: XmlElement,
  details: readonly XmlElement[],
  facts: EntryFacts,
  amount: Decimal,
  where: string,
): StatementTransaction[] | null {
  for (const [first, second] of [
    [BOOKED, UNDERLYING],
    [UNDERLYING, BOOKED],
  ] as const) {
    const parts = details.flatMap((each) => {
      const element = findElement(each, ...first) ?? findElement(each, ...second);
      if (element?.attributes.get('Ccy') !== facts.currencyCode) return [];
      return [{ each, amount: readAmount(element, where).amount }];
    });
    const total = parts.reduce((sum, part) => sum.plus(part.amount), new Decimal(0));
    if (parts.length === details.length && total.eq(amount))
      return parts.map((part) => buildTransaction(entry, part.each, facts, part.amount));
  }
  return null;
}

/** The texts of the transactions of an entry, as far as they fit into one. */
function joinInformation(details: readonly XmlElement[]): string {
  let joined = '';
  for (const text of new Set(details.flatMap((each) => readInformation(each) ?? []))) {
    const longer = joined === '' ? text : `${joined} ${text}`;
    if (longer.length > MAX_TRANSACTION_TEXT_LENGTH) break;
    joined = longer;
  }
  return joined;
}

/** A collective entry that cannot be divided has no payer of its own; what its payers wrote may name documents. */
function buildUndivided(
  entry: XmlElement,
  details: readonly XmlElement[],
  facts: EntryFacts,
  amount: Decimal,
): StatementTransaction {
  const whole = buildTransaction(entry, undefined, facts, amount);
  const joined = joinInformation(details);
  return joined === '' ? whole : { ...whole, remittance: joined };
}

/** Reads a booked entry: one transaction, or those of a collective entry if their amounts add up to it. */
function readEntry(entry: XmlElement, where: string): StatementTransaction[] {
  const status = findText(entry, 'Sts', 'Cd') ?? findText(entry, 'Sts');
  if (status !== null && status !== 'BOOK') return [];
  const { amount, currencyCode } = readAmount(findElement(entry, 'Amt'), where);
  const bookingDate = readDate(findElement(entry, 'BookgDt')) ?? readDate(findElement(entry, 'ValDt'));
  if (bookingDate === null) throw new StatementError(`${where}: BookgDt must have a date`);
  const facts: EntryFacts = {
    bookingDate,
    valueDate: readDate(findElement(entry, 'ValDt')) ?? bookingDate,
    sign: readSign(entry, where),
    currencyCode,
  };
  const details = findChildren(entry, 'NtryDtls').flatMap((each) => findChildren(each, 'TxDtls'));
  if (details.length <= 1) return [buildTransaction(entry, details[0], facts, amount)];
  return divideEntry(entry, details, facts, amount, where) ?? [buildUndivided(entry, details, facts, amount)];
}

function readStatement(statement: XmlElement, transactions: StatementTransaction[]): Statement {
  const account = findElement(statement, 'Acct');
  return {
    format: 'camt.053',
    number: findText(statement, 'Id'),
    account: findText(account, 'Id', 'IBAN') ?? findText(account, 'Id', 'Othr', 'Id'),
    currencyCode: findText(account, 'Ccy') ?? transactions[0]?.currencyCode ?? '',
    openingBalance: readBalance(statement, BALANCES.opening),
    closingBalance: readBalance(statement, BALANCES.closing),
    transactions,
  };
}

const isCamt053 = ({ name, namespace }: XmlElement): boolean => name === 'Document' && NAMESPACE.test(namespace);

/** The elements around an entry. */
const ENTRY_PARENTS = ['Document', 'BkToCstmrStmt', 'Stmt'];

/** Reads the entries of a message one by one, and ends when there are more transactions than a file may have. */
function createEntryReader(): { read: XmlElementReader; getTransactions: (of: XmlElement) => StatementTransaction[] } {
  const byStatement = new Map<XmlElement, { entries: number; transactions: StatementTransaction[] }>();
  let total = 0;
  return {
    read(element, ancestors) {
      if (element.name !== 'Ntry' || ancestors.length !== ENTRY_PARENTS.length) return false;
      const [root] = ancestors;
      const statement = ancestors.at(-1);
      const isEntry = ancestors.every(({ name }, index) => name === ENTRY_PARENTS[index]);
      if (root === undefined || statement === undefined || !isEntry || !isCamt053(root)) return false;
      const own = byStatement.get(statement) ?? { entries: 0, transactions: [] };
      byStatement.set(statement, own);
      own.entries += 1;
      const transactions = readEntry(element, `entry ${own.entries} (Ntry)`);
      total += transactions.length;
      requireTransactionCount(total);
      own.transactions.push(...transactions);
      return true;
    },
    getTransactions: (statement) => byStatement.get(statement)?.transactions ?? [],
  };
}

/**
 * Reads the booked entries of a camt.053 message of ISO 20022, versions 001.02 to 001.13. Entries are not kept once they
 * are read, and reading ends with the first transaction beyond the limit of a file.
 * @throws StatementError if it is another document, not well-formed, or an entry lacks amount, sign or date
 */
export function readCamt053(text: string): Statement[] {
  try {
    const { read, getTransactions } = createEntryReader();
    const document = parseXml(text, LIMITS, read);
    if (!isCamt053(document))
      throw new StatementError('must be a camt.053 message (BankToCustomerStatement of ISO 20022)');
    const elements = findChildren(findElement(document, 'BkToCstmrStmt'), 'Stmt');
    requireStatementCount(elements.length);
    const statements = elements.map((element) => readStatement(element, getTransactions(element)));
    if (statements.length === 0) throw new StatementError('has no statement (Stmt)');
    return statements;
  } catch (error) {
    if (error instanceof XmlError) throw new StatementError(error.message);
    throw error;
  }
}

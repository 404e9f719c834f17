import { AppError } from '../../errors';
import { Decimal, round, sum, ZERO } from '../decimal';
import { findTaxAccounts, listChartAccounts } from './accounts';
import type { Chart } from './accounts';
import { DATEV_COLUMN, formatDatevRow } from './datev-format';
import type { JournalEntry, JournalLine } from './journal';

/** The first accounts of customers and vendors, for general ledger accounts of four digits. */
const FIRST_CUSTOMER_ACCOUNT = 10_000;
const FIRST_VENDOR_ACCOUNT = 70_000;
const FIRST_ACCOUNT_AFTER_VENDORS = 100_000;
const SHORTEST_ACCOUNT = 4;

/** The greatest ids of customers and vendors that have an account of the length. */
export const getMaxPartyIds = (accountLength: number): { receivable: number; payable: number } => {
  const factor = 10 ** (accountLength - SHORTEST_ACCOUNT);
  return {
    receivable: (FIRST_VENDOR_ACCOUNT - FIRST_CUSTOMER_ACCOUNT) * factor - 1,
    payable: (FIRST_ACCOUNT_AFTER_VENDORS - FIRST_VENDOR_ACCOUNT) * factor - 1,
  };
};

/** The number of a general ledger account in DATEV. */
const fillNumber = (number: string, accountLength: number): string => number.padEnd(accountLength, '0');

/** Two accounts that have one number in DATEV, such as 1200 and 12000 with five digits; null if there are none. */
export function findEqualAccounts(charts: readonly Chart[], accountLength: number): [string, string] | null {
  const byFilled = new Map<string, string>();
  for (const { number } of charts.flatMap(listChartAccounts)) {
    const filled = fillNumber(number, accountLength);
    const other = byFilled.get(filled) ?? number;
    if (other !== number) return [other, number];
    byFilled.set(filled, number);
  }
  return null;
}

/** The chart and settings with which entries are written. */
export interface DatevContext {
  chart: Chart;
  accountLength: number;
}

/**
 * The number of an account in DATEV: general ledger accounts are filled with zeros to their length, and the account of
 * a customer or vendor, with one more digit, replaces the collective account.
 * @throws RangeError for an account or party that has no number of the length
 */
function formatAccount({ chart, accountLength }: DatevContext, { account, party }: JournalLine): string {
  const collective =
    party === null ? null : chart.accounts[party.side === 'receivable' ? 'receivables' : 'payables'].number;
  if (party !== null && account.number === collective) {
    if (party.id > getMaxPartyIds(accountLength)[party.side])
      throw new RangeError(`${party.side} ${party.id} has no account of ${accountLength + 1} digits`);
    const first = party.side === 'receivable' ? FIRST_CUSTOMER_ACCOUNT : FIRST_VENDOR_ACCOUNT;
    return String(first * 10 ** (accountLength - SHORTEST_ACCOUNT) + party.id);
  }
  if (account.number.length > accountLength)
    throw new RangeError(`account ${account.number} has more than ${accountLength} digits`);
  return fillNumber(account.number, accountLength);
}

/** An amount on one account, with the key by which DATEV computes its tax. */
interface Item {
  line: JournalLine;
  base: Decimal;
  /** In the currency of the entry. */
  amount: Decimal;
  taxKey: string;
}

const toItem = (line: JournalLine): Item => ({ line, base: line.base, amount: line.amount, taxKey: '' });

/** The key with which a net line is exported gross; null if net and tax are exported separately. */
function findGrossKey({ chart }: DatevContext, { account, tax }: JournalLine): string | null {
  if (tax?.part !== 'net') return null;
  const { revenue, discounts, purchases, datev } = findTaxAccounts(chart, tax.category, tax.percent);
  const isAutomatic = [revenue.number, discounts?.number].includes(account.number);
  if (tax.direction === 'output') return datev.automaticRevenue && isAutomatic ? '' : null;
  return account.number === purchases.number ? datev.purchaseKey : null;
}

const isTaxOf = (net: JournalLine, { tax }: JournalLine): boolean =>
  tax?.part === 'tax' &&
  tax.direction === net.tax?.direction &&
  tax.category === net.tax.category &&
  tax.percent === net.tax.percent;

const AMOUNT_DECIMALS = 2;

/**
 * Divides a gross amount into the one from which DATEV computes its net amount, and the cents by which the tax of the
 * document differs from what DATEV computes, which are posted to the account of the tax.
 */
function splitCents(gross: Item, percent: string, taxLine: JournalLine): Item[] {
  const { base: net } = gross.line;
  const computed = round(net.times(new Decimal(percent)).div(100), AMOUNT_DECIMALS);
  const cents = gross.base.minus(net).minus(computed);
  return [
    { ...gross, base: gross.base.minus(cents) },
    { line: taxLine, base: cents, amount: ZERO, taxKey: '' },
  ];
}

/** Merges net amounts and taxes that DATEV divides again by their key or account. */
function mergeTaxes(context: DatevContext, lines: readonly JournalLine[]): { taxed: Item[]; others: JournalLine[] } {
  const taxed: Item[] = [];
  const merged = new Set<JournalLine>();
  for (const line of lines) {
    const taxKey = findGrossKey(context, line);
    if (taxKey === null || line.tax === null) continue;
    const { selfAssessed } = findTaxAccounts(context.chart, line.tax.category, line.tax.percent);
    const taxes = lines.filter((other) => isTaxOf(line, other));
    // The key of a self-assessed tax stands for its charge and its deduction.
    const charged = selfAssessed === null || line.tax.direction === 'output' ? null : selfAssessed.outputTax.number;
    const charges = lines.filter(({ account }) => account.number === charged);
    const parts = [line, ...taxes, ...charges];
    for (const each of parts) merged.add(each);
    const gross = {
      line,
      base: sum(parts.map(({ base }) => base)),
      amount: sum(parts.map(({ amount }) => amount)),
      taxKey,
    };
    const [taxLine] = taxes;
    taxed.push(...(taxLine === undefined ? [gross] : splitCents(gross, line.tax.percent, taxLine)));
  }
  return { taxed, others: lines.filter((line) => !merged.has(line)) };
}

/** Balances items against one of them. */
function pairWith(pivot: JournalLine, items: readonly Item[]): { item: Item; contra: JournalLine }[] {
  return items.flatMap((item) => (item.base.isZero() ? [] : [{ item, contra: pivot }]));
}

const findLargest = (lines: readonly JournalLine[]): JournalLine | undefined =>
  lines.reduce<JournalLine | undefined>(
    (largest, line) => (largest === undefined || line.base.abs().gt(largest.base.abs()) ? line : largest),
    undefined,
  );

/**
 * Divides an entry into postings of one account against another. Taxed amounts are balanced by the party; if that is
 * possible, the other lines are balanced among themselves.
 */
function pairLines(context: DatevContext, { lines }: JournalEntry): { item: Item; contra: JournalLine }[] {
  const { taxed, others } = mergeTaxes(context, lines);
  const party = others.find((line) => line.party !== null);
  // Tax for which the buyer is liable is charged and deducted between its own accounts.
  const isOfParty = ({ tax }: JournalLine): boolean =>
    tax !== null && !(tax.direction === 'self_assessed' && tax.part === 'tax');
  const marked = others.filter(isOfParty).map(toItem);
  const rest = others.filter((line) => !isOfParty(line) && line !== party);
  if (party !== undefined && sum([...taxed, ...marked].map(({ base }) => base)).eq(party.base.neg())) {
    const pivot = findLargest(rest);
    const remaining = rest.filter((line) => line !== pivot).map(toItem);
    return [...pairWith(party, [...taxed, ...marked]), ...(pivot === undefined ? [] : pairWith(pivot, remaining))];
  }
  const pivot = party ?? findLargest(others);
  if (pivot === undefined) return [];
  return pairWith(pivot, [...taxed, ...others.filter((line) => line !== pivot).map(toItem)]);
}

const MAX_TEXT_LENGTH = 60;
const MAX_DOCUMENT_LENGTH = 36;

/** A document number with the characters that DATEV accepts in it. */
const formatDocumentNumber = (number: string): string =>
  number.replaceAll(/[^0-9A-Za-z$&%*+/_-]/g, '-').slice(0, MAX_DOCUMENT_LENGTH);

const formatAmount = (amount: Decimal): string => amount.toFixed(2).replace('.', ',');

/** The format has ten digits before the comma. */
const AMOUNT_LIMIT = new Decimal(10).pow(10);

/** @throws AppError `datev_amount_too_large` naming the document */
function requireAmount(base: Decimal, { date, document }: JournalEntry): void {
  if (round(base.abs(), AMOUNT_DECIMALS).lt(AMOUNT_LIMIT)) return;
  const limit = AMOUNT_LIMIT.toFixed();
  throw new AppError(
    'datev_amount_too_large',
    409,
    `${document.number} of ${date} posts ${base.abs().toFixed()}; datev accepts amounts below ${limit}.`,
  );
}

/**
 * What a payment or credit note settles when it is made: a document, or a refund a credit, whose open item DATEV clears by
 * its number.
 */
export interface Settlement {
  /** Number of the settled document. */
  number: string;
  /** The settled part of the payment or credit note in base currency, and in its own; both positive. */
  base: Decimal;
  amount: Decimal;
}

/** A row with the number and text of its document. */
interface Row {
  item: Item;
  contra: JournalLine;
  number: string;
  text: string;
}

/**
 * Divides the money of a payment among the documents that it settles; what is left has the number of the payment. An
 * exchange difference of a refund belongs to the credit that it pays out. The amounts of an account remain the same.
 */
function divideBySettlement(
  pairs: readonly { item: Item; contra: JournalLine }[],
  { document: { number }, description }: JournalEntry,
  settlements: readonly Settlement[],
): Row[] {
  const rows = pairs.map((pair) => ({ ...pair, number, text: description }));
  const [money, ...others] = rows;
  const settled = settlements.filter(({ base }) => base.gt(ZERO));
  const total = sum(settled.map(({ base }) => base));
  if (money === undefined || settled.length === 0 || total.gt(money.item.base.abs())) return rows;
  const sign = money.item.base.isNegative() ? -1 : 1;
  const part = (base: Decimal, amount: Decimal): Item => ({ ...money.item, base, amount });
  const left = part(
    money.item.base.minus(total.times(sign)),
    money.item.amount.minus(sum(settled.map(({ amount }) => amount)).times(sign)),
  );
  return [
    ...settled.map((each) => ({
      ...money,
      item: part(each.base.times(sign), each.amount.times(sign)),
      number: each.number,
      text: `${number} ${description}`,
    })),
    ...(left.base.isZero() ? [] : [{ ...money, item: left }]),
    ...others.map((row) => (left.base.isZero() ? { ...row, number: settled[0]?.number ?? number } : row)),
  ];
}

/**
 * Gives the rows of a credit note that settles one document as a whole the number of the document. Others keep their own
 * number: DATEV computes the tax of each row, which parts of a row would change.
 */
function nameSettledDocument(
  pairs: readonly { item: Item; contra: JournalLine }[],
  { document: { number }, description, lines }: JournalEntry,
  settlements: readonly Settlement[],
): Row[] {
  const [settled] = settlements;
  const whole = sum(lines.filter(({ party }) => party !== null).map(({ base }) => base)).abs();
  const isWhole = settlements.length === 1 && settled?.base.eq(whole) === true;
  return pairs.map((pair) =>
    isWhole
      ? { ...pair, number: settled.number, text: `${number} ${description}` }
      : { ...pair, number, text: description },
  );
}

const CREDIT_NOTE_KINDS: readonly JournalEntry['kind'][] = ['credit_note', 'vendor_credit_note'];

/** Tax keys have four digits. */
const formatTaxKey = (key: string): string => (key === '' ? '' : key.padStart(4, '0'));

/**
 * Writes the rows of an entry in base currency. An amount in another currency is an additional information, because
 * DATEV would convert it again.
 * @param settlements of a payment or credit note
 * @throws RangeError as {@link formatAccount}; AppError `datev_amount_too_large`
 */
export function formatDatevEntry(
  context: DatevContext,
  entry: JournalEntry,
  baseCurrencyCode: string,
  settlements: readonly Settlement[] = [],
): string[] {
  const { date, currencyCode } = entry;
  const addNumbers = CREDIT_NOTE_KINDS.includes(entry.kind) ? nameSettledDocument : divideBySettlement;
  return addNumbers(pairLines(context, entry), entry, settlements).flatMap(({ item, contra, number, text }) => {
    const [account, contraAccount] = [formatAccount(context, item.line), formatAccount(context, contra)];
    if (account === contraAccount) return [];
    requireAmount(item.base, entry);
    const foreign =
      currencyCode === baseCurrencyCode || item.amount.isZero()
        ? []
        : ([
            [DATEV_COLUMN.informationKind, 'Währung'],
            [DATEV_COLUMN.informationText, `${currencyCode} ${item.amount.abs().toFixed()}`],
          ] as const);
    return [
      formatDatevRow(
        new Map<number, string>([
          [DATEV_COLUMN.amount, formatAmount(item.base.abs())],
          [DATEV_COLUMN.debitCredit, item.base.isNegative() ? 'H' : 'S'],
          [DATEV_COLUMN.currency, baseCurrencyCode],
          [DATEV_COLUMN.account, account],
          [DATEV_COLUMN.contraAccount, contraAccount],
          [DATEV_COLUMN.taxKey, formatTaxKey(item.taxKey)],
          [DATEV_COLUMN.date, `${date.slice(8, 10)}${date.slice(5, 7)}`],
          [DATEV_COLUMN.document, formatDocumentNumber(number)],
          [DATEV_COLUMN.text, text.slice(0, MAX_TEXT_LENGTH)],
          ...foreign,
          [DATEV_COLUMN.locked, '0'],
        ]),
      ),
    ];
  });
}

import { Decimal, round, sum, ZERO } from '../decimal';
import type { DeductionKind } from '../payments/deductions';
import type { LedgerSide } from '../payments/open-items';
import { findTaxAccounts } from './accounts';
import type { Account, Chart } from './accounts';
import { buildDueDepositTaxLines } from './deposit-postings';
import { dropEmptyLines } from './journal';
import type { JournalDocument, JournalEntry, JournalLine } from './journal';
import { buildChargeLines, buildLine, divideTotals, markTax } from './tax-postings';
import type { TaxRow } from './tax-postings';

/** An amount by which an open item was reduced without money. Amounts are positive. */
export interface DeductionFacts {
  kind: DeductionKind;
  side: LedgerSide;
  /** Whether the item is a credit, such as an overpayment. */
  isCredit: boolean;
  id: number;
  date: string;
  document: JournalDocument;
  currencyCode: string;
  party: { id: number; name: string };
  amount: Decimal;
  amountBase: Decimal;
  /** Net amounts and taxes by rate; what of the amount exceeds them has no tax. Empty for a credit. */
  taxes: readonly TaxRow[];
  taxBase: Decimal;
  /** The deposit that is deducted, in base currency at its own exchange rate. */
  depositBase?: Decimal | undefined;
  /** Of a deposit invoice that is written off: net amounts and taxes in base currency that become due before. */
  depositTaxes?: readonly TaxRow[] | undefined;
  decimals: number;
  baseDecimals: number;
  /** Whether it leaves the tax for which the company is liable, as write-offs of earlier versions did. */
  omitsCharges?: boolean;
}

/** The amounts of a deduction. */
type DeductedAmounts = Pick<
  DeductionFacts,
  'taxes' | 'amount' | 'amountBase' | 'taxBase' | 'depositBase' | 'decimals' | 'baseDecimals'
>;

const getBase = ({ depositBase, amountBase }: DeductedAmounts): Decimal => depositBase ?? amountBase;

/** The part of a deduction that exceeds what its document charges, and all of that of a credit. */
function computeUntaxed(facts: DeductedAmounts): { base: Decimal; amount: Decimal } {
  const untaxed = facts.amount.minus(sum(facts.taxes.flatMap(({ net, tax }) => [net, tax])));
  return { amount: untaxed, base: round(getBase(facts).times(untaxed).div(facts.amount), facts.baseDecimals) };
}

/** The rates of a deduction with their amounts in base currency. */
export function divideDeduction(facts: DeductedAmounts): ReturnType<typeof divideTotals> {
  const { taxes, amount, taxBase, decimals, baseDecimals } = facts;
  const taxTotal = sum(taxes.map(({ tax }) => tax));
  const untaxed = computeUntaxed(facts);
  return divideTotals({
    rows: taxes,
    total: amount.minus(taxTotal).minus(untaxed.amount),
    taxTotal,
    baseTotal: getBase(facts).minus(taxBase).minus(untaxed.base),
    baseTaxTotal: taxBase,
    exchangeRate: new Decimal(1),
    decimals,
    baseDecimals,
  });
}

/** The lines that reduce revenue and output tax, or purchases and input tax, by rate. */
function buildTaxedLines(
  chart: Chart,
  facts: DeductionFacts,
  sign: number,
  getAccount: (row: TaxRow) => Account,
): JournalLine[] {
  const { side } = facts;
  const rows = divideDeduction(facts);
  return rows.flatMap((row) => {
    const { outputTax, inputTax, selfAssessed } = findTaxAccounts(chart, row.category, row.percent);
    const account = getAccount(row);
    const taxAccount = (side === 'receivable' ? outputTax : inputTax) ?? account;
    const charged = side === 'receivable' ? null : selfAssessed;
    const direction = side === 'receivable' ? 'output' : charged === null ? 'input' : 'self_assessed';
    const marks = markTax(row, direction);
    const [base, net] = [row.baseNet.times(sign), row.net.times(sign)];
    const [baseTax, tax] = [row.baseTax.times(sign), row.tax.times(sign)];
    if (charged !== null && facts.omitsCharges === true)
      return [buildLine(account, base, net), buildLine(taxAccount, baseTax, tax)];
    return [
      buildLine(account, base, net, marks.net),
      buildLine(taxAccount, baseTax, tax, marks.tax),
      // The taxable amount of the buyer is what it pays (Article 90 and 185 of Directive 2006/112/EC, § 17 UStG).
      ...buildChargeLines(charged, { base, amount: net, tax: marks.tax }, facts),
    ];
  });
}

/**
 * Posts a discount for early payment, a written-off difference, or a deposit that the final invoice deducts: reduces the receivable or payable, and the net amount
 * and tax of every rate. What exceeds the document, such as after a credit note of it was paid out, has no tax, and
 * credits have none of their own.
 */
export function postDeduction(chart: Chart, facts: DeductionFacts): JournalEntry {
  const { kind, side, isCredit, id, amount, amountBase, party } = facts;
  const { accounts } = chart;
  const sign = (side === 'receivable') === isCredit ? -1 : 1;
  const writeOff = sign === 1 ? accounts.write_offs : accounts.write_off_gains;
  const getAccount = ({ category, percent }: Pick<TaxRow, 'category' | 'percent'>): Account =>
    kind === 'discount'
      ? (findTaxAccounts(chart, category, percent).discounts ?? accounts.discounts_granted)
      : kind === 'deposit'
        ? accounts.customer_deposits
        : writeOff;
  const untaxedAccount = kind === 'discount' ? accounts.discounts_granted : writeOff;
  const loss = facts.depositBase === undefined ? ZERO : amountBase.minus(facts.depositBase);
  const partyAccount = side === 'receivable' ? accounts.receivables : accounts.payables;
  const untaxed = computeUntaxed(facts);
  return {
    id: `${kind}:${side}:${id}`,
    kind,
    date: facts.date,
    order: id,
    document: facts.document,
    description: party.name,
    currencyCode: facts.currencyCode,
    lines: dropEmptyLines([
      { ...buildLine(partyAccount, amountBase.times(-sign), amount.times(-sign)), party: { side, ...party } },
      ...buildTaxedLines(chart, facts, sign, getAccount),
      buildLine(untaxedAccount, untaxed.base.times(sign), untaxed.amount.times(sign)),
      buildLine(loss.isNegative() ? accounts.exchange_gains : accounts.exchange_losses, loss, ZERO),
      ...buildDueDepositTaxLines(chart, facts.depositTaxes ?? [], () => ZERO),
    ]),
  };
}

const formatLine = ({ account, base, amount, party, tax }: JournalLine): string =>
  JSON.stringify([account.number, base.toFixed(), amount.toFixed(), party, tax]);

/**
 * Corrects a write-off that left the tax for which the company is liable: what the write-off posts today less what it
 * posted. The amount on its account remains the same; its net amount counts in the VAT report of this day.
 * @param date the day of the correction
 * @returns null if there is nothing to correct
 */
export function postChargeCorrection(chart: Chart, facts: DeductionFacts, date: string): JournalEntry | null {
  const entry = postDeduction(chart, { ...facts, omitsCharges: false });
  const posted = postDeduction(chart, { ...facts, omitsCharges: true }).lines;
  const left = posted.map(formatLine);
  const added = entry.lines.filter((line) => {
    const at = left.indexOf(formatLine(line));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  if (added.length === 0) return null;
  const removed = posted.filter((line) => {
    const at = left.indexOf(formatLine(line));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return {
    ...entry,
    id: `${facts.kind}_correction:${facts.side}:${facts.id}`,
    date,
    chartDate: facts.date,
    lines: [...added, ...removed.map((line) => ({ ...line, base: line.base.neg(), amount: line.amount.neg() }))],
  };
}

import { Decimal, sum, ZERO } from '../decimal';
import type { LedgerSide } from '../payments/open-items';
import type { PaymentMethod } from '../payments/payments';
import type { Account, AccountPurpose, Chart } from './accounts';
import { buildDepositLines, buildDueDepositTaxLines } from './deposit-postings';
import { dropEmptyLines, findItemDocumentType } from './journal';
import type {
  JournalDocument,
  JournalDocumentType,
  JournalEntry,
  JournalEntryKind,
  JournalLine,
  LineParty,
} from './journal';
import { buildLine, buildPurchaseLines, buildSalesLines } from './tax-postings';
import type { TaxedTotals, TaxRow } from './tax-postings';

/** What the journal needs to know of a document of a customer or vendor. */
export interface DocumentFacts extends TaxedTotals {
  id: number;
  number: string;
  date: string;
  currencyCode: string;
  party: { id: number; name: string };
  /** Whether it is a deposit invoice, or the credit note of one: it earns no revenue. */
  isDeposit?: boolean;
}

/** Head of an entry of a document. */
const buildHead = (
  kind: JournalEntryKind,
  type: JournalDocumentType,
  { id, number, date, currencyCode, party }: Pick<DocumentFacts, 'id' | 'number' | 'date' | 'currencyCode' | 'party'>,
) => ({
  id: `${kind}:${id}`,
  kind,
  date,
  order: id,
  document: { type, id, number },
  description: party.name,
  currencyCode,
});

const negate = (lines: readonly JournalLine[]): JournalLine[] =>
  lines.map((line) => ({ ...line, base: line.base.neg(), amount: line.amount.neg() }));

const sumOf = (lines: readonly JournalLine[]) => ({
  base: sum(lines.map(({ base }) => base)),
  amount: sum(lines.map(({ amount }) => amount)),
});

const onParty = (account: Account, base: Decimal, amount: Decimal, party: LineParty): JournalLine => ({
  ...buildLine(account, base, amount),
  party,
});

/** Debits receivables, credits revenue and output tax; for a deposit, deposits of customers and tax that is not due. */
export function postInvoice(chart: Chart, facts: DocumentFacts): JournalEntry {
  const party: LineParty = { side: 'receivable', ...facts.party };
  const gross = facts.total.plus(facts.taxTotal);
  const baseGross = facts.baseTotal.plus(facts.baseTaxTotal);
  const receivable = onParty(chart.accounts.receivables, baseGross, gross, party);
  return {
    ...buildHead('invoice', 'invoice', facts),
    lines: dropEmptyLines([
      receivable,
      ...(facts.isDeposit === true ? buildDepositLines(chart, facts) : buildSalesLines(chart, facts)),
    ]),
  };
}

/**
 * The reverse of an invoice, for the credited amounts. That of a deposit takes back the tax of money that was received:
 * its application to what is open of the deposit makes the tax of that part due first.
 */
export function postCreditNote(chart: Chart, facts: DocumentFacts): JournalEntry {
  const party: LineParty = { side: 'receivable', ...facts.party };
  const sales = buildSalesLines(chart, facts, facts.isDeposit === true ? chart.accounts.customer_deposits : undefined);
  const { base, amount } = sumOf(sales);
  const receivable = onParty(chart.accounts.receivables, base.neg(), amount.neg(), party);
  return { ...buildHead('credit_note', 'credit_note', facts), lines: negate(dropEmptyLines([receivable, ...sales])) };
}

/** Goods received before they are billed. */
export interface ReceiptFacts extends DocumentFacts {
  /** Value of the goods that entered stock, in base currency. */
  stockValue: Decimal;
}

/** Converts a part of the net amount from base currency to that of the document, at the rate of the document. */
const convertShare = ({ total, baseTotal }: DocumentFacts, base: Decimal, decimals: number): Decimal =>
  baseTotal.isZero() ? ZERO : total.times(base).div(baseTotal).toDecimalPlaces(decimals);

/**
 * Posts a receipt, whose bill has not arrived: credits unbilled payables with the expected gross amount. The goods wait
 * on the clearing account that their stock movements credit; services, and cents of rounding between the receipt and
 * its movements, are purchases. Tax cannot be deducted before the bill.
 */
export function postReceipt(chart: Chart, facts: ReceiptFacts): JournalEntry {
  const { accounts } = chart;
  const { total, taxTotal, baseTotal, baseTaxTotal, stockValue, decimals } = facts;
  const party: LineParty = { side: 'payable', ...facts.party };
  const stockAmount = convertShare(facts, stockValue, decimals);
  return {
    ...buildHead('receipt', 'payable', facts),
    lines: dropEmptyLines([
      buildLine(accounts.goods_received, stockValue, stockAmount),
      buildLine(accounts.purchase_differences, baseTotal.minus(stockValue), total.minus(stockAmount)),
      buildLine(accounts.pending_input_tax, baseTaxTotal, taxTotal),
      onParty(accounts.unbilled_payables, baseTotal.plus(baseTaxTotal).neg(), total.plus(taxTotal).neg(), party),
    ]),
  };
}

/** Replaces the unbilled payable of a receipt when its bill arrives; its net amount waits for the bill. */
export function postReceiptBilled(chart: Chart, facts: DocumentFacts, date: string): JournalEntry {
  const { accounts } = chart;
  const { total, taxTotal, baseTotal, baseTaxTotal } = facts;
  const party: LineParty = { side: 'payable', ...facts.party };
  return {
    ...buildHead('receipt_billed', 'payable', { ...facts, date }),
    chartDate: facts.date,
    lines: dropEmptyLines([
      onParty(accounts.unbilled_payables, baseTotal.plus(baseTaxTotal), total.plus(taxTotal), party),
      buildLine(accounts.pending_input_tax, baseTaxTotal.neg(), taxTotal.neg()),
      buildLine(accounts.goods_received, baseTotal.neg(), total.neg()),
    ]),
  };
}

/** The reverse of a receipt that has not been billed, for the goods that were returned. */
export function postReceiptReturn(chart: Chart, facts: ReceiptFacts): JournalEntry {
  const { lines } = postReceipt(chart, facts);
  return { ...buildHead('receipt_return', 'vendor_return', facts), lines: negate(lines) };
}

/** A bill, with what its receipts have posted. */
export interface BillFacts extends DocumentFacts {
  /** Net amounts of its receipts; null without receipts. */
  received: { base: Decimal; amount: Decimal } | null;
  /** The part of the difference in base currency that is due to another exchange rate. */
  exchangeDifference: Decimal;
}

/** Moves what the receipts have posted from purchases to their clearing account. */
function buildReceivedLines(chart: Chart, { received, exchangeDifference, ...facts }: BillFacts): JournalLine[] {
  if (received === null) return [];
  const { accounts } = chart;
  const difference = {
    base: facts.baseTotal.minus(received.base).minus(exchangeDifference),
    amount: facts.total.minus(received.amount),
  };
  const exchangeAccount = exchangeDifference.isNegative() ? accounts.exchange_gains : accounts.exchange_losses;
  return [
    buildLine(accounts.goods_received, received.base, received.amount),
    buildLine(accounts.purchase_differences, difference.base, difference.amount),
    buildLine(exchangeAccount, exchangeDifference, ZERO),
  ];
}

/**
 * Debits purchases and input tax, credits payables. What receipts have posted is debited to their clearing account
 * instead of purchases, and the rest is a difference in price, quantity or exchange rate.
 */
export function postBill(chart: Chart, facts: BillFacts): JournalEntry {
  const purchases = buildPurchaseLines(chart, facts);
  const received = buildReceivedLines(chart, facts);
  // The net amount stays on purchases, for the VAT report, and the same amount is taken from there.
  const offset = purchases.flatMap((line) =>
    facts.received !== null && line.tax?.part === 'net'
      ? [{ ...line, base: line.base.neg(), amount: line.amount.neg(), tax: null }]
      : [],
  );
  const billed = sumOf(purchases);
  const payable = onParty(chart.accounts.payables, billed.base.neg(), billed.amount.neg(), {
    side: 'payable',
    ...facts.party,
  });
  return {
    ...buildHead('bill', 'payable', facts),
    lines: dropEmptyLines([...purchases, ...offset, ...received, payable]),
  };
}

/**
 * The reverse of a bill, for the credited amounts.
 * @param cost value of the returned goods in base currency, which waits on the clearing account; null: none
 * @param exchangeDifference the part of that of the bill which is taken back with them
 */
export function postVendorCreditNote(
  chart: Chart,
  facts: DocumentFacts,
  cost: Decimal | null = null,
  exchangeDifference = ZERO,
): JournalEntry {
  const received = cost === null ? null : { base: cost, amount: convertShare(facts, cost, facts.decimals) };
  const { lines } = postBill(chart, { ...facts, received, exchangeDifference });
  return { ...buildHead('vendor_credit_note', 'payable', facts), lines: negate(lines) };
}

/** A payment or refund; amounts are positive. */
export interface PaymentFacts {
  side: LedgerSide;
  type: 'payment' | 'refund';
  id: number;
  date: string;
  method: PaymentMethod;
  reference: string | null;
  currencyCode: string;
  party: { id: number; name: string };
  amount: Decimal;
  amountBase: Decimal;
  /** Realised exchange gain of a refund, in base currency; a loss is negative. */
  realised: Decimal;
}

const PARTY_ACCOUNTS = { receivable: 'receivables', payable: 'payables' } as const satisfies Record<
  LedgerSide,
  AccountPurpose
>;

/** The line of a realised exchange difference; a gain is positive. */
const buildExchangeLine = ({ accounts }: Chart, realised: Decimal, amount: Decimal): JournalLine =>
  buildLine(realised.isNegative() ? accounts.exchange_losses : accounts.exchange_gains, realised.neg(), amount);

/** Moves money between bank or cash and the account of the party. */
export function postPayment(chart: Chart, facts: PaymentFacts): JournalEntry {
  const { side, type, id, amount, amountBase, realised } = facts;
  const money = facts.method === 'cash' ? chart.accounts.cash : chart.accounts.bank;
  const isIncoming = (side === 'receivable') === (type === 'payment');
  const sign = new Decimal(isIncoming ? 1 : -1);
  const [paid, paidBase] = [amount.times(sign), amountBase.times(sign)];
  const number = `PAY-${id}`;
  return {
    ...buildHead(type, findItemDocumentType(side, 'payment'), { ...facts, number }),
    id: `${type}:${side}:${id}`,
    description: [facts.party.name, ...(facts.reference === null ? [] : [facts.reference])].join(', '),
    lines: dropEmptyLines([
      buildLine(money, paidBase, paid),
      onParty(chart.accounts[PARTY_ACCOUNTS[side]], paidBase.neg().plus(realised), paid.neg(), {
        side,
        ...facts.party,
      }),
      buildExchangeLine(chart, realised, ZERO),
    ]),
  };
}

/** The application of a credit to a document, as far as it changes accounts; amounts in base currency. */
export interface AllocationFacts {
  side: LedgerSide;
  id: number;
  date: string;
  baseCurrencyCode: string;
  party: { id: number; name: string };
  debit: { kind: 'invoice' | 'receipt' | 'bill'; id: number; number: string };
  /** What the credit lost, and what the document lost. */
  consumed: Decimal;
  relieved: Decimal;
  /** Of a deposit invoice: net amounts and taxes in base currency that become due. */
  depositTaxes?: readonly TaxRow[] | undefined;
}

/**
 * Posts the realised exchange difference of an allocation, in base currency. Credits and documents are on one account,
 * except receipts that are paid before their bill. The tax of a deposit becomes due.
 */
export function postAllocation(chart: Chart, facts: AllocationFacts): JournalEntry {
  const { side, id, consumed, relieved, debit } = facts;
  const { accounts } = chart;
  const party: LineParty = { side, ...facts.party };
  const credited = accounts[PARTY_ACCOUNTS[side]];
  const settled = debit.kind === 'receipt' ? accounts.unbilled_payables : credited;
  const sign = side === 'receivable' ? 1 : -1;
  const [out, back] = [consumed.times(sign), relieved.times(-sign)];
  const difference = out.plus(back);
  const partyLines =
    settled.number === credited.number
      ? [onParty(credited, difference, difference, party)]
      : [onParty(credited, out, out, party), onParty(settled, back, back, party)];
  return {
    ...buildHead('allocation', findItemDocumentType(side, debit.kind), {
      ...facts,
      ...debit,
      currencyCode: facts.baseCurrencyCode,
    }),
    order: id,
    id: `allocation:${side}:${id}`,
    lines: dropEmptyLines([
      ...partyLines,
      buildExchangeLine(chart, difference, difference.neg()),
      ...buildDueDepositTaxLines(chart, facts.depositTaxes ?? [], (amount) => amount),
    ]),
  };
}

/** The movements of one document in the stock ledger. */
export interface StockFacts {
  kind: 'opening' | 'invoice' | 'void' | 'restock' | 'adjustment' | 'transfer' | 'receipt' | 'vendor_return';
  /** Unique key of the group, such as `invoice:7`. */
  key: string;
  date: string;
  order: number;
  document: JournalDocument;
  /** Signed value in base currency. */
  value: Decimal;
  baseCurrencyCode: string;
}

const STOCK_CONTRA_ACCOUNTS: Readonly<Record<StockFacts['kind'], AccountPurpose>> = {
  opening: 'opening_balance',
  invoice: 'cost_of_goods',
  void: 'cost_of_goods',
  restock: 'cost_of_goods',
  adjustment: 'inventory_differences',
  transfer: 'inventory_differences',
  receipt: 'goods_received',
  vendor_return: 'goods_received',
};

const STOCK_DESCRIPTIONS: Readonly<Record<StockFacts['kind'], string>> = {
  opening: 'Opening stock',
  invoice: 'Cost of goods sold',
  void: 'Return of a voided invoice',
  restock: 'Return of credited goods',
  adjustment: 'Stock adjustment',
  transfer: 'Stock transfer',
  receipt: 'Goods received',
  vendor_return: 'Goods returned to a vendor',
};

/** Debits or credits inventory by the value of the movements. */
export const postStock = ({ accounts }: Chart, facts: StockFacts): JournalEntry => ({
  id: `stock:${facts.key}`,
  kind: 'stock',
  date: facts.date,
  order: facts.order,
  document: facts.document,
  description: STOCK_DESCRIPTIONS[facts.kind],
  currencyCode: facts.baseCurrencyCode,
  lines: [
    buildLine(accounts.inventory, facts.value, facts.value),
    buildLine(accounts[STOCK_CONTRA_ACCOUNTS[facts.kind]], facts.value.neg(), facts.value.neg()),
  ],
});

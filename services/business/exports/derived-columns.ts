import { ZERO } from '../../../domain/business/decimal';
import type { Cell } from '../../../domain/business/exports/exports';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import type { PaymentRecord } from '../../../models/business/payments/payment';
import { readCategoryNames } from '../catalogue/product-categories';
import { addRefundedCredits } from '../payments/item-references';
import { readStock } from '../stock/stock-movements';
import { readStockNames, valueProducts } from '../stock/stock-valuation';

/** Context of derived columns. */
export interface RowContext {
  organisationId: string;
  baseCurrencyCode: string;
  /** Date of the company when the export was requested, `YYYY-MM-DD`. */
  today: string;
}

/**
 * Adds values that are not stored in the record to rows that have just been read.
 * @param at returns the index of a column
 */
export type ColumnDeriver = (context: RowContext, rows: Cell[][], at: (column: string) => number) => Promise<void>;

const collectNumbers = (rows: readonly Cell[][], column: number): number[] => [
  ...new Set(rows.flatMap((row) => (typeof row[column] === 'number' ? row[column] : []))),
];

const toKey = (cell: Cell | undefined): number => (typeof cell === 'number' ? cell : 0);

/**
 * Reading a range of the index is faster than reading single keys, up to this ratio of keys in the range to requested
 * keys.
 */
const MAX_RANGE_READ_RATIO = 4;

/** Rows are sorted by id: if an export includes most records, a range of ids contains few others. */
function buildIdFilter(ids: readonly number[]): object {
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  return last - first < ids.length * MAX_RANGE_READ_RATIO ? { $gte: first, $lte: last } : { $in: ids };
}

/** The open amounts of invoices, and whether they are overdue. */
export const addInvoiceBalances: ColumnDeriver = async ({ organisationId, today }, rows, at) => {
  const [id, open, dueDate, overdue] = [at('id'), at('open'), at('dueDate'), at('overdue')];
  const ids = buildIdFilter(rows.map((row) => toKey(row[id])));
  // Two arrays, because reading a separate document per invoice would cost as much as reading the rows.
  const [items] = await OpenItem.collection
    .aggregate<{ ids: number[]; open: string[] }>(
      [
        { $match: { organisationId, side: 'receivable', kind: 'invoice', state: 'open', id: ids } },
        { $group: { _id: null, ids: { $push: '$id' }, open: { $push: { $toString: '$open' } } } },
      ],
      { hint: { organisationId: 1, side: 1, kind: 1, state: 1, id: 1, open: 1 } },
    )
    .toArray();
  const byId = new Map(items?.ids.map((each, index) => [each, items.open[index]]));
  for (const row of rows) {
    const left = byId.get(toKey(row[id])) ?? '0';
    row[open] = left;
    row[overdue] = Number(left) > 0 && String(row[dueDate]) < today;
  }
};

/** Whether the open amount is overdue. */
export const addOverdue: ColumnDeriver = ({ today }, rows, at) => {
  const [state, dueDate, overdue] = [at('state'), at('dueDate'), at('overdue')];
  for (const row of rows) row[overdue] = row[state] === 'open' && String(row[dueDate]) < today;
  return Promise.resolve();
};

/** A deriver of the payment or credit note of which each refund of one side pays out credit. */
export const buildRefundDeriver =
  (side: LedgerSide): ColumnDeriver =>
  async ({ organisationId }, rows, at) => {
    const refunds = rows.filter((row) => row[at('type')] === 'refund');
    if (refunds.length === 0) return;
    const id = { $in: collectNumbers(refunds, at('id')) };
    const payments = await Payment.find({ organisationId, side, id }).lean<PaymentRecord[]>();
    const named = await addRefundedCredits(organisationId, payments);
    const byId = new Map(named.map(({ payment, refundOf }) => [payment.id, refundOf]));
    for (const row of refunds) {
      const credit = byId.get(toKey(row[at('id')]));
      if (credit?.kind === 'payment') row[at('refundOfPaymentId')] = credit.id;
      if (credit?.kind !== 'credit_note') continue;
      row[at('refundOfCreditNoteId')] = credit.id;
      row[at('refundOfCreditNoteNumber')] = credit.number;
    }
  };

/** A deriver of the document and the party of each ledger entry of one side; `documentId` is the key of its open item. */
export const buildEntryDeriver =
  (side: LedgerSide): ColumnDeriver =>
  async ({ organisationId }, rows, at) => {
    const key = at('documentId');
    const keys = new Set(rows.flatMap((row) => (typeof row[key] === 'string' ? [row[key]] : [])));
    const items = await OpenItem.find(
      { organisationId, side, _id: { $in: [...keys] } },
      { kind: 1, id: 1, number: 1, partyName: 1 },
    ).lean<Pick<OpenItemRecord, '_id' | 'kind' | 'id' | 'number' | 'partyName'>[]>();
    const byKey = new Map(items.map((item) => [item._id.toHexString(), item]));
    for (const row of rows) {
      const item = byKey.get(String(row[key]));
      row[at('documentType')] = item?.kind ?? null;
      row[key] = item?.id ?? null;
      row[at('documentNumber')] = item?.number ?? null;
      row[at(side === 'receivable' ? 'customerName' : 'vendorName')] = item?.partyName ?? null;
    }
  };

/** Adds stock, average cost and category of products. */
export const addProductFigures: ColumnDeriver = async ({ organisationId }, rows, at) => {
  const [id, categoryId, categoryName] = [at('id'), at('categoryId'), at('categoryName')];
  const [stockById, names] = await Promise.all([
    readStock(organisationId, collectNumbers(rows, id)),
    readCategoryNames(organisationId, collectNumbers(rows, categoryId)),
  ]);
  for (const row of rows) {
    const stock = stockById.get(toKey(row[id]));
    row[categoryName] = names.get(toKey(row[categoryId])) ?? null;
    row[at('stock')] = (stock?.quantity ?? ZERO).toFixed();
    row[at('averageCost')] =
      stock === undefined || stock.quantity.isZero() ? null : computeAverageCost(stock).toFixed();
  }
};

/** Adds the names of products and warehouses. */
export const addStockNames: ColumnDeriver = async ({ organisationId }, rows, at) => {
  const names = await readStockNames(organisationId, collectNumbers(rows, at('productId')));
  for (const row of rows) {
    const product = names.products.get(toKey(row[at('productId')]));
    const warehouse = names.warehouses.get(toKey(row[at('warehouseId')]));
    row[at('productCode')] = product?.code ?? null;
    row[at('productName')] = product?.name ?? null;
    row[at('warehouseCode')] = warehouse?.code ?? null;
    row[at('warehouseName')] = warehouse?.name ?? null;
  }
};

/** Adds names, the average cost of the products and the value in the warehouse. */
export const addStockValues: ColumnDeriver = async (context, rows, at) => {
  await addStockNames(context, rows, at);
  const valuation = await valueProducts(context, collectNumbers(rows, at('productId')));
  for (const row of rows) {
    const productId = toKey(row[at('productId')]);
    row[at('averageCost')] = valuation.getUnitCost(productId)?.toFixed() ?? null;
    row[at('value')] = valuation.getValue(productId, toKey(row[at('warehouseId')])).toFixed();
  }
};

import { ZERO } from '../../../domain/business/decimal';
import type { Cell } from '../../../domain/business/exports/exports';
import { averageCost } from '../../../domain/business/stock/stock-valuation';
import { OpenItem } from '../../../models/business/payments/open-item';
import { Product } from '../../../models/business/catalogue/product';
import { Warehouse } from '../../../models/business/stock/warehouse';
import { categoryNames } from '../catalogue/product-categories';
import { stockOf } from '../stock/stock-movements';

/** What rows are derived for. */
export interface RowContext {
  organisationId: string;
  /** `YYYY-MM-DD`, the company's day when the export was asked for. */
  today: string;
}

/** Puts what a record does not hold itself into rows that were just read; `at` gives the place of a column. */
export type Derive = (context: RowContext, rows: Cell[][], at: (column: string) => number) => Promise<void>;

const numbers = (rows: readonly Cell[][], place: number): number[] => [
  ...new Set(rows.flatMap((row) => (typeof row[place] === 'number' ? row[place] : []))),
];

const key = (cell: Cell | undefined): number => (typeof cell === 'number' ? cell : 0);

/** A range of the index is read faster than its members one by one, until it holds this many times as many. */
const MOST_READ_FOR_ONE = 4;

/** Rows come by number: where an export takes all, a range holds them and little else. */
function amongIds(ids: readonly number[]): object {
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  return last - first < ids.length * MOST_READ_FOR_ONE ? { $gte: first, $lte: last } : { $in: ids };
}

/** What is open of invoices, and whether it is overdue. */
export const addInvoiceBalances: Derive = async ({ organisationId, today }, rows, at) => {
  const [id, open, dueDate, overdue] = [at('id'), at('open'), at('dueDate'), at('overdue')];
  const ids = amongIds(rows.map((row) => key(row[id])));
  // In two lists: documents of their own would cost the reader as much as the rows themselves.
  const [items] = await OpenItem.collection
    .aggregate<{ ids: number[]; open: string[] }>(
      [
        { $match: { organisationId, side: 'receivable', kind: 'invoice', state: 'open', id: ids } },
        { $group: { _id: null, ids: { $push: '$id' }, open: { $push: { $toString: '$open' } } } },
      ],
      { hint: { organisationId: 1, side: 1, kind: 1, state: 1, id: 1, open: 1 } },
    )
    .toArray();
  const byId = new Map(items?.ids.map((each, place) => [each, items.open[place]]));
  for (const row of rows) {
    const left = byId.get(key(row[id])) ?? '0';
    row[open] = left;
    row[overdue] = Number(left) > 0 && String(row[dueDate]) < today;
  }
};

/** Whether what is open is overdue. */
export const addOverdue: Derive = ({ today }, rows, at) => {
  const [state, dueDate, overdue] = [at('state'), at('dueDate'), at('overdue')];
  for (const row of rows) row[overdue] = row[state] === 'open' && String(row[dueDate]) < today;
  return Promise.resolve();
};

/** Stock, average cost and category of products. */
export const addProductFigures: Derive = async ({ organisationId }, rows, at) => {
  const [id, categoryId, categoryName] = [at('id'), at('categoryId'), at('categoryName')];
  const [held, names] = await Promise.all([
    stockOf(organisationId, numbers(rows, id)),
    categoryNames(organisationId, numbers(rows, categoryId)),
  ]);
  for (const row of rows) {
    const stock = held.get(key(row[id]));
    row[categoryName] = names.get(key(row[categoryId])) ?? null;
    row[at('stock')] = (stock?.quantity ?? ZERO).toFixed();
    row[at('averageCost')] = stock === undefined || stock.quantity.isZero() ? null : averageCost(stock).toFixed();
  }
};

type Named = { id: number; code: string; name: string };

/** Names of products and warehouses, and where there is such a column, the average cost. */
export const addStockNames: Derive = async ({ organisationId }, rows, at) => {
  const ids = numbers(rows, at('productId'));
  const names = { id: 1, code: 1, name: 1 };
  const [products, warehouses, held] = await Promise.all([
    Product.find({ organisationId, id: { $in: ids } }, names).lean<Named[]>(),
    Warehouse.find({ organisationId }, names).lean<Named[]>(),
    at('averageCost') < 0 ? null : stockOf(organisationId, ids),
  ]);
  const product = new Map(products.map((each) => [each.id, each]));
  const warehouse = new Map(warehouses.map((each) => [each.id, each]));
  for (const row of rows) {
    const productId = key(row[at('productId')]);
    const place = warehouse.get(key(row[at('warehouseId')]));
    row[at('productCode')] = product.get(productId)?.code ?? null;
    row[at('productName')] = product.get(productId)?.name ?? null;
    row[at('warehouseCode')] = place?.code ?? null;
    row[at('warehouseName')] = place?.name ?? null;
    if (held === null) continue;
    const stock = held.get(productId);
    row[at('averageCost')] = stock === undefined || stock.quantity.isZero() ? null : averageCost(stock).toFixed();
  }
};

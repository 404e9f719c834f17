import { ZERO } from '../../../domain/business/decimal';
import type { Cell } from '../../../domain/business/exports/exports';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import { OpenItem } from '../../../models/business/payments/open-item';
import { Product } from '../../../models/business/catalogue/product';
import { Warehouse } from '../../../models/business/stock/warehouse';
import { readCategoryNames } from '../catalogue/product-categories';
import { readStock } from '../stock/stock-movements';

/** What rows are derived for. */
export interface RowContext {
  organisationId: string;
  /** `YYYY-MM-DD`, the company's day when the export was asked for. */
  today: string;
}

/** Puts what a record does not hold itself into rows that were just read; `at` gives the place of a column. */
export type ColumnDeriver = (context: RowContext, rows: Cell[][], at: (column: string) => number) => Promise<void>;

const collectNumbers = (rows: readonly Cell[][], column: number): number[] => [
  ...new Set(rows.flatMap((row) => (typeof row[column] === 'number' ? row[column] : []))),
];

const toKey = (cell: Cell | undefined): number => (typeof cell === 'number' ? cell : 0);

/** A range of the index is read faster than its members one by one, until it holds this many times as many. */
const MAX_RANGE_READ_RATIO = 4;

/** Rows come by number: where an export takes all, a range holds them and little else. */
function buildIdFilter(ids: readonly number[]): object {
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  return last - first < ids.length * MAX_RANGE_READ_RATIO ? { $gte: first, $lte: last } : { $in: ids };
}

/** What is open of invoices, and whether it is overdue. */
export const addInvoiceBalances: ColumnDeriver = async ({ organisationId, today }, rows, at) => {
  const [id, open, dueDate, overdue] = [at('id'), at('open'), at('dueDate'), at('overdue')];
  const ids = buildIdFilter(rows.map((row) => toKey(row[id])));
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
  const byId = new Map(items?.ids.map((each, index) => [each, items.open[index]]));
  for (const row of rows) {
    const left = byId.get(toKey(row[id])) ?? '0';
    row[open] = left;
    row[overdue] = Number(left) > 0 && String(row[dueDate]) < today;
  }
};

/** Whether what is open is overdue. */
export const addOverdue: ColumnDeriver = ({ today }, rows, at) => {
  const [state, dueDate, overdue] = [at('state'), at('dueDate'), at('overdue')];
  for (const row of rows) row[overdue] = row[state] === 'open' && String(row[dueDate]) < today;
  return Promise.resolve();
};

/** Stock, average cost and category of products. */
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

type NamedRecord = { id: number; code: string; name: string };

/** Names of products and warehouses, and where there is such a column, the average cost. */
export const addStockNames: ColumnDeriver = async ({ organisationId }, rows, at) => {
  const ids = collectNumbers(rows, at('productId'));
  const names = { id: 1, code: 1, name: 1 };
  const [products, warehouses, stockById] = await Promise.all([
    Product.find({ organisationId, id: { $in: ids } }, names).lean<NamedRecord[]>(),
    Warehouse.find({ organisationId }, names).lean<NamedRecord[]>(),
    at('averageCost') < 0 ? null : readStock(organisationId, ids),
  ]);
  const productById = new Map(products.map((each) => [each.id, each]));
  const warehouseById = new Map(warehouses.map((each) => [each.id, each]));
  for (const row of rows) {
    const productId = toKey(row[at('productId')]);
    const rowWarehouse = warehouseById.get(toKey(row[at('warehouseId')]));
    row[at('productCode')] = productById.get(productId)?.code ?? null;
    row[at('productName')] = productById.get(productId)?.name ?? null;
    row[at('warehouseCode')] = rowWarehouse?.code ?? null;
    row[at('warehouseName')] = rowWarehouse?.name ?? null;
    if (stockById === null) continue;
    const stock = stockById.get(productId);
    row[at('averageCost')] =
      stock === undefined || stock.quantity.isZero() ? null : computeAverageCost(stock).toFixed();
  }
};

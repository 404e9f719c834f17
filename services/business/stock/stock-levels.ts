import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import { StockBalance, StockLedger } from '../../../models/business/stock/stock';
import type { StockBalanceRecord } from '../../../models/business/stock/stock';
import { readMatchingPage } from '../../platform/lists/pages';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildCreatedFilter, buildWordConditions } from '../records/lists';
import type { CreatedFilter, ListPage } from '../records/lists';
import { getAvailable } from './stock-balances';
import { readStockNames, valueProducts } from './stock-valuation';

/** The quantity on hand of one product in one warehouse. */
export interface StockLevel {
  productId: number;
  productCode: string;
  productName: string;
  warehouseId: number;
  warehouseCode: string;
  warehouseName: string;
  onHand: Decimal;
  /** Average cost per unit in base currency, across all warehouses; null if none is on hand. */
  averageCost: Decimal | null;
  /** Reserved by confirmed orders, and what is left; null for a past time. */
  reserved: Decimal | null;
  available: Decimal | null;
  /** Share of the quantity in the value of the product, in base currency. */
  value: Decimal;
}

export interface StockFilter extends CreatedFilter {
  productId?: readonly number[] | undefined;
  warehouseId?: readonly number[] | undefined;
  search?: string | undefined;
  /** Exclusive time of the stock levels; undefined: now. */
  asOf?: Date | undefined;
  /** Sort order of products and, within a product, of warehouses. */
  sortDir: 'asc' | 'desc';
  page: number;
  pageSize: number;
}

type Row = Pick<StockBalanceRecord, 'productId' | 'warehouseId' | 'onHand' | 'reserved'>;

/** The condition on products: id, search words and creation date. */
async function buildProductFilter({ organisationId }: BusinessCaller, filter: StockFilter): Promise<object> {
  const words = buildWordConditions(filter.search ?? '');
  const created = buildCreatedFilter(filter);
  const own = filter.productId === undefined ? {} : { productId: buildChoiceCondition(filter.productId) };
  if (words.length === 0 && Object.keys(created).length === 0) return own;
  const matching = words.length === 0 ? {} : { $and: words };
  const found = await Product.find({ organisationId, ...created, ...matching }, { id: 1 }).lean<{ id: number }[]>();
  const ids = found.map(({ id }) => id).filter((id) => filter.productId?.includes(id) ?? true);
  return { productId: { $in: ids } };
}

interface RowPage {
  rows: Row[];
  totalCount: number;
}

/** A page of the current balances, in the order of their index. */
function listCurrentBalances(filter: StockFilter, match: object): Promise<RowPage> {
  const { page, pageSize, sortDir: direction } = filter;
  return readMatchingPage(StockBalance, match, { page, pageSize, sort: ['productId', 'warehouseId'], direction });
}

/** A page of the totals of the ledger at a time. */
async function sumLedgerAsOf(filter: StockFilter, match: object, asOf: Date): Promise<RowPage> {
  const direction = filter.sortDir === 'asc' ? 1 : -1;
  const [page] = await StockLedger.aggregate<{ rows: Row[]; total: { count: number }[] }>([
    { $match: { ...match, postedAt: { $lt: asOf } } },
    { $group: { _id: { productId: '$productId', warehouseId: '$warehouseId' }, onHand: { $sum: '$quantity' } } },
    { $project: { _id: 0, productId: '$_id.productId', warehouseId: '$_id.warehouseId', onHand: 1 } },
    {
      $facet: {
        rows: [
          { $sort: { productId: direction, warehouseId: direction } },
          { $skip: (filter.page - 1) * filter.pageSize },
          { $limit: filter.pageSize },
        ],
        total: [{ $count: 'count' }],
      },
    },
  ]);
  return { rows: page?.rows ?? [], totalCount: page?.total[0]?.count ?? 0 };
}

/** One page of stock, sorted by product and warehouse, with the exact total. */
export async function listStock(caller: BusinessCaller, filter: StockFilter): Promise<ListPage<StockLevel>> {
  const { organisationId } = caller;
  const warehouse = filter.warehouseId === undefined ? {} : { warehouseId: buildChoiceCondition(filter.warehouseId) };
  const match = { organisationId, ...(await buildProductFilter(caller, filter)), ...warehouse };
  const { asOf } = filter;
  const { rows, totalCount } = await (asOf === undefined
    ? listCurrentBalances(filter, match)
    : sumLedgerAsOf(filter, match, asOf));
  const ids = [...new Set(rows.map(({ productId }) => productId))];
  const { baseCurrencyCode } = caller.company;
  const [names, valuation] = await Promise.all([
    readStockNames(organisationId, ids),
    valueProducts({ organisationId, baseCurrencyCode, asOf }, ids),
  ]);
  return {
    rows: rows.map(({ productId, warehouseId, onHand, reserved }) => ({
      productId,
      productCode: names.products.get(productId)?.code ?? '',
      productName: names.products.get(productId)?.name ?? '',
      warehouseId,
      warehouseCode: names.warehouses.get(warehouseId)?.code ?? '',
      warehouseName: names.warehouses.get(warehouseId)?.name ?? '',
      onHand: fromDecimal128(onHand),
      reserved: asOf !== undefined ? null : reserved === undefined ? ZERO : fromDecimal128(reserved),
      available: asOf === undefined ? getAvailable({ onHand, reserved }) : null,
      averageCost: valuation.getUnitCost(productId),
      value: valuation.getValue(productId, warehouseId),
    })),
    totalCount,
  };
}

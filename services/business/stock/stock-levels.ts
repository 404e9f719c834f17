import { getLookupToken, parseQueryWords } from '../../../domain/business/search-tokens';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockBalance, StockLedger } from '../../../models/business/stock/stock';
import type { StockBalanceRecord, StockLedgerRecord } from '../../../models/business/stock/stock';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import { readSnapshotPage } from '../../platform/lists/pages';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildCreatedFilter } from '../records/lists';
import type { CreatedFilter, ListPage } from '../records/lists';
import { readStock } from './stock-movements';

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

type Row = Pick<StockBalanceRecord, 'productId' | 'warehouseId' | 'onHand'>;

/** The condition on products: id, search words and creation date. */
async function buildProductFilter({ organisationId }: BusinessCaller, filter: StockFilter): Promise<object> {
  const words = parseQueryWords(filter.search ?? '');
  const created = buildCreatedFilter(filter);
  const own = filter.productId === undefined ? {} : { productId: buildChoiceCondition(filter.productId) };
  if (words.length === 0 && Object.keys(created).length === 0) return own;
  const tokens = words.length === 0 ? {} : { tokens: { $all: words.map((word) => getLookupToken(word).token) } };
  const found = await Product.find({ organisationId, ...tokens, ...created }, { id: 1 }).lean<{ id: number }[]>();
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
  return readSnapshotPage<Row>(
    { page, pageSize, sort: ['productId', 'warehouseId'], direction },
    {
      count: (mongoSession) => StockBalance.countDocuments(match).session(mongoSession).exec(),
      rows: ({ sort, skip, limit }, mongoSession) =>
        StockBalance.find(match).sort(sort).skip(skip).limit(limit).session(mongoSession).lean<Row[]>().exec(),
    },
  );
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

/** Average costs at a time, from the last row of each product before it, or current ones. */
async function computeAverageCosts(
  caller: BusinessCaller,
  ids: number[],
  asOf: Date | undefined,
): Promise<Map<number, Decimal | null>> {
  const { organisationId } = caller;
  if (asOf === undefined) {
    const stock = await readStock(organisationId, ids);
    return new Map([...stock].map(([id, value]) => [id, value.quantity.isZero() ? null : computeAverageCost(value)]));
  }
  const last = await StockLedger.aggregate<Pick<StockLedgerRecord, 'productId' | 'quantityAfter' | 'valueAfter'>>([
    { $match: { organisationId, productId: { $in: ids }, postedAt: { $lt: asOf } } },
    { $sort: { productId: 1, sequence: -1 } },
    {
      $group: {
        _id: '$productId',
        productId: { $first: '$productId' },
        quantityAfter: { $first: '$quantityAfter' },
        valueAfter: { $first: '$valueAfter' },
      },
    },
  ]);
  return new Map(
    last.map(({ productId, quantityAfter, valueAfter }) => {
      const value = { quantity: fromDecimal128(quantityAfter), value: fromDecimal128(valueAfter) };
      return [productId, value.quantity.isZero() ? null : computeAverageCost(value)];
    }),
  );
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
  const [products, warehouses, costs] = await Promise.all([
    Product.find({ organisationId, id: { $in: ids } }, { id: 1, code: 1, name: 1 }).lean<ProductRecord[]>(),
    Warehouse.find({ organisationId }, { id: 1, code: 1, name: 1 }).lean<WarehouseRecord[]>(),
    computeAverageCosts(caller, ids, filter.asOf),
  ]);
  const productById = new Map(products.map((product) => [product.id, product]));
  const warehouseById = new Map(warehouses.map((warehouse) => [warehouse.id, warehouse]));
  return {
    rows: rows.map(({ productId, warehouseId, onHand }) => ({
      productId,
      productCode: productById.get(productId)?.code ?? '',
      productName: productById.get(productId)?.name ?? '',
      warehouseId,
      warehouseCode: warehouseById.get(warehouseId)?.code ?? '',
      warehouseName: warehouseById.get(warehouseId)?.name ?? '',
      onHand: fromDecimal128(onHand),
      averageCost: costs.get(productId) ?? null,
    })),
    totalCount,
  };
}

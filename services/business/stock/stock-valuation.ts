import mongoose from 'mongoose';
import type { ClientSession, PipelineStage, Types } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import { readOptions, withMongoSnapshot } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import { StockBalance, StockLedger, StockValue } from '../../../models/business/stock/stock';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { BusinessCaller } from '../access/caller';

/**
 * Stock is valued per product, across all warehouses. The value of a warehouse is its share of the quantity, rounded
 * cumulatively in the order of the warehouses, so that the shares of a product add up to its value exactly.
 */

/** Which stock is valued, and when. */
export interface ValuationScope {
  organisationId: string;
  baseCurrencyCode: string;
  /** Condition on the id of the product; undefined: all products. */
  productId?: { $in: readonly number[] } | { $gt: number } | undefined;
  /** Exclusive time; undefined: now. */
  asOf?: Date | undefined;
}

/** The stock of one product in one warehouse, as MongoDB computes it. */
export interface ValuedRow {
  productId: number;
  warehouseId: number;
  quantity: Types.Decimal128;
  value: Types.Decimal128;
  /** Of the product in all warehouses. */
  productQuantity: Types.Decimal128;
  productValue: Types.Decimal128;
}

const NOTHING = { $toDecimal: 0 };
const PAIR = { productId: '$productId', warehouseId: '$warehouseId' };

const buildMatch = ({ organisationId, productId }: ValuationScope) => ({
  organisationId,
  ...(productId === undefined ? {} : { productId }),
});

/** Sums of movements by product and warehouse. */
const sumMovements = (scope: ValuationScope, postedAt: object): PipelineStage[] => [
  { $match: { ...buildMatch(scope), postedAt } },
  { $group: { _id: PAIR, quantity: { $sum: '$quantity' }, value: { $sum: '$value' } } },
];

/** The current quantities of warehouses and values of products; the latter have no warehouse. */
const readCurrent = (scope: ValuationScope): PipelineStage[] => [
  { $match: buildMatch(scope) },
  { $project: { _id: PAIR, quantity: '$onHand', value: NOTHING } },
  {
    $unionWith: {
      coll: StockValue.collection.name,
      pipeline: [
        { $match: buildMatch(scope) },
        { $project: { _id: { productId: '$productId', warehouseId: null }, quantity: NOTHING, value: '$value' } },
      ],
    },
  },
];

/** Takes later movements from the current stock. */
const subtractLater = (scope: ValuationScope, asOf: Date): PipelineStage[] => [
  {
    $unionWith: {
      coll: StockLedger.collection.name,
      pipeline: [
        { $match: { ...buildMatch(scope), postedAt: { $gte: asOf } } },
        { $group: { _id: PAIR, quantity: { $sum: '$quantity' }, value: { $sum: '$value' } } },
        {
          $project: {
            quantity: { $multiply: ['$quantity', -1] },
            value: { $multiply: ['$value', -1] },
          },
        },
      ],
    },
  },
  { $group: { _id: '$_id', quantity: { $sum: '$quantity' }, value: { $sum: '$value' } } },
];

/** The value of a quantity at the average cost of its product. */
const valueShare = (quantity: unknown, decimals: number) => ({
  // Halves round up, as in the rest of the service; $round would round them to even digits.
  $trunc: [
    {
      $add: [
        { $divide: [{ $multiply: ['$productValue', quantity] }, '$productQuantity'] },
        { $toDecimal: `0.${'0'.repeat(decimals)}5` },
      ],
    },
    decimals,
  ],
});

/** Divides the value of each product as `divideStockValue`; rows without goods are left out. */
function divideByWarehouse({ baseCurrencyCode }: ValuationScope): PipelineStage[] {
  const decimals = getCurrencyDecimals(baseCurrencyCode);
  return [
    {
      $project: {
        _id: 0,
        productId: '$_id.productId',
        warehouseId: '$_id.warehouseId',
        quantity: '$quantity',
        value: '$value',
      },
    },
    {
      $setWindowFields: {
        partitionBy: '$productId',
        sortBy: { warehouseId: 1 },
        output: {
          cumulative: { $sum: '$quantity', window: { documents: ['unbounded', 'current'] } },
          productQuantity: { $sum: '$quantity' },
          productValue: { $sum: '$value' },
        },
      },
    },
    { $match: { warehouseId: { $ne: null }, quantity: { $ne: 0 } } },
    {
      $set: {
        value: {
          $subtract: [
            valueShare('$cumulative', decimals),
            valueShare({ $subtract: ['$cumulative', '$quantity'] }, decimals),
          ],
        },
      },
    },
    { $unset: 'cumulative' },
  ];
}

/**
 * Whether fewer movements are before the time than after it: the stock is then their sum, else the current stock less
 * the later ones. At most half of the ledger is read.
 */
async function hasFewerBefore(scope: ValuationScope, asOf: Date, mongoSession: ClientSession | null): Promise<boolean> {
  // The index on the product leads to few movements either way.
  if (scope.productId !== undefined && '$in' in scope.productId) return true;
  const count = (postedAt: object) =>
    StockLedger.countDocuments({ organisationId: scope.organisationId, postedAt }).setOptions(
      readOptions(mongoSession),
    );
  const before = await count({ $lt: asOf });
  return before <= (await count({ $gte: asOf }));
}

/**
 * The stages that value stock, and the collection that they begin with. They read indexed ranges and sum in MongoDB,
 * so that the number of movements does not matter to the process.
 */
export async function buildValuation(scope: ValuationScope, mongoSession: ClientSession | null) {
  const { asOf } = scope;
  if (asOf === undefined) return { model: StockBalance, stages: [...readCurrent(scope), ...divideByWarehouse(scope)] };
  if (await hasFewerBefore(scope, asOf, mongoSession))
    return { model: StockLedger, stages: [...sumMovements(scope, { $lt: asOf }), ...divideByWarehouse(scope)] };
  const stages = [...readCurrent(scope), ...subtractLater(scope, asOf), ...divideByWarehouse(scope)];
  return { model: StockBalance, stages };
}

/** Runs a valuation in the snapshot of a session. */
async function aggregateValuation<T>(
  scope: ValuationScope,
  stages: PipelineStage[],
  mongoSession: ClientSession,
): Promise<T[]> {
  const valuation = await buildValuation(scope, mongoSession);
  return valuation.model.collection
    .aggregate<T & object>([...valuation.stages, ...stages], { ...readOptions(mongoSession), allowDiskUse: true })
    .toArray();
}

/** Reads a valuation row by row, sorted by product and warehouse. */
export async function* streamValuation(scope: ValuationScope): AsyncGenerator<ValuedRow> {
  const mongoSession = await mongoose.startSession({ snapshot: true });
  try {
    const { model, stages } = await buildValuation(scope, mongoSession);
    const sorted = [...stages, { $sort: { productId: 1, warehouseId: 1 } }];
    yield* model.collection.aggregate<ValuedRow>(sorted, { ...readOptions(mongoSession), allowDiskUse: true });
  } finally {
    await mongoSession.endSession();
  }
}

const buildPairKey = (productId: number, warehouseId: number): string => `${productId}/${warehouseId}`;

/** Values of some products. */
export interface ProductValuation {
  /** Value of a product in a warehouse; 0 without goods. */
  getValue(productId: number, warehouseId: number): Decimal;
  /** Average cost per unit across all warehouses; null without goods. */
  getUnitCost(productId: number): Decimal | null;
}

const computeUnitCost = (row: ValuedRow): Decimal =>
  computeAverageCost({ quantity: fromDecimal128(row.productQuantity), value: fromDecimal128(row.productValue) });

/** Values some products, by warehouse. */
export async function valueProducts(
  scope: Omit<ValuationScope, 'productId'>,
  productIds: readonly number[],
): Promise<ProductValuation> {
  const found =
    productIds.length === 0
      ? []
      : await withMongoSnapshot((mongoSession) =>
          aggregateValuation<ValuedRow>({ ...scope, productId: { $in: productIds } }, [], mongoSession),
        );
  const values = new Map(found.map((row) => [buildPairKey(row.productId, row.warehouseId), fromDecimal128(row.value)]));
  const unitCosts = new Map(found.map((row) => [row.productId, computeUnitCost(row)]));
  return {
    getValue: (productId, warehouseId) => values.get(buildPairKey(productId, warehouseId)) ?? ZERO,
    getUnitCost: (productId) => unitCosts.get(productId) ?? null,
  };
}

/** The value of one product in one warehouse. */
export interface StockValuationRow {
  productId: number;
  productCode: string;
  productName: string;
  warehouseId: number;
  warehouseCode: string;
  warehouseName: string;
  quantity: Decimal;
  /** Average cost per unit in base currency, across all warehouses. */
  unitCost: Decimal;
  value: Decimal;
}

/** Value of a warehouse, as far as the filter selects it. */
interface WarehouseTotal {
  warehouseId: number;
  warehouseCode: string;
  warehouseName: string;
  value: Decimal;
}

export interface StockValuation {
  rows: StockValuationRow[];
  totalCount: number;
  /** Of all rows, not only of the page. */
  totals: { value: Decimal; warehouses: WarehouseTotal[] };
}

export interface ValuationFilter {
  productId?: readonly number[] | undefined;
  warehouseId?: readonly number[] | undefined;
  asOf?: Date | undefined;
  page: number;
  pageSize: number;
}

interface ValuationPage {
  rows: ValuedRow[];
  warehouses: { _id: number; count: number; value: Types.Decimal128 }[];
}

type Named = { id: number; code: string; name: string };

/** Names of products and warehouses by id. */
export async function readStockNames(organisationId: string, productIds: readonly number[]) {
  const fields = { id: 1, code: 1, name: 1 };
  const [products, warehouses] = await Promise.all([
    Product.find({ organisationId, id: { $in: [...productIds] } }, fields).lean<Named[]>(),
    Warehouse.find({ organisationId }, fields).lean<Named[]>(),
  ]);
  const index = (records: readonly Named[]) => new Map(records.map((each) => [each.id, each]));
  return { products: index(products), warehouses: index(warehouses) };
}

/** Values stock at a time: one page by product and warehouse, and the exact totals of all pages, of one snapshot. */
export async function readStockValuation(caller: BusinessCaller, filter: ValuationFilter): Promise<StockValuation> {
  const { organisationId, company } = caller;
  const { productId, warehouseId, asOf, page, pageSize } = filter;
  const scope: ValuationScope = {
    organisationId,
    baseCurrencyCode: company.baseCurrencyCode,
    productId: productId === undefined ? undefined : { $in: productId },
    asOf,
  };
  const stages: PipelineStage[] = [
    ...(warehouseId === undefined ? [] : [{ $match: { warehouseId: { $in: warehouseId } } }]),
    {
      $facet: {
        rows: [{ $sort: { productId: 1, warehouseId: 1 } }, { $skip: (page - 1) * pageSize }, { $limit: pageSize }],
        warehouses: [
          { $group: { _id: '$warehouseId', count: { $sum: 1 }, value: { $sum: '$value' } } },
          { $sort: { _id: 1 } },
        ],
      },
    },
  ];
  const [found] = await withMongoSnapshot((mongoSession) =>
    aggregateValuation<ValuationPage>(scope, stages, mongoSession),
  );
  const { rows, warehouses } = found ?? { rows: [], warehouses: [] };
  const ids = [...new Set(rows.map((row) => row.productId))];
  const names = await readStockNames(organisationId, ids);
  const totals = warehouses.map(({ _id, value }) => ({
    warehouseId: _id,
    warehouseCode: names.warehouses.get(_id)?.code ?? '',
    warehouseName: names.warehouses.get(_id)?.name ?? '',
    value: fromDecimal128(value),
  }));
  return {
    rows: rows.map((row) => ({
      productId: row.productId,
      productCode: names.products.get(row.productId)?.code ?? '',
      productName: names.products.get(row.productId)?.name ?? '',
      warehouseId: row.warehouseId,
      warehouseCode: names.warehouses.get(row.warehouseId)?.code ?? '',
      warehouseName: names.warehouses.get(row.warehouseId)?.name ?? '',
      quantity: fromDecimal128(row.quantity),
      unitCost: computeUnitCost(row),
      value: fromDecimal128(row.value),
    })),
    totalCount: warehouses.reduce((total, { count }) => total + count, 0),
    totals: { value: totals.reduce((total, { value }) => total.plus(value), ZERO), warehouses: totals },
  };
}

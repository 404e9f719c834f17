import { readPostedUntil } from '../../../domain/business/settings/business-days';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import type { Cell } from '../../../domain/business/exports/exports';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { StockValue } from '../../../models/business/stock/stock';
import type { ExportKey, ExportRecord } from '../../../models/business/exports/export';
import { readStockNames, streamValuation } from '../stock/stock-valuation';
import type { ValuationScope, ValuedRow } from '../stock/stock-valuation';
import { columnFrom, idFilter } from './source';
import type { Batch, DerivedSource } from './source';

/** Number of rows from which a batch ends with its last product. */
const BATCH_SIZE = 1000;

/** The stock of an export: as of its filter, else as of its request, so that all parts have the same time. */
function buildScope(record: ExportRecord, after: ExportKey | null): ValuationScope {
  const { organisationId, baseCurrencyCode, filters, createdAt } = record;
  const reading = filters.asOf === undefined ? null : readPostedUntil(filters.asOf, record);
  // Filters were checked when the export was requested.
  const asOf = reading !== null && 'value' in reading ? reading.value : createdAt;
  const own = filters.productId === undefined ? undefined : [filters.productId].flat();
  const rest = typeof after === 'number' ? { $gt: after } : undefined;
  const productId = own === undefined ? rest : { $in: own.filter((id) => typeof after !== 'number' || id > after) };
  return { organisationId, baseCurrencyCode, asOf, productId };
}

const isSelected =
  ({ filters }: ExportRecord) =>
  ({ warehouseId }: ValuedRow): boolean =>
    filters.warehouseId === undefined || [filters.warehouseId].flat().includes(warehouseId);

async function toRows(organisationId: string, valued: readonly ValuedRow[]): Promise<Cell[][]> {
  const names = await readStockNames(organisationId, [...new Set(valued.map(({ productId }) => productId))]);
  return valued.map((row): Cell[] => {
    const product = names.products.get(row.productId);
    const warehouse = names.warehouses.get(row.warehouseId);
    const stock = { quantity: fromDecimal128(row.productQuantity), value: fromDecimal128(row.productValue) };
    return [
      row.productId,
      row.warehouseId,
      product?.code ?? null,
      product?.name ?? null,
      warehouse?.code ?? null,
      warehouse?.name ?? null,
      fromDecimal128(row.quantity).toFixed(),
      computeAverageCost(stock).toFixed(),
      fromDecimal128(row.value).toFixed(),
    ];
  });
}

/** Batches of complete products. */
async function* readBatches(record: ExportRecord, after: ExportKey | null): AsyncGenerator<Batch<ValuedRow>> {
  let items: ValuedRow[] = [];
  let lastKey: number | null = null;
  for await (const row of streamValuation(buildScope(record, after))) {
    if (lastKey !== null && row.productId !== lastKey && items.length >= BATCH_SIZE) {
      yield { items, lastKey };
      items = [];
    }
    lastKey = row.productId;
    if (isSelected(record)(row)) items.push(row);
  }
  if (lastKey !== null) yield { items, lastKey };
}

/** The value of stock at a time, by product and warehouse. */
export const STOCK_VALUATION_SOURCE: DerivedSource = {
  permission: 'inventory:read',
  columns: [
    columnFrom('productId', 'integer', null),
    columnFrom('warehouseId', 'integer', null),
    columnFrom('productCode', 'text', null),
    columnFrom('productName', 'text', null),
    columnFrom('warehouseCode', 'text', null),
    columnFrom('warehouseName', 'text', null),
    columnFrom('quantity', 'decimal', null),
    columnFrom('unitCost', 'decimal', null),
    columnFrom('value', 'decimal', null),
  ],
  equal: {
    productId: idFilter('productId'),
    warehouseId: idFilter('warehouseId'),
    asOf: { field: 'asOf', accepts: null },
  },
  dated: { field: '', kind: 'instant' },
  search: false,
  async findLastKey({ organisationId }) {
    const last = await StockValue.findOne({ organisationId }, { productId: 1 })
      .sort({ productId: -1 })
      .lean<{ productId: number }>();
    return last?.productId ?? null;
  },
  async count(record) {
    let rows = 0;
    for await (const { items } of readBatches(record, null)) rows += items.length;
    return rows;
  },
  async *read(record, after) {
    for await (const { items, lastKey } of readBatches(record, after))
      yield { items: await toRows(record.organisationId, items), lastKey };
  },
};

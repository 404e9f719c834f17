import type { Decimal } from '../../../domain/business/decimal';
import { invalidRequestError, notFoundError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockDocument } from '../../../models/business/stock/stock-document';
import type { StockDocumentRecord } from '../../../models/business/stock/stock-document';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { BusinessCaller } from '../access/caller';
import { buildCreatedFilter, readPage } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import type { StockLine } from './stock-balances';

/** The products that a document names, by id. @throws AppError 400 naming every wrong warehouse or product */
export async function readReferencedGoods(
  caller: BusinessCaller,
  warehouses: Readonly<Record<string, number>>,
  lines: readonly { productId: number }[],
): Promise<Map<number, ProductRecord>> {
  const { organisationId } = caller;
  const [found, products] = await Promise.all([
    Warehouse.find({ organisationId, id: { $in: Object.values(warehouses) }, active: true }, { id: 1 }).lean<
      { id: number }[]
    >(),
    Product.find({ organisationId, id: { $in: lines.map(({ productId }) => productId) } }).lean<ProductRecord[]>(),
  ]);
  const problems: FieldProblem[] = Object.entries(warehouses)
    .filter(([, id]) => !found.some((warehouse) => warehouse.id === id))
    .map(([field]) => ({ field, problem: 'is not an active warehouse of the company' }));
  const byId = new Map(products.map((product) => [product.id, product]));
  lines.forEach(({ productId }, index) => {
    const field = `lines[${index}].productId`;
    const product = byId.get(productId);
    if (product === undefined) problems.push({ field, problem: 'is not a product of the company' });
    else if (product.type === 'service') problems.push({ field, problem: 'is a service; it has no stock' });
    else if (lines.findIndex((other) => other.productId === productId) !== index)
      problems.push({ field, problem: 'is named twice' });
  });
  if (problems.length > 0) throw invalidRequestError(problems);
  return byId;
}

/** A document line in the form in which stock is moved. */
export const buildStockLine = (
  product: ProductRecord,
  index: number,
  warehouseId: number,
  quantity: Decimal,
  field: string,
): StockLine => ({
  lineId: index + 1,
  field: `lines[${index}].${field}`,
  productId: product.id,
  productCode: product.code,
  productName: product.name,
  warehouseId,
  quantity,
});

/** @throws AppError 404, also for the id of another organisation */
export async function getStockDocument(
  caller: BusinessCaller,
  type: StockDocumentRecord['type'],
  id: number,
): Promise<StockDocumentRecord> {
  const { organisationId } = caller;
  const record = await StockDocument.findOne({ organisationId, type, id }).lean<StockDocumentRecord>();
  if (record === null) throw notFoundError(type);
  return record;
}

export const STOCK_DOCUMENT_SORT_FIELDS = ['id', 'createdAt'] as const;

/** One page of adjustments or transfers. */
export const listStockDocuments = (
  caller: BusinessCaller,
  type: StockDocumentRecord['type'],
  filter: CreatedFilter,
  query: ListQuery,
): Promise<ListPage<StockDocumentRecord>> =>
  readPage(StockDocument, { organisationId: caller.organisationId, type, ...buildCreatedFilter(filter) }, query);

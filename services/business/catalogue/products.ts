import { Types } from 'mongoose';
import type { Decimal } from '../../../domain/business/decimal';
import { ZERO } from '../../../domain/business/decimal';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { computeAverageCost } from '../../../domain/business/stock/stock-valuation';
import { forbiddenError, invalidRequestError, notFoundError } from '../../../domain/errors';
import type { FieldProblem } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import type { ProductRecord, ProductType } from '../../../models/business/catalogue/product';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import { reserveNumber } from '../../platform/transactions/counters';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction, runTransaction } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { buildActiveRecordFilter, buildChoiceCondition, buildCreatedFilter, readPage } from '../records/lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import {
  duplicateError,
  getRecord,
  insertRecord,
  omitUndefined,
  prepareAndCreateRecord,
  rejectDuplicates,
  dryRunUpdate,
  updateRecord,
} from '../records/records';
import type { RecordChange, RecordKind, RecordReference } from '../records/records';
import { receiveInitialStock } from '../stock/opening-stock';
import type { InitialStock } from '../stock/opening-stock';
import { postIdempotently } from '../documents/idempotent-postings';
import { readCategoryNames, findCategoryProblem } from './product-categories';
import { requireUnitChangeable } from './product-units';
import { readStock } from '../stock/stock-movements';
import type { HeldStock } from '../stock/stock-movements';
import { DERIVED_SORT_FIELDS, isDerivedSortField, readProductPage } from './product-order';

/** The fields that a client can set; undefined leaves a field as it is, or at its default. */
export interface ProductInput {
  code?: string | undefined;
  name?: string | undefined;
  description?: string | null | undefined;
  type?: ProductType | undefined;
  categoryId?: number | null | undefined;
  unit?: string | undefined;
  price?: Decimal | undefined;
  currencyCode?: string | undefined;
  taxRateId?: number | null | undefined;
  priceIncludesTax?: boolean | undefined;
  reorderLevel?: Decimal | null | undefined;
  barcode?: string | null | undefined;
  active?: boolean | undefined;
}

/** The fields that a client can change. */
type ProductUpdate = Omit<ProductInput, 'type'>;

/** A product with its derived figures. */
export interface ProductDetail {
  id: number;
  version: number;
  record: ProductRecord;
  categoryName: string | null;
  /** Quantity on hand in all warehouses; 0 for a service. */
  stock: Decimal;
  /** Average cost per unit in base currency, with six decimals; null if none is on hand. */
  averageCost: Decimal | null;
  /** Number of stock movements: the second part of the ETag. */
  derivedVersion: number;
}

/** The unit "one" of UN/ECE Recommendation 20. */
const UNIT_ONE = 'C62';

const KIND: RecordKind<ProductRecord> = {
  model: Product,
  name: 'product',
  counter: 'products',
  unique: 'code',
  where: (condition) => condition,
};

/** Quantity, average cost and number of movements of a product; undefined: it never moved. */
const toStockFigures = (held: HeldStock | undefined) => ({
  stock: held?.quantity ?? ZERO,
  averageCost: held === undefined || held.quantity.isZero() ? null : computeAverageCost(held),
  derivedVersion: held?.version ?? 0,
});

async function buildProductDetails(
  organisationId: string,
  records: readonly ProductRecord[],
): Promise<ProductDetail[]> {
  const ids = records.map((record) => record.id);
  const categories = [...new Set(records.flatMap(({ categoryId }) => categoryId ?? []))];
  const [stock, names] = await Promise.all([
    readStock(organisationId, ids),
    readCategoryNames(organisationId, categories),
  ]);
  return records.map((record) => ({
    id: record.id,
    version: record.version,
    record,
    categoryName: record.categoryId === null ? null : (names.get(record.categoryId) ?? null),
    ...toStockFigures(stock.get(record.id)),
  }));
}

async function buildProductDetail(record: ProductRecord): Promise<ProductDetail> {
  const [detail] = await buildProductDetails(record.organisationId, [record]);
  if (detail === undefined) throw notFoundError('product');
  return detail;
}

/**
 * Rejects references to missing or inactive records. One that the product has already may stay.
 * @param current null for a new product
 * @throws AppError 400
 */
async function checkReferences(
  caller: BusinessCaller,
  input: ProductInput,
  current: ProductRecord | null,
): Promise<void> {
  const { organisationId } = caller;
  const { categoryId, taxRateId } = input;
  const fields: FieldProblem[] = [];
  if (categoryId != null && categoryId !== current?.categoryId) {
    const problem = await findCategoryProblem(organisationId, categoryId);
    if (problem !== null) fields.push({ field: 'categoryId', problem });
  }
  if (taxRateId != null && !(await TaxRate.exists({ organisationId, id: taxRateId })))
    fields.push({ field: 'taxRateId', problem: 'is not a tax rate of the company' });
  if (fields.length > 0) throw invalidRequestError(fields);
}

/** The record with the fields of the input. */
function apply(record: ProductRecord, input: ProductInput, now: Date): ProductRecord {
  const { price, reorderLevel, ...fields } = input;
  const changed: ProductRecord = {
    ...record,
    ...omitUndefined(fields),
    ...(price === undefined ? {} : { price: toDecimal128(price) }),
    ...(reorderLevel === undefined ? {} : { reorderLevel: reorderLevel === null ? null : toDecimal128(reorderLevel) }),
    updatedAt: now,
  };
  return { ...changed, tokens: buildSearchTokens([changed.code, changed.name, changed.barcode]) };
}

const buildBlankProduct = (caller: BusinessCaller, id: number, name: string, now: Date): ProductRecord => ({
  _id: new Types.ObjectId(),
  organisationId: caller.organisationId,
  id,
  code: `P${id}`,
  name,
  description: null,
  type: 'goods',
  categoryId: null,
  unit: UNIT_ONE,
  price: toDecimal128(ZERO),
  currencyCode: caller.company.baseCurrencyCode,
  taxRateId: null,
  priceIncludesTax: false,
  reorderLevel: null,
  barcode: null,
  active: true,
  tokens: [],
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/** Opening stock changes the value of the stock, as an adjustment does. @throws AppError 400 for a service; 403 */
function requireInitialStockAllowed(
  caller: BusinessCaller,
  input: ProductInput,
  initialStock: InitialStock | undefined,
): void {
  if (initialStock === undefined) return;
  if (!caller.permissions.has('inventory:adjust')) throw forbiddenError('inventory:adjust');
  if (input.type === 'service')
    throw invalidRequestError([{ field: 'initialStock', problem: 'is for goods: services have no stock' }]);
}

/** The product that `createProduct` would create, with the same errors; writes nothing. */
export async function dryRunProduct(
  platform: Platform,
  caller: BusinessCaller,
  input: ProductInput & { name: string },
  initialStock: InitialStock | undefined,
): Promise<ProductDetail> {
  const { organisationId } = caller;
  requireInitialStockAllowed(caller, input, initialStock);
  await checkReferences(caller, input, null);
  if (input.code !== undefined && (await Product.exists({ organisationId, code: input.code })))
    throw duplicateError(KIND);
  const now = platform.clock.now();
  const record = apply(buildBlankProduct(caller, 0, input.name, now), input, now);
  const detail = await buildProductDetail(record);
  if (initialStock === undefined) return detail;
  const held = await dryRunTransaction(platform, async (unit) => {
    await receiveInitialStock(unit, caller, record, initialStock);
    return (await readStock(organisationId, [record.id], unit)).get(record.id);
  });
  return { ...detail, ...toStockFigures(held) };
}

/**
 * Creates a product. Only the name is required; the code defaults to `P` and the id. Opening stock is posted to the
 * stock ledger in the same transaction.
 * @throws AppError 400 for stock of a service or an unknown reference; 403 for opening stock without the permission
 * `inventory:adjust`; 409 `code_taken`, `period_locked` for opening stock
 */
export async function createProduct(
  platform: Platform,
  caller: BusinessCaller,
  input: ProductInput & { name: string },
  initialStock: InitialStock | undefined,
  use: IdempotentUse | undefined,
): Promise<ProductDetail> {
  requireInitialStockAllowed(caller, input, initialStock);
  const prepare = async () => {
    await checkReferences(caller, input, null);
    return (id: number, now: Date) => apply(buildBlankProduct(caller, id, input.name, now), input, now);
  };
  if (initialStock === undefined)
    return buildProductDetail(await prepareAndCreateRecord(platform, caller, KIND, use, prepare));
  return postIdempotently(
    { platform, caller, use },
    async (post) => {
      const build = await prepare();
      const id = await reserveNumber(caller.organisationId, KIND.counter);
      const record = build(id, platform.clock.now());
      await rejectDuplicates(KIND, () =>
        post(async (unit) => {
          await receiveInitialStock(unit, caller, record, initialStock);
          await insertRecord(unit, caller, KIND, record);
          return { id, status: 201, result: undefined };
        }),
      );
      return buildProductDetail(record);
    },
    (id) => getProduct(caller, id),
  );
}

/** @throws AppError 404, also for the id of another organisation */
export async function getProduct(caller: BusinessCaller, id: number): Promise<ProductDetail> {
  return buildProductDetail(await getRecord(caller, KIND, id));
}

const buildChange =
  (caller: BusinessCaller, input: ProductUpdate): RecordChange<ProductRecord> =>
  async (current, now, unit) => {
    await checkReferences(caller, input, current);
    await requireUnitChangeable(unit, current, input.unit);
    return apply(current, input, now);
  };

/**
 * Changes the fields that are sent. Documents issued before keep their contents.
 * @throws AppError 400, 404, 409 `code_taken` or `unit_in_use`, 412 if the record has changed since
 */
export async function updateProduct(
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: ProductUpdate,
  use?: IdempotentUse,
): Promise<ProductDetail> {
  const entry = { fields: Object.keys(omitUndefined(input)) };
  return buildProductDetail(await updateRecord(platform, caller, KIND, at, entry, buildChange(caller, input), use));
}

/** The product as `updateProduct` would change it, with the same errors; writes nothing. */
export const dryRunProductUpdate = async (
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  input: ProductUpdate,
): Promise<ProductDetail> =>
  buildProductDetail(await dryRunUpdate(platform, caller, KIND, id, buildChange(caller, input)));

/** Deactivates a product: it stays on documents and in stock, but cannot be used in new documents. Idempotent. */
export async function deactivateProduct(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
): Promise<ProductDetail> {
  const { organisationId } = caller;
  await runTransaction(platform, async (unit) => {
    const changed = await Product.updateOne(
      { organisationId, id, active: true },
      { $set: { active: false, updatedAt: platform.clock.now() }, $inc: { version: 1 } },
      { session: unit.mongoSession },
    );
    if (changed.matchedCount > 0) {
      await unit.audit(caller, { actor: caller.id, action: 'product.deactivated', subject: `product:${id}` });
      return;
    }
    if (!(await Product.exists({ organisationId, id }).session(unit.mongoSession))) throw notFoundError('product');
  });
  return getProduct(caller, id);
}

export const PRODUCT_SORT_FIELDS = ['id', 'code', 'name', 'price', ...DERIVED_SORT_FIELDS, 'createdAt'] as const;

export interface ProductFilter extends ActiveFilter, CreatedFilter {
  categoryId?: readonly number[] | undefined;
}

/** One page of products with their stock and the exact total. */
export async function listProducts(
  caller: BusinessCaller,
  filter: ProductFilter,
  query: ListQuery,
): Promise<ListPage<ProductDetail>> {
  const { organisationId } = caller;
  const category = filter.categoryId === undefined ? {} : { categoryId: buildChoiceCondition(filter.categoryId) };
  const base = { organisationId, ...category, ...buildActiveRecordFilter(filter), ...buildCreatedFilter(filter) };
  const { sortBy } = query;
  const page = isDerivedSortField(sortBy)
    ? await readProductPage(organisationId, base, { ...query, sortBy })
    : await readPage(Product, base, query);
  return { rows: await buildProductDetails(organisationId, page.rows), totalCount: page.totalCount };
}

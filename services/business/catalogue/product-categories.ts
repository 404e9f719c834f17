import { Types } from 'mongoose';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { ProductCategory } from '../../../models/business/catalogue/product';
import type { ProductCategoryRecord } from '../../../models/business/catalogue/product';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, listRecords, omitUndefined, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';

const KIND: RecordKind<ProductCategoryRecord> = {
  model: ProductCategory,
  name: 'category',
  counter: 'product-categories',
  unique: 'name',
  where: (key) => key,
};

export const CATEGORY_SORT_FIELDS = ['id', 'name', 'createdAt'] as const;

/** @throws AppError 409 `name_taken`. */
export const createCategory = (
  platform: Platform,
  caller: BusinessCaller,
  name: string,
  use: IdempotentUse | undefined,
): Promise<ProductCategoryRecord> =>
  createRecord(platform, caller, KIND, use, (id, now) => ({
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    id,
    name,
    active: true,
    tokens: buildSearchTokens([name]),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }));

/** @throws AppError 404, also for the id of another organisation */
export const getCategory = (caller: BusinessCaller, id: number): Promise<ProductCategoryRecord> =>
  getRecord(caller, KIND, id);

/**
 * Changes the fields that are sent. Products keep an inactive category, but no product can be added to it.
 * @throws AppError 404, 409 `name_taken`, 412
 */
export const updateCategory = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: { name?: string | undefined; active?: boolean | undefined },
): Promise<ProductCategoryRecord> =>
  updateRecord(platform, caller, KIND, at, { fields: Object.keys(omitUndefined(input)) }, (current, now) => {
    const changed = { ...current, ...omitUndefined(input), updatedAt: now };
    return { ...changed, tokens: buildSearchTokens([changed.name]) };
  });

/** One page of categories with the exact total. */
export const listCategories = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<ProductCategoryRecord>> => listRecords(caller, KIND, filter, query);

/** Names of categories by id, including inactive ones, which products keep. */
export async function readCategoryNames(organisationId: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const records = await ProductCategory.find({ organisationId, id: { $in: [...ids] } }).lean<ProductCategoryRecord[]>();
  return new Map(records.map((record) => [record.id, record.name]));
}

/** The problem with assigning a product to the category; null if there is none. */
export async function findCategoryProblem(organisationId: string, id: number): Promise<string | null> {
  const record = await ProductCategory.findOne({ organisationId, id }).lean<ProductCategoryRecord>();
  if (record === null) return 'is not a category of the company';
  return record.active ? null : 'is an inactive category';
}

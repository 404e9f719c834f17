import { searchTokens } from '../../domain/business/search-tokens';
import { conflict, notFound } from '../../domain/errors';
import { isDuplicateKey } from '../../lib/mongo';
import { ProductCategory } from '../../models/business/product';
import type { ProductCategoryRecord } from '../../models/business/product';
import { nextNumber } from '../platform/counters';
import { idempotently } from '../platform/idempotency';
import type { IdempotentUse } from '../platform/idempotency';
import type { Platform } from '../platform/platform';
import { transact } from '../platform/unit-of-work';
import type { BusinessCaller } from './caller';
import { activeFilter, createdBetween, readPage } from './lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from './lists';

export const CATEGORY_SORT_FIELDS = ['id', 'name', 'createdAt'] as const;

async function getCategory(caller: BusinessCaller, id: number): Promise<ProductCategoryRecord> {
  const { organisationId } = caller;
  const record = await ProductCategory.findOne({ organisationId, id }).lean<ProductCategoryRecord>();
  if (record === null) throw notFound('category');
  return record;
}

/** @throws AppError 409 `name_taken`. */
export async function createCategory(
  platform: Platform,
  caller: BusinessCaller,
  name: string,
  use: IdempotentUse | undefined,
): Promise<ProductCategoryRecord> {
  const { organisationId } = caller;
  return idempotently(
    platform,
    use,
    async (claim) => {
      const id = await nextNumber(organisationId, 'product-categories');
      const now = platform.clock.now();
      const tokens = searchTokens([name]);
      const record = { organisationId, id, name, active: true, tokens, version: 1, createdAt: now, updatedAt: now };
      try {
        await transact(platform, async (unit) => {
          await ProductCategory.create([record], { session: unit.session });
          await unit.audit(caller, { actor: caller.id, action: 'category.created', subject: `category:${id}` });
          await claim(unit, String(id), 201);
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw conflict('name_taken', 'name: another category has it already.', {
          fields: [{ field: 'name', problem: 'another category has it already' }],
        });
      }
      return getCategory(caller, id);
    },
    (recordId) => getCategory(caller, Number(recordId)),
  );
}

export const listCategories = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<ProductCategoryRecord>> =>
  readPage(
    ProductCategory,
    { organisationId: caller.organisationId, ...activeFilter(filter), ...createdBetween(filter) },
    query,
  );

/** Names of categories by id, inactive ones included: a product keeps showing what it is in. */
export async function categoryNames(organisationId: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const records = await ProductCategory.find({ organisationId, id: { $in: [...ids] } }).lean<ProductCategoryRecord[]>();
  return new Map(records.map((record) => [record.id, record.name]));
}

/** What is wrong with putting a product into the category; null: nothing. */
export async function categoryProblem(organisationId: string, id: number): Promise<string | null> {
  const record = await ProductCategory.findOne({ organisationId, id }).lean<ProductCategoryRecord>();
  if (record === null) return 'is not a category of the company';
  return record.active ? null : 'is an inactive category';
}

import type { PipelineStage, QueryFilter } from 'mongoose';
import { readOptions } from '../../../lib/mongo';
import { Product, ProductCategory } from '../../../models/business/catalogue/product';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockValue } from '../../../models/business/stock/stock';
import { readSnapshotPage } from '../../platform/lists/pages';
import { buildSearchFilter } from '../records/lists';
import type { ListPage, ListQuery } from '../records/lists';

/** Looks up the record of another collection that has the product's value in `foreignField`. */
const lookUp = (from: string, organisationId: string, localField: string, foreignField: string): PipelineStage => ({
  $lookup: { from, localField, foreignField, pipeline: [{ $match: { organisationId } }], as: 'joined' },
});

/** Stages that compute `sortKey`, by the field that is sorted by; the fields are not stored in products. */
const SORT_KEYS = {
  stock: (organisationId: string): PipelineStage[] => [
    lookUp(StockValue.collection.name, organisationId, 'id', 'productId'),
    { $set: { sortKey: { $ifNull: [{ $first: '$joined.quantity' }, 0] } } },
  ],
  categoryName: (organisationId: string): PipelineStage[] => [
    lookUp(ProductCategory.collection.name, organisationId, 'categoryId', 'id'),
    { $set: { sortKey: { $first: '$joined.name' } } },
  ],
};

/** Fields of other records that products are sorted by. */
export const DERIVED_SORT_FIELDS = ['stock', 'categoryName'] as const satisfies (keyof typeof SORT_KEYS)[];

type DerivedSortField = (typeof DERIVED_SORT_FIELDS)[number];

/** Whether products are sorted by a field of other records. */
export const isDerivedSortField = (field: string): field is DerivedSortField => Object.keys(SORT_KEYS).includes(field);

/**
 * A page of products sorted by a field of other records; ties are broken by id. Products without a category come before
 * those with one.
 */
export async function readProductPage(
  organisationId: string,
  base: QueryFilter<ProductRecord>,
  query: ListQuery & { sortBy: DerivedSortField },
): Promise<ListPage<ProductRecord>> {
  const filter = await buildSearchFilter(Product, base, query.search);
  const { page, pageSize, sortBy, sortDir } = query;
  return readSnapshotPage<ProductRecord>(
    { page, pageSize, sort: ['sortKey', 'id'], direction: sortDir },
    {
      count: (mongoSession) => Product.countDocuments(filter).setOptions(readOptions(mongoSession)).exec(),
      rows: ({ sort, skip, limit }, mongoSession) =>
        Product.aggregate<ProductRecord>([
          { $match: filter },
          ...SORT_KEYS[sortBy](organisationId),
          { $sort: sort },
          { $skip: skip },
          { $limit: limit },
          { $unset: ['joined', 'sortKey'] },
        ])
          .option(readOptions(mongoSession))
          .exec(),
    },
  );
}

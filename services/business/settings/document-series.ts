import { Types } from 'mongoose';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { DocumentSeries } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord, DocumentType } from '../../../models/business/settings/document-series';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildActiveRecordFilter, buildChoiceCondition, buildCreatedFilter, readPage } from '../records/lists';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';
import { requireNotDefault } from './company-defaults';

const KIND: RecordKind<DocumentSeriesRecord> = {
  model: DocumentSeries,
  name: 'document_series',
  counter: 'document-series',
  unique: 'prefix',
  where: (key) => key,
};

export const DOCUMENT_SERIES_SORT_FIELDS = ['id', 'prefix', 'createdAt'] as const;

/** Default number of digits to which the sequence is padded. */
const DEFAULT_PADDING = 6;

export interface DocumentSeriesInput {
  documentType: DocumentType;
  prefix: string;
  /** @default 6 */
  padding?: number | undefined;
}

/** Creates a series, whose numbers start at 1 each year. @throws AppError 409 `prefix_taken` */
export const createDocumentSeries = (
  platform: Platform,
  caller: BusinessCaller,
  input: DocumentSeriesInput,
  use: IdempotentUse | undefined,
): Promise<DocumentSeriesRecord> =>
  createRecord(platform, caller, KIND, use, (id, now) => ({
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    id,
    documentType: input.documentType,
    prefix: input.prefix,
    padding: input.padding ?? DEFAULT_PADDING,
    active: true,
    tokens: buildSearchTokens([input.prefix]),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }));

/** @throws AppError 404, also for the id of another organisation */
export const getDocumentSeries = (caller: BusinessCaller, id: number): Promise<DocumentSeriesRecord> =>
  getRecord(caller, KIND, id);

/**
 * Activates or deactivates a series. Prefix, padding and document type cannot change, because issued numbers contain
 * them.
 * @throws AppError 404, 409 `is_default`, 412
 */
export const setDocumentSeriesActive = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  active: boolean | undefined,
): Promise<DocumentSeriesRecord> =>
  updateRecord(platform, caller, KIND, at, { fields: ['active'] }, async (current, now, unit) => {
    if (active === undefined || active === current.active) return null;
    if (!active) await requireNotDefault(unit, caller, 'defaultSeriesId', at.id);
    return { ...current, active, updatedAt: now };
  });

export interface DocumentSeriesFilter extends ActiveFilter, CreatedFilter {
  documentType?: readonly DocumentType[] | undefined;
}

/** One page of document series with the exact total. */
export const listDocumentSeries = (
  caller: BusinessCaller,
  filter: DocumentSeriesFilter,
  query: ListQuery,
): Promise<ListPage<DocumentSeriesRecord>> =>
  readPage(
    DocumentSeries,
    {
      organisationId: caller.organisationId,
      ...(filter.documentType === undefined ? {} : { documentType: buildChoiceCondition(filter.documentType) }),
      ...buildActiveRecordFilter(filter),
      ...buildCreatedFilter(filter),
    },
    query,
  );

import { model, Schema } from 'mongoose';
import type { AmlDifferences, AmlListCounts } from './aml-list';

/** Statuses of completely imported versions. */
export const AML_VERSION_STATUSES = ['current', 'held', 'superseded', 'rejected'] as const;

/**
 * `importing`: its entries are being stored; the version is not visible yet. `discarded`: abandoned before it was in
 * use; the version is removed with everything stored for it.
 */
const UNPUBLISHED_STATUSES = ['importing', 'discarded'] as const;

export type AmlVersionStatus = (typeof AML_VERSION_STATUSES)[number];

/** One import of a list; its entries are in the object store. */
export interface AmlListVersionRecord {
  _id: string;
  listId: string;
  status: AmlVersionStatus | (typeof UNPUBLISHED_STATUSES)[number];
  format: string;
  /** SHA-256 of the entries, independent of the order and formatting of the file. */
  sha256: string;
  objectKey: string;
  /** Whether its entries were removed; its counts are kept. */
  pruned: boolean;
  counts: AmlListCounts;
  /** Differences from the version in use at the time of the import. */
  differences: AmlDifferences;
  importedAt: Date;
  /** Date that the publisher states in the file; null if the format has none. */
  publishedAt: Date | null;
  /** Effect on monitored subjects; null until it is known. */
  impact: { monitors: number; affected: number } | null;
}

const amlListVersionSchema = new Schema<AmlListVersionRecord>(
  {
    _id: { type: String, required: true },
    listId: { type: String, required: true },
    status: { type: String, enum: [...AML_VERSION_STATUSES, ...UNPUBLISHED_STATUSES], required: true },
    format: { type: String, required: true },
    sha256: { type: String, required: true },
    objectKey: { type: String, required: true },
    pruned: { type: Boolean, default: false },
    counts: { type: Schema.Types.Mixed, required: true },
    differences: { type: Schema.Types.Mixed, required: true },
    importedAt: { type: Date, required: true },
    publishedAt: { type: Date, default: null },
    impact: { type: Schema.Types.Mixed, default: null },
  },
  { collection: 'aml_list_versions', versionKey: false, strict: 'throw' },
);
amlListVersionSchema.index({ listId: 1, _id: -1 });
amlListVersionSchema.index({ objectKey: 1 });
// For the clean-up of unused versions.
amlListVersionSchema.index({ status: 1, importedAt: 1 });

export const AmlListVersion = model<AmlListVersionRecord>('AmlListVersion', amlListVersionSchema);

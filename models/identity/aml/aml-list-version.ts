import { model, Schema } from 'mongoose';
import type { AmlDifferences, AmlListCounts } from './aml-list';

/** What has become of a version that was imported whole. */
export const AML_VERSION_STATUSES = ['current', 'held', 'superseded', 'rejected'] as const;

/**
 * `importing`: its entries are being stored, and nobody sees it yet. `discarded`: given up before it was ever in use;
 * it goes with all that was stored of it.
 */
const UNPUBLISHED_STATUSES = ['importing', 'discarded'] as const;

export type AmlVersionStatus = (typeof AML_VERSION_STATUSES)[number];

/** One import of a list; its entries lie in the object store. */
export interface AmlListVersionRecord {
  _id: string;
  listId: string;
  status: AmlVersionStatus | (typeof UNPUBLISHED_STATUSES)[number];
  format: string;
  /** of the entries, whatever the order and spelling of the file */
  sha256: string;
  objectKey: string;
  /** its entries are no longer stored; its counts stay */
  pruned: boolean;
  counts: AmlListCounts;
  /** against the version in use when it was imported */
  differences: AmlDifferences;
  importedAt: Date;
  /** what it meant for monitored subjects, once that is known */
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
    impact: { type: Schema.Types.Mixed, default: null },
  },
  { collection: 'aml_list_versions', versionKey: false, strict: 'throw' },
);
amlListVersionSchema.index({ listId: 1, _id: -1 });
amlListVersionSchema.index({ objectKey: 1 });
// What is left to clear away.
amlListVersionSchema.index({ status: 1, importedAt: 1 });

export const AmlListVersion = model<AmlListVersionRecord>('AmlListVersion', amlListVersionSchema);

import { model, Schema } from 'mongoose';

/** Counts of a version, as its publisher writes the list. */
export interface AmlListCounts {
  entries: number;
  aliases: number;
  addresses: number;
  incomplete: number;
  skipped: number;
}

export interface AmlDifferences {
  added: number;
  changed: number;
  removed: number;
}

/**
 * A watch list. Lists of publishers serve the whole installation; an organisation's own list serves only that
 * organisation.
 */
export interface AmlListRecord {
  /** `un`, or `<organisation>.<code>`. */
  _id: string;
  /** Code by which requests name the list. */
  code: string;
  /** Owner of the list; null for a list of the installation. */
  organisationId: string | null;
  title: string;
  /** URL from which the list is fetched periodically; null for a list imported from files only. */
  sourceUrl: string | null;
  /** Version in use. */
  currentVersion: string | null;
  /** Version that waits for confirmation, because the list shrank by half. */
  heldVersion: string | null;
  /** Incremented by every import, so that of two simultaneous imports only one becomes current. */
  revision: number;
  /** Import time of the version in use. */
  importedAt: Date | null;
  /** Time at which the version in use was last confirmed to be the newest; determines staleness. */
  checkedAt: Date | null;
  /** Time of the source's last response, whatever its result; determines the next fetch. */
  fetchedAt: Date | null;
  /** Version created from the source's last response: in use, held or rejected; null if unknown. */
  sourceVersion: string | null;
  /** Validators that the source sent with `sourceVersion`, for conditional requests. */
  etag: string | null;
  lastModified: string | null;
  /** Error code of the last fetch. */
  failure: string | null;
}

const amlListSchema = new Schema<AmlListRecord>(
  {
    _id: { type: String, required: true },
    code: { type: String, required: true },
    organisationId: { type: String, default: null },
    title: { type: String, required: true },
    sourceUrl: { type: String, default: null },
    currentVersion: { type: String, default: null },
    heldVersion: { type: String, default: null },
    revision: { type: Number, required: true },
    importedAt: { type: Date, default: null },
    checkedAt: { type: Date, default: null },
    fetchedAt: { type: Date, default: null },
    sourceVersion: { type: String, default: null },
    etag: { type: String, default: null },
    lastModified: { type: String, default: null },
    failure: { type: String, default: null },
  },
  { collection: 'aml_lists', versionKey: false, strict: 'throw' },
);
amlListSchema.index({ organisationId: 1, code: 1 }, { unique: true });

export const AmlList = model<AmlListRecord>('AmlList', amlListSchema);

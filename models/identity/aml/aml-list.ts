import { model, Schema } from 'mongoose';

/** What a version holds, counted as its publisher writes it. */
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

/** A watch list. Lists of publishers serve the whole installation; an organisation's own list serves it alone. */
export interface AmlListRecord {
  /** `un`, or `<organisation>.<code>` */
  _id: string;
  /** the name it is asked for by */
  code: string;
  /** null: of the installation */
  organisationId: string | null;
  title: string;
  /** where it is fetched from again and again; null: from files only */
  sourceUrl: string | null;
  /** the version in use */
  currentVersion: string | null;
  /** a version that has to be confirmed, since the list shrank by half */
  heldVersion: string | null;
  /** raised by every import, so that two at once do not both become current */
  revision: number;
  /** when the version in use was imported */
  importedAt: Date | null;
  /** when the version in use was last known to be the newest: what staleness is counted from */
  checkedAt: Date | null;
  /** when the source last answered, whatever became of the answer: what the next look is counted from */
  fetchedAt: Date | null;
  /** the version that was made of the source's last answer: in use, held or rejected; null: none that is known */
  sourceVersion: string | null;
  /** what the source gave with `sourceVersion`, to ask whether it still holds that */
  etag: string | null;
  lastModified: string | null;
  /** code of what went wrong when it was last fetched */
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

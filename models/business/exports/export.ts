import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { EXPORT_FORMATS, EXPORT_RESOURCES, EXPORT_STATES } from '../../../domain/business/exports/exports';
import type {
  ExportFilters,
  ExportFormat,
  ExportResource,
  ExportState,
} from '../../../domain/business/exports/exports';

/** What rows are ordered and continued by: the number of a record, or the `_id` of what has none. */
export type ExportKey = number | Types.ObjectId;

/**
 * A list being written to the object store. What is written in parts is noted here part by part, so that another worker
 * goes on after the last finished one.
 */
export interface ExportRecord {
  /** `exp_…`, which names its workflow and its object. */
  _id: string;
  organisationId: string;
  id: number;
  resource: ExportResource;
  format: ExportFormat;
  filters: ExportFilters;
  state: ExportState;
  /** The company's zone and day when the export was asked for: every part says the same. */
  timeZone: string;
  today: string;
  baseCurrencyCode: string;
  /** The highest key there was when the export began; null: there was nothing. */
  highestKey: ExportKey | null;
  /** Rows, or documents of an archive; null until they were counted. */
  rowsTotal: number | null;
  rowsDone: number;
  objectKey: string | null;
  uploadId: string | null;
  /** Finished parts. */
  parts: number;
  /** Key of the last row in a finished part. */
  lastKey: ExportKey | null;
  /** Where the writer of the format stands after the last finished part. */
  writer: unknown;
  /** Whether the last part is finished too. */
  written: boolean;
  /** Bytes in the object store, and of the file as it is downloaded. */
  storedBytes: number;
  sizeBytes: number | null;
  /** Of the file as it is downloaded, hex. */
  sha256: string | null;
  /** Code of why it failed. */
  failure: string | null;
  /** Credential or user id. */
  createdBy: string;
  createdAt: Date;
  startedAt: Date | null;
  updatedAt: Date;
  completedAt: Date | null;
  /** When the file is removed. */
  expiresAt: Date | null;
  /** When the file, or what there was of it, was removed. */
  clearedAt: Date | null;
}

const text = { type: String, default: null } as const;
const date = { type: Date, default: null } as const;
const mixed = { type: Schema.Types.Mixed, default: null } as const;

const exportSchema = new Schema<ExportRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    resource: { type: String, enum: EXPORT_RESOURCES, required: true },
    format: { type: String, enum: EXPORT_FORMATS, required: true },
    filters: { type: Schema.Types.Mixed, required: true },
    state: { type: String, enum: EXPORT_STATES, required: true },
    timeZone: { type: String, required: true },
    today: { type: String, required: true },
    baseCurrencyCode: { type: String, required: true },
    highestKey: mixed,
    rowsTotal: { type: Number, default: null },
    rowsDone: { type: Number, required: true, default: 0 },
    objectKey: text,
    uploadId: text,
    parts: { type: Number, required: true, default: 0 },
    lastKey: mixed,
    writer: mixed,
    written: { type: Boolean, required: true, default: false },
    storedBytes: { type: Number, required: true, default: 0 },
    sizeBytes: { type: Number, default: null },
    sha256: text,
    failure: text,
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    startedAt: date,
    updatedAt: { type: Date, required: true },
    completedAt: date,
    expiresAt: date,
    clearedAt: date,
  },
  { collection: 'exports', versionKey: false, strict: 'throw', minimize: false },
);
exportSchema.index({ organisationId: 1, id: 1 }, { unique: true });
exportSchema.index({ organisationId: 1, createdAt: 1, id: 1 });
exportSchema.index({ organisationId: 1, state: 1, id: 1 });
// What the sweeper has to clear: files whose time is over and uploads of exports that ended otherwise.
exportSchema.index({ state: 1, expiresAt: 1 }, { partialFilterExpression: { clearedAt: null } });
exportSchema.index({ objectKey: 1 }, { partialFilterExpression: { objectKey: { $type: 'string' } } });

export const Export = model<ExportRecord>('Export', exportSchema);

/** One file of an archive. */
export interface ArchivedFile {
  name: string;
  crc32: number;
  sizeBytes: number;
  /** Where its header begins in the archive. */
  offset: number;
  sha256: string;
  documentId: number;
  number: string;
  issueDate: string;
  status: string;
  currencyCode: string;
  total: string;
  taxTotal: string;
  grandTotal: string;
}

/** A finished part of an export's upload. */
export interface ExportPartRecord {
  _id: Types.ObjectId;
  organisationId: string;
  exportId: string;
  /** From 1. */
  number: number;
  /** As the object store named it. */
  etag: string;
  sizeBytes: number;
  rows: number;
  /** Of an archive: the files whose bytes end in this part. */
  files: ArchivedFile[];
}

const exportPartSchema = new Schema<ExportPartRecord>(
  {
    organisationId: { type: String, required: true },
    exportId: { type: String, required: true },
    number: { type: Number, required: true },
    etag: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
    rows: { type: Number, required: true },
    files: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'export_parts', versionKey: false, strict: 'throw', minimize: false },
);
exportPartSchema.index({ organisationId: 1, exportId: 1, number: 1 }, { unique: true });

export const ExportPart = model<ExportPartRecord>('ExportPart', exportPartSchema);

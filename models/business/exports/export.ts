import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import type { EarlierTimeZone } from '../../../domain/business/settings/business-days';
import { EXPORT_FORMATS, EXPORT_RESOURCES, EXPORT_STATES } from '../../../domain/business/exports/exports';
import type {
  ArchiveFile,
  ExportFilters,
  ExportFormat,
  ExportResource,
  ExportState,
} from '../../../domain/business/exports/exports';

/** The key by which rows are sorted and continued: the id of a record, its `_id` if it has no id, or a day. */
export type ExportKey = number | string | Types.ObjectId;

/**
 * An export of a list to the object store. Finished parts are recorded, so that another worker can continue after the
 * last one.
 */
export interface ExportRecord {
  /** `exp_…`, part of the ids of its workflow and object. */
  _id: string;
  organisationId: string;
  id: number;
  resource: ExportResource;
  format: ExportFormat;
  filters: ExportFilters;
  state: ExportState;
  /** Time zone, earlier ones, and date of the company when the export was requested, so that all parts are consistent. */
  timeZone: string;
  earliestToday?: string;
  earlierTimeZones?: readonly EarlierTimeZone[];
  today: string;
  baseCurrencyCode: string;
  /** The documents of an archive; null for a list, absent from archives of earlier versions. */
  archive?: ArchiveFile | null;
  /** The highest key when the export started; null if the list was empty. */
  highestKey: ExportKey | null;
  /** Number of rows, or of documents of an archive; null until they have been counted. */
  rowsTotal: number | null;
  rowsDone: number;
  objectKey: string | null;
  uploadId: string | null;
  /** Number of finished parts. */
  parts: number;
  /** The highest part number of the upload that an attempt has taken; absent before the first. */
  lastPartNumber?: number;
  /** Key of the last row of the finished parts. */
  lastKey: ExportKey | null;
  /** State of the encoder after the last finished part. */
  writer: unknown;
  /** Whether all parts are finished. */
  written: boolean;
  /** Size of the file as stored, before encryption, and size of the downloaded file, in bytes. */
  storedBytes: number;
  sizeBytes: number | null;
  /** SHA-256 of the downloaded file, hex. */
  sha256: string | null;
  /** Error code of a failed export. */
  failure: string | null;
  /** What the failure is about, such as a document; absent unless the code alone does not say it. */
  failureMessage?: string;
  /** Id of the user or API key. */
  createdBy: string;
  createdAt: Date;
  startedAt: Date | null;
  updatedAt: Date;
  completedAt: Date | null;
  /** Time at which the file is removed. */
  expiresAt: Date | null;
  /** Time at which the file or its parts were removed. */
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
    earliestToday: { type: String },
    earlierTimeZones: { type: Schema.Types.Mixed },
    today: { type: String, required: true },
    baseCurrencyCode: { type: String, required: true },
    archive: mixed,
    highestKey: mixed,
    rowsTotal: { type: Number, default: null },
    rowsDone: { type: Number, required: true, default: 0 },
    objectKey: text,
    uploadId: text,
    parts: { type: Number, required: true, default: 0 },
    lastPartNumber: { type: Number },
    lastKey: mixed,
    writer: mixed,
    written: { type: Boolean, required: true, default: false },
    storedBytes: { type: Number, required: true, default: 0 },
    sizeBytes: { type: Number, default: null },
    sha256: text,
    failure: text,
    failureMessage: { type: String },
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
// For the sweeper: expired files, and uploads of failed or cancelled exports.
exportSchema.index({ state: 1, expiresAt: 1 }, { partialFilterExpression: { clearedAt: null } });
exportSchema.index({ objectKey: 1 }, { partialFilterExpression: { objectKey: { $type: 'string' } } });

export const Export = model<ExportRecord>('Export', exportSchema);

/** One file of an archive. */
export interface ArchivedFile {
  name: string;
  crc32: number;
  sizeBytes: number;
  /** Offset of its header in the archive. */
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

/** A finished part of the upload of an export. */
export interface ExportPartRecord {
  _id: Types.ObjectId;
  organisationId: string;
  exportId: string;
  /** Part number of the upload; those of attempts that were not recorded are missing. */
  number: number;
  /** ETag returned by the object store. */
  etag: string;
  sizeBytes: number;
  rows: number;
  /** Files of an archive whose bytes end in this part. */
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

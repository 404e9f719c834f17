import { z } from 'zod';
import { EXPORT_FORMATS, EXPORT_RESOURCES, EXPORT_STATES } from '../../../domain/business/exports/exports';
import type { ExportFilters } from '../../../domain/business/exports/exports';
import type { ExportRecord } from '../../../models/business/exports/export';
import { LINK_TTL_SECONDS } from '../../../services/platform/evidence/signed-links';
import { instant } from '../fields';

/** Response schemas, examples and presenters of exports. */

export const exportResource = z.enum(EXPORT_RESOURCES, { error: `must be one of ${EXPORT_RESOURCES.join(', ')}` });
export const exportFormat = z.enum(EXPORT_FORMATS, { error: `must be one of ${EXPORT_FORMATS.join(', ')}` });
const exportState = z.enum(EXPORT_STATES, { error: `must be one of ${EXPORT_STATES.join(', ')}` });

export const exportSchema = z.object({
  id: z.number().int(),
  resource: exportResource,
  format: exportFormat,
  filters: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.number())])),
  state: exportState,
  rowsDone: z.number().int().meta({ description: 'Number of written rows; for an archive, of printed documents.' }),
  rowsTotal: z
    .number()
    .int()
    .nullable()
    .meta({ description: 'Total number of rows; null until they have been counted.' }),
  parts: z
    .number()
    .int()
    .meta({ description: 'Number of finished parts, which a restarted worker does not write again.' }),
  sizeBytes: z.number().int().nullable().meta({ description: 'Size of the downloaded file in bytes.' }),
  sha256: z.string().nullable().meta({ description: 'SHA-256 of the downloaded file, hex.' }),
  failure: z.string().nullable().meta({ description: 'Error code of a failed export.' }),
  failureMessage: z
    .string()
    .nullable()
    .meta({ description: 'What the failure is about, such as a document, if the code alone does not say it.' }),
  archiveFile: z
    .object({ number: z.number().int(), count: z.number().int(), firstExportId: z.number().int() })
    .nullable()
    .meta({ description: 'The place of this file in an archive; null for a list.' }),
  createdAt: instant,
  startedAt: instant.nullable(),
  completedAt: instant.nullable(),
  expiresAt: instant.nullable().meta({ description: 'Time at which the file is removed.' }),
});

const download = z
  .object({ url: z.string(), expiresAt: instant })
  .nullable()
  .meta({
    description: `Link with which the file can be downloaded without a credential for ${LINK_TTL_SECONDS / 60} minutes.`,
  });

export const exportDetailSchema = exportSchema.extend({
  download,
  files: z
    .array(
      z.object({ exportId: z.number().int(), state: exportState, rowsTotal: z.number().int().nullable(), download }),
    )
    .meta({
      description: 'All files: several for an archive that one file cannot hold. Each is an export of its own.',
    }),
});

export const exampleExport = {
  id: 1,
  resource: 'invoices',
  format: 'csv',
  filters: { status: 'issued', dateFrom: '2026-01-01' },
  state: 'completed',
  rowsDone: 1284,
  rowsTotal: 1284,
  parts: 1,
  sizeBytes: 231_410,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  failure: null,
  failureMessage: null,
  archiveFile: null,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  startedAt: '2026-11-21T10:00:00.100+01:00',
  completedAt: '2026-11-21T10:00:01.000+01:00',
  expiresAt: '2026-11-28T10:00:01.000+01:00',
} as const;

const exampleDownload = {
  url: 'https://vouch.example/api/exports/1/file?token=eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
  expiresAt: '2026-11-21T10:05:01.000+01:00',
};
const exampleExportDetail = {
  ...exampleExport,
  download: exampleDownload,
  files: [{ exportId: 1, state: 'completed', rowsTotal: 1284, download: exampleDownload }],
};

const presentFilters = (filters: ExportFilters): Record<string, string | number | number[]> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]: [string, string | number | number[] | undefined]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

const presentArchiveFile = ({ archive }: ExportRecord) =>
  archive == null ? null : { number: archive.number, count: archive.count, firstExportId: archive.firstExportId };

/** Response body of an export in lists, without the download links and the other files of its archive. */
export const presentExport = (record: ExportRecord) => ({
  id: record.id,
  resource: record.resource,
  format: record.format,
  filters: presentFilters(record.filters),
  state: record.state,
  rowsDone: record.rowsDone,
  rowsTotal: record.rowsTotal,
  parts: record.parts,
  sizeBytes: record.sizeBytes,
  sha256: record.sha256,
  failure: record.failure,
  failureMessage: record.failureMessage ?? null,
  archiveFile: presentArchiveFile(record),
  createdAt: record.createdAt,
  startedAt: record.startedAt,
  completedAt: record.completedAt,
  expiresAt: record.expiresAt,
});

export const exportReply = { schema: z.object({ data: exportDetailSchema }), example: { data: exampleExportDetail } };
const queuedExportBase = {
  ...exampleExportDetail,
  state: 'queued',
  rowsDone: 0,
  rowsTotal: null,
  parts: 0,
  sizeBytes: null,
} as const;
export const exampleQueuedExport = {
  ...queuedExportBase,
  sha256: null,
  startedAt: null,
  completedAt: null,
  expiresAt: null,
  download: null,
  files: [{ exportId: 1, state: 'queued', rowsTotal: null, download: null }],
} as const;

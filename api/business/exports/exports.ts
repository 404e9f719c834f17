import { createGunzip } from 'node:zlib';
import type { Readable } from 'node:stream';
import contentDisposition from 'content-disposition';
import { z } from 'zod';
import {
  EXPORT_RESOURCES,
  EXPORT_STATES,
  JOURNAL_FORMATS,
  PRINTED_RESOURCES,
} from '../../../domain/business/exports/exports';
import type { ExportRecord } from '../../../models/business/exports/export';
import {
  cancelExport,
  createExport,
  EXPORT_SORT_FIELDS,
  createExportLink,
  getExport,
  listArchiveFiles,
  listExports,
  openExportFile,
} from '../../../services/business/exports/exports';
import { EXPORT_STORAGE_FORMATS } from '../../../services/business/exports/progress';
import { EXPORT_SOURCES } from '../../../services/business/exports/sources';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext, StreamReply } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import {
  exampleQueuedExport,
  exampleExport,
  exportDetailSchema,
  exportFormat,
  exportReply,
  exportResource,
  exportSchema,
  presentExport,
} from './export-responses';
import { DATE_OR_TIME, idPath, recordId } from '../fields';
import {
  buildListResponse,
  buildListSchema,
  choicesParameter,
  listParameters,
  MAX_FILTER_IDS,
  parseCreatedFilter,
  toListRequest,
} from '../listing';

const TAG = 'Exports';
const FILE_ERRORS = { 410: '`link_expired`: ask for the export again. `export_expired`: the file was removed.' };

const text = z
  .string({ error: 'must be a string' })
  .max(200, 'must have at most 200 characters')
  .refine((value) => !value.includes('\0'), 'must not contain control characters')
  .meta({ pattern: '^[^\\u0000]*$' });

/** Several values are stored as a list sends them: separated by commas. */
const choices = z
  .union([text, z.array(text).min(1).max(20)], { error: 'must be a string, or an array of strings' })
  .transform((sent) => (typeof sent === 'string' ? sent : sent.join(',')))
  .optional()
  .meta({ description: 'One or more values of the list: an array, or a string in which commas separate them.' });

const recordIds = z
  .union([recordId, z.array(recordId).min(1).max(MAX_FILTER_IDS)], {
    error: `must be a number, or an array of at most ${MAX_FILTER_IDS} numbers`,
  })
  .optional()
  .meta({ description: 'The id of a record, or several in an array.' });

/** Every filter of any list; the service checks which of them the list has. */
const filters = z.strictObject(
  {
    status: choices,
    state: choices,
    stage: choices,
    active: z.enum(['true', 'false', 'all'], { error: 'must be true, false or all' }).optional(),
    customerId: recordIds,
    vendorId: recordIds,
    invoiceId: recordIds,
    productId: recordIds,
    warehouseId: recordIds,
    categoryId: recordIds,
    ownerId: recordIds,
    asOf: text.optional().meta(DATE_OR_TIME),
    dateFrom: text.optional().meta(DATE_OR_TIME),
    dateTo: text.optional().meta(DATE_OR_TIME),
    search: text.optional(),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
);

const permissionTable = EXPORT_RESOURCES.map((name) => `\`${name}\` (\`${EXPORT_SOURCES[name].permission}\`)`).join(
  ', ',
);

async function presentExportDetail(context: RouteContext, record: ExportRecord) {
  const caller = await getCaller(context);
  const files = (await listArchiveFiles(caller, record)).map((file) => ({
    exportId: file.id,
    state: file.state,
    rowsTotal: file.rowsTotal,
    download: createExportLink(context.platform, caller, file),
  }));
  const data = { ...presentExport(record), download: createExportLink(context.platform, caller, record), files };
  return serializeResponse(data, caller.company.timeZone);
}

const create = defineRoute({
  method: 'post',
  path: '/api/exports',
  operationId: 'createExport',
  summary: 'Export a list',
  description:
    'Writes a list, with the filters of its own route, to a file. Each list requires the permission to read it: ' +
    `${permissionTable}. Answers at once; ask for the export until it is \`completed\`. \`zip-pdf\` packs the printed ` +
    'documents of invoices or credit notes, without drafts; an archive of more than 20,000 documents has several files, each an export of its own, listed in `files`. `datev` (posting batch, EXTF) and `saf-t` (OECD 2.0) are ' +
    'formats of `journal` and need `dateFrom` and `dateTo`. What was there when the export began is in it once.',
  tag: TAG,
  addition: true,
  permission: 'exports:create',
  limit: 'exports',
  idempotent: true,
  body: z
    .strictObject({
      resource: exportResource,
      format: exportFormat,
      filters: filters
        .optional()
        .meta({ description: 'Filters of the list; a filter that the list does not have is rejected.' }),
    })
    .meta({
      anyOf: [
        { properties: { resource: { enum: [...PRINTED_RESOURCES] } } },
        { properties: { resource: { const: 'journal' } } },
        { properties: { format: { not: { enum: ['zip-pdf', ...JOURNAL_FORMATS] } } } },
      ],
    }),
  bodyExample: { resource: 'invoices', format: 'csv', filters: { status: 'issued', dateFrom: '2026-01-01' } },
  replies: {
    202: {
      description: 'The export, which has been queued.',
      schema: z.object({ data: exportDetailSchema, message: z.string() }),
      example: { data: exampleQueuedExport, message: 'Export 1 was begun.' },
    },
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const input = { resource: body.resource, format: body.format, filters: body.filters ?? {} };
    const record = await createExport(context.platform, caller, input, context.idempotency);
    const data = await presentExportDetail(context, record);
    return {
      status: 202,
      body: { data, message: `Export ${record.id} was begun.` },
      headers: { Location: `/api/exports/${record.id}` },
    };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/api/exports',
  operationId: 'listExports',
  summary: 'List exports',
  description: 'Exports of the lists that the caller can read.',
  tag: TAG,
  addition: true,
  permission: 'exports:read',
  query: z.strictObject({
    ...listParameters(EXPORT_SORT_FIELDS),
    state: choicesParameter(EXPORT_STATES),
    resource: choicesParameter(EXPORT_RESOURCES),
  }),
  replies: {
    200: {
      description: 'A page of exports and the exact total.',
      schema: buildListSchema(exportSchema),
      example: { data: [exampleExport], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'desc' });
    const filter = { state: query.state, resource: query.resource, ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listExports(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentExport), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/exports/:id',
  operationId: 'getExport',
  summary: 'Get the progress of an export and a link to its file',
  tag: TAG,
  addition: true,
  permission: 'exports:read',
  params: idPath,
  replies: { 200: { description: 'The export.', ...exportReply } },
  async handle(context, { params }) {
    const record = await getExport(await getCaller(context), params.id);
    return { status: 200, body: { data: await presentExportDetail(context, record) } };
  },
});

const cancel = defineRoute({
  method: 'post',
  path: '/api/exports/:id/cancel',
  operationId: 'cancelExport',
  summary: 'Cancel an export',
  description: 'Stops the export and removes the parts of its file. Cancelling it again changes nothing.',
  tag: TAG,
  addition: true,
  permission: 'exports:create',
  idempotent: true,
  params: idPath,
  replies: {
    200: {
      description: 'The cancelled export.',
      schema: z.object({ data: exportDetailSchema, message: z.string() }),
      example: { data: { ...exampleQueuedExport, state: 'cancelled' }, message: 'Export 1 is cancelled.' },
    },
  },
  errors: { 409: '`export_finished`: the export has completed or failed; or the Idempotency-Key is in use.' },
  async handle(context, { params }) {
    const record = await cancelExport(context.platform, await getCaller(context), params.id, context.idempotency);
    const data = await presentExportDetail(context, record);
    return { status: 200, body: { data, message: `Export ${record.id} is cancelled.` } };
  },
});

/** Whether a client accepts gzip; `gzip;q=0` rejects it. */
const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  (acceptEncoding ?? '').split(',').some((coding) => {
    const [name = '', quality] = coding.split(';').map((part) => part.trim().toLowerCase());
    return (name === 'gzip' || name === '*') && !/^q=0(\.0*)?$/.test(quality ?? '');
  });

const getFileSuffix = (archive: ExportRecord['archive']): string =>
  archive == null || archive.count === 1 ? '' : `-file-${archive.number}-of-${archive.count}`;

/** DATEV imports files whose name starts with EXTF. */
const getFileName = ({ format, resource, today, id, archive }: ExportRecord): string =>
  `${format === 'datev' ? 'EXTF_Buchungsstapel' : resource}-${today}-${id}${getFileSuffix(archive)}.${EXPORT_STORAGE_FORMATS[format].extension}`;

function buildFileReply(record: ExportRecord, body: Readable, acceptEncoding: string | undefined): StreamReply<200> {
  const { contentType, gzip } = EXPORT_STORAGE_FORMATS[record.format];
  const sendGzipped = gzip && acceptsGzip(acceptEncoding);
  const bytes = sendGzipped || !gzip ? record.storedBytes : record.sizeBytes;
  return {
    status: 200,
    // If the client disconnects, both streams end, because the reply is piped through both.
    stream: gzip && !sendGzipped ? [body, createGunzip()] : [body],
    contentType,
    headers: {
      'Content-Disposition': contentDisposition(getFileName(record)),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Referrer-Policy': 'no-referrer',
      'Accept-Ranges': 'none',
      ...(gzip ? { Vary: 'Accept-Encoding' } : {}),
      ...(sendGzipped ? { 'Content-Encoding': 'gzip' } : {}),
      ...(bytes === null ? {} : { 'Content-Length': String(bytes) }),
    },
  };
}

const download = defineRoute({
  method: 'get',
  path: '/api/exports/:id/file',
  operationId: 'downloadExport',
  summary: 'Download the file of an export',
  description:
    'Requires only the signed token of the link in `download`. CSV and JSON are sent with `Content-Encoding: gzip` to ' +
    'clients that accept it.',
  tag: TAG,
  addition: true,
  permission: 'public',
  params: idPath,
  query: z.strictObject({
    token: z
      .string({ error: 'is required: use the link in `download` of the export' })
      .max(2000, 'is not a valid token')
      .regex(/^[\w.-]*$/, 'is not a valid token'),
  }),
  replies: {
    200: {
      description: 'The file.',
      contentType: [
        ...new Set(Object.values(EXPORT_STORAGE_FORMATS).map(({ contentType }) => contentType.split(';')[0] ?? '')),
      ],
    },
  },
  errors: FILE_ERRORS,
  async handle(context, { params, query }) {
    const { record, body } = await openExportFile(context.platform, params.id, query.token);
    return buildFileReply(record, body, context.header('accept-encoding'));
  },
});

export const exportRoutes: readonly Route[] = [create, list, detail, cancel, download];

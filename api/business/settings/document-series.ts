import { z } from 'zod';
import { formatDocumentNumber } from '../../../domain/business/documents/numbering';
import { DOCUMENT_TYPES } from '../../../models/business/settings/document-series';
import type { DocumentSeriesRecord } from '../../../models/business/settings/document-series';
import {
  createDocumentSeries,
  DOCUMENT_SERIES_SORT_FIELDS,
  getDocumentSeries,
  listDocumentSeries,
  setDocumentSeriesActive,
} from '../../../services/business/settings/document-series';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { flag, idPath, instant, readOnlyField } from '../fields';
import {
  activeParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const EXAMPLE_YEAR = 2026;

const documentType = z.enum(DOCUMENT_TYPES, { error: `must be one of ${DOCUMENT_TYPES.join(', ')}` });

const seriesSchema = z.object({
  id: z.number().int(),
  documentType,
  prefix: z.string(),
  padding: z.number().int(),
  exampleNumber: z.string().meta({ description: 'How its first number of 2026 reads.' }),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

const exampleSeries = {
  id: 3,
  documentType: 'invoice',
  prefix: 'SHOP',
  padding: 6,
  exampleNumber: 'SHOP-2026-000001',
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentSeries = (record: DocumentSeriesRecord) => ({
  id: record.id,
  documentType: record.documentType,
  prefix: record.prefix,
  padding: record.padding,
  exampleNumber: formatDocumentNumber(record, EXAMPLE_YEAR, 1),
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const PREFIX_PROBLEM = 'must have 1 to 20 letters, digits or -, and begin with a letter';
const PADDING_PROBLEM = 'must be a whole number from 1 to 10';

const READ_ONLY = ['id', 'documentType', 'prefix', 'padding', 'exampleNumber', 'createdAt', 'updatedAt'] as const;
const TAG = 'Configuration';
const seriesReply = { schema: z.object({ data: seriesSchema }), example: { data: exampleSeries } };

const list = defineRoute({
  method: 'get',
  path: '/api/config/document-series',
  operationId: 'listDocumentSeries',
  summary: 'Series of document numbers',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  query: z.strictObject({
    ...listParameters(DOCUMENT_SERIES_SORT_FIELDS),
    ...activeParameter,
    documentType: documentType.optional(),
  }),
  replies: {
    200: {
      description: 'A page of series and the exact total.',
      schema: buildListSchema(seriesSchema),
      example: { data: [exampleSeries], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const { documentType: kind, active = 'true' } = query;
    const filter = { documentType: kind, active, ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listDocumentSeries(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentSeries), totalCount, listRequest), timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/config/document-series',
  operationId: 'createDocumentSeries',
  summary: 'Open a series of document numbers',
  description: 'Its numbers begin at 1 each year and have no gaps.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  idempotent: true,
  body: z.strictObject({
    documentType,
    prefix: z.string({ error: PREFIX_PROBLEM }).regex(/^[A-Za-z][A-Za-z0-9-]{0,19}$/, PREFIX_PROBLEM),
    padding: z
      .number({ error: PADDING_PROBLEM })
      .int(PADDING_PROBLEM)
      .min(1, PADDING_PROBLEM)
      .max(10, PADDING_PROBLEM)
      .optional()
      .meta({ description: 'Digits the sequence is padded to. Default: 6.' }),
  }),
  bodyExample: { documentType: 'invoice', prefix: 'SHOP' },
  replies: {
    201: {
      description: 'The series.',
      schema: z.object({ data: seriesSchema, message: z.string() }),
      example: { data: exampleSeries, message: 'Series SHOP created.' },
    },
  },
  errors: { 409: 'Another series has the prefix (`prefix_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const record = await createDocumentSeries(context.platform, caller, body, context.idempotency);
    const message = `Series ${record.prefix} created.`;
    return {
      status: 201,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentSeries(record), message }, caller.company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/document-series/:id',
  operationId: 'updateDocumentSeries',
  summary: 'Activate or deactivate a series',
  description: 'An inactive series numbers no new document; its documents stay. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  params: idPath,
  body: z.strictObject({
    active: flag.optional(),
    id: readOnlyField,
    documentType: readOnlyField,
    prefix: readOnlyField,
    padding: readOnlyField,
    exampleNumber: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { active: false },
  replies: { 200: { description: 'The series as it is now.', ...seriesReply } },
  errors: { 409: '`is_default`: the company’s default stays active.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentSeries(await getDocumentSeries(caller, params.id)), timeZone);
    const { active } = stripReadOnlyFields(body, current, READ_ONLY);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await setDocumentSeriesActive(context.platform, caller, at, active);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentSeries(record) }, timeZone),
    };
  },
});

export const documentSeriesRoutes: readonly Route[] = [list, create, update];

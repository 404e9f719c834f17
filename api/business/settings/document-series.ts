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
import { flag, instant, readOnlyFields } from '../fields';
import { activeParameter, choicesParameter, listParameters, parseActiveFilter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';

const EXAMPLE_YEAR = 2026;

const documentType = z.enum(DOCUMENT_TYPES, { error: `must be one of ${DOCUMENT_TYPES.join(', ')}` });

const seriesSchema = z.object({
  id: z.number().int(),
  documentType,
  prefix: z.string(),
  padding: z.number().int(),
  exampleNumber: z.string().meta({ description: 'First number of the series in 2026, as an example.' }),
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

export const documentSeriesRoutes = defineRecordRoutes({
  path: '/api/config/document-series',
  tag: 'Configuration',
  nouns: { one: 'series', many: 'series' },
  permissions: { read: 'config:read', create: 'config:update', update: 'config:update' },
  ...definePresentation(seriesSchema, exampleSeries, presentSeries),
  get: getDocumentSeries,
  list: {
    operationId: 'listDocumentSeries',
    summary: 'List series of document numbers',
    addition: true,
    query: z.strictObject({
      ...listParameters(DOCUMENT_SERIES_SORT_FIELDS),
      ...activeParameter,
      documentType: choicesParameter(DOCUMENT_TYPES),
    }),
    read: (caller, query, listRequest) => {
      const filter = { documentType: query.documentType, ...parseActiveFilter(query, caller.company.timeZone) };
      return listDocumentSeries(caller, filter, listRequest);
    },
  },
  detail: { operationId: 'getDocumentSeries', summary: 'Series detail', addition: true },
  create: {
    operationId: 'createDocumentSeries',
    summary: 'Create a series of document numbers',
    description: 'The numbers of a series start at 1 each year and have no gaps.',
    addition: true,
    body: z.strictObject({
      documentType,
      prefix: z.string({ error: PREFIX_PROBLEM }).regex(/^[A-Za-z][A-Za-z0-9-]{0,19}$/, PREFIX_PROBLEM),
      padding: z
        .number({ error: PADDING_PROBLEM })
        .int(PADDING_PROBLEM)
        .min(1, PADDING_PROBLEM)
        .max(10, PADDING_PROBLEM)
        .optional()
        .meta({ description: 'Number of digits to which the sequence is padded. Default: 6.' }),
    }),
    bodyExample: { documentType: 'invoice', prefix: 'SHOP' },
    message: ({ prefix }) => `Series ${prefix} created.`,
    exampleMessage: 'Series SHOP created.',
    create: createDocumentSeries,
    errors: { 409: 'Another series has the prefix (`prefix_taken`), or the Idempotency-Key is in use.' },
  },
  update: {
    operationId: 'updateDocumentSeries',
    summary: 'Activate or deactivate a series',
    description:
      'An inactive series numbers no new documents; existing documents keep their numbers. Honours If-Match.',
    addition: true,
    body: z.strictObject({ active: flag.optional(), ...readOnlyFields(READ_ONLY) }),
    bodyExample: { active: false },
    readOnly: READ_ONLY,
    update: (platform, caller, at, { active }) => setDocumentSeriesActive(platform, caller, at, active),
    errors: { 409: '`is_default`: the default series of the company cannot be deactivated.' },
  },
});

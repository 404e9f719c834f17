import { z } from 'zod';
import { REGISTER_COLUMNS, REGISTER_KINDS, REGISTER_STATUSES } from '../../../domain/identity/registers/columns';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { awaitImport, listImports, submitImport } from '../../../services/identity/registers/imports';
import { buildCommaList } from '../../http/comma-list';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { JsonReply, Route } from '../../http/route';
import { defineDeletionRoute } from '../erasure/erasures';
import { resolveGetWaitSeconds, resolveWaitSeconds, waitQuery } from '../waiting';

const kind = z.enum(REGISTER_KINDS);
const status = z.enum(REGISTER_STATUSES).meta({
  description:
    'Status of the version. `active`: lookups read this version. `superseded`: an older version, whose rows were removed.',
});

const registerSchema = z
  .object({
    id: z.string(),
    kind,
    mode: z.enum(['live', 'test']),
    status,
    sha256: z.string().meta({ description: 'SHA-256 of the file as uploaded, hex.' }),
    bytes: z.number().int(),
    rows: z.object({ total: z.number().int(), imported: z.number().int(), rejected: z.number().int() }),
    problems: z
      .array(z.object({ line: z.number().int(), field: z.string(), problem: z.string() }))
      .meta({ description: 'The first 100 problems of rejected rows; the header is line 1.' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Register', description: "A version of one of the organisation's own registers." });

const FAILURE_MESSAGES: Readonly<Record<string, string>> = {
  invalid_header: 'The header has missing, unknown or repeated columns.',
  invalid_csv: 'The file is not well-formed CSV.',
  no_rows: 'The file contains no valid row.',
  too_many_rejected: 'More rows were rejected than accepted, so that nothing was imported.',
};

const presentRegister = (record: RegisterImportRecord): z.infer<typeof registerSchema> => ({
  id: record._id,
  kind: record.kind,
  mode: record.mode,
  status: record.status,
  sha256: record.sha256,
  bytes: record.bytes,
  rows: record.rows,
  problems: record.problems,
  error:
    record.failure === null
      ? null
      : { code: record.failure, message: FAILURE_MESSAGES[record.failure] ?? 'The import could not be completed.' },
  createdAt: record.createdAt.toISOString(),
  completedAt: record.completedAt?.toISOString() ?? null,
});

const exampleRegister = {
  id: 'reg_01JQZ6D4W7Y0B3E6H9K2N5Q8S1',
  kind: 'persons',
  mode: 'live',
  status: 'active',
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  bytes: 48213,
  rows: { total: 811, imported: 810, rejected: 1 },
  problems: [{ line: 407, field: 'dateOfBirth', problem: 'is not a date YYYY-MM-DD' }],
  error: null,
  createdAt: '2026-11-21T10:20:00.000Z',
  completedAt: '2026-11-21T10:20:00.412Z',
};

const registerReplySchema = z.object({ register: registerSchema });

const formatColumns = (name: (typeof REGISTER_KINDS)[number]): string => {
  const { required, optional } = REGISTER_COLUMNS[name];
  return `- \`${name}\`: ${required.map((column) => `**${column}**`).join(', ')}, ${optional.join(', ')}`;
};

const buildRegisterReply = (
  record: RegisterImportRecord,
): JsonReply<201 | 202, z.infer<typeof registerReplySchema>> => ({
  status: record.status === 'importing' ? 202 : 201,
  body: { register: presentRegister(record) },
  headers: { Location: `/v1/registers/${record._id}` },
});

const importRoute = defineRoute({
  method: 'post',
  path: '/v1/registers/:kind/import',
  operationId: 'importRegister',
  summary: "Import one of the organisation's own registers",
  description: [
    'Accepts a CSV file in UTF-8 of at most 15 MB with a header. Columns (required ones in bold):',
    REGISTER_KINDS.map(formatColumns).join('\n'),
    'Dates are `YYYY-MM-DD`, countries ISO 3166-1 codes; `officers` is `name|role` and `owners` is `name|percentage`, separated by semicolons.',
    'Once every row has been read, the file atomically replaces the active version. Invalid rows are omitted and reported by line; a file with more invalid than valid rows changes nothing.',
  ].join('\n\n'),
  tag: 'Registers',
  addition: true,
  permission: 'registers:write',
  idempotent: true,
  params: z.object({ kind }),
  query: waitQuery,
  body: z.strictObject({}),
  files: { file: { required: true, description: 'The CSV file.' } },
  replies: {
    201: {
      description: 'The import report; `status` is `active` or `failed`.',
      schema: registerReplySchema,
      example: { register: exampleRegister },
    },
    202: {
      description: 'The version, still being imported; `Location` is its address.',
      schema: registerReplySchema,
      example: {
        register: {
          ...exampleRegister,
          status: 'importing',
          rows: { total: 0, imported: 0, rejected: 0 },
          problems: [],
          completedAt: null,
        },
      },
    },
  },
  errors: { 413: 'The file has more than 15 MB.', 415: 'The body is not multipart, or the file is not CSV.' },
  async handle({ platform, credential, preferences, idempotency }, { params, query, files }) {
    const file = files['file']?.body ?? Buffer.alloc(0);
    const input = { kind: params.kind, file };
    const record = await submitImport(platform, credential, credential.id, input, idempotency);
    return buildRegisterReply(
      await awaitImport(platform, credential, record._id, resolveWaitSeconds(query, preferences)),
    );
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/registers',
  operationId: 'listRegisters',
  summary: 'List versions of registers',
  tag: 'Registers',
  addition: true,
  permission: 'registers:read',
  query: buildCursorQuery('reg').extend({
    kind: kind.optional(),
    status: buildCommaList(REGISTER_STATUSES).optional(),
  }),
  replies: {
    200: {
      description: 'A page of versions, newest first; `total` counts all versions that match the filters.',
      schema: z.object({
        registers: z.array(registerSchema),
        ...cursorPageFields,
      }),
      example: { registers: [exampleRegister], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const { records, ...page } = await listImports(credential, { kind: query.kind, statuses: query.status }, query);
    return { status: 200, body: { registers: records.map(presentRegister), ...page } };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/registers/:id',
  operationId: 'getRegister',
  summary: 'Get a version of a register',
  description: 'With `wait`, the response is delayed until the file has been imported or the time has elapsed.',
  tag: 'Registers',
  addition: true,
  permission: 'registers:read',
  params: z.object({ id: idParam('reg') }),
  query: waitQuery,
  replies: {
    200: { description: 'The version.', schema: registerReplySchema, example: { register: exampleRegister } },
  },
  async handle({ platform, credential, preferences }, { params, query }) {
    const waitSeconds = resolveGetWaitSeconds(query, preferences);
    const record = await awaitImport(platform, credential, params.id, waitSeconds);
    return { status: 200, body: { register: presentRegister(record) } };
  },
});

export const registerRoutes: readonly Route[] = [
  importRoute,
  list,
  get,
  defineDeletionRoute({
    kind: 'register',
    prefix: 'reg',
    path: '/v1/registers/:id',
    operationId: 'deleteRegister',
    summary: 'Delete a version of a register with all its rows',
    tag: 'Registers',
    permission: 'registers:write',
    addition: true,
  }),
];

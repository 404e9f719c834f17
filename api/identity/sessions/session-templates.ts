import { z } from 'zod';
import {
  archiveTemplate,
  changeTemplate,
  createTemplate,
  getTemplate,
  listTemplates,
} from '../../../services/identity/sessions/session-templates';
import type { Template } from '../../../services/identity/sessions/session-templates';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, idParam, wholeNumberParameter } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildEtagHeader, parseIfMatch, VERSION_MISMATCH } from '../../http/versions';
import { definitionSchema, newTemplate, templateChanges } from './template-fields';

const instant = z.iso.datetime();

const workflowSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['live', 'test']),
    version: z.int().meta({ description: 'Version of the definition; sessions keep the version they started with.' }),
    currentVersion: z.int(),
    isDefault: z.boolean(),
    ...definitionSchema.shape,
    createdAt: instant,
    versionedAt: instant.meta({ description: 'Time at which this version was created.' }),
    archivedAt: instant.nullable(),
  })
  .meta({ id: 'SessionWorkflow' });

export const exampleWorkflow = {
  id: 'wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  mode: 'live',
  version: 2,
  currentVersion: 2,
  isDefault: true,
  name: 'Adults with a European passport',
  features: ['id', 'liveness', 'face_match'],
  thresholds: { liveness: { decline: 30, review: 80 }, minimumAge: 18 },
  actions: { image_blurred: 'ignore' },
  rules: [
    {
      id: 'large-amounts',
      field: 'session.metadata.amount',
      operator: 'greater',
      value: 10000,
      and: [{ field: 'document.issuingState', operator: 'not_in', value: ['FRA', 'DEU'] }],
      status: 'in_review',
    },
  ],
  maxAttempts: 3,
  attemptWindowDays: 7,
  linkTtlHours: 168,
  abandonAfterHours: 24,
  approvalValidDays: 365,
  retentionDays: null,
  indexApprovedFaces: true,
  callbackUrl: 'https://shop.example/verified',
  branding: { name: 'Shop', primaryColor: '#1a73e8' },
  acceptedDocuments: [{ type: 'passport', countries: ['FRA', 'DEU'] }],
  acceptPdfDocuments: true,
  createdAt: '2026-11-20T10:00:00.000Z',
  versionedAt: '2026-11-21T10:00:00.000Z',
  archivedAt: null,
};

const presentWorkflow = ({ record, version, definition, versionedAt }: Template): z.infer<typeof workflowSchema> => ({
  id: record._id,
  mode: record.mode,
  version,
  currentVersion: record.version,
  isDefault: record.isDefault,
  ...definition,
  acceptPdfDocuments: definition.acceptPdfDocuments ?? true,
  createdAt: record.createdAt.toISOString(),
  versionedAt: versionedAt.toISOString(),
  archivedAt: record.archivedAt?.toISOString() ?? null,
});

const buildWorkflowReply = (description: string) => ({
  description,
  schema: z.object({ workflow: workflowSchema }),
  example: { workflow: exampleWorkflow },
});

const params = z.object({ id: idParam('wfl') });
const tag = 'Session workflows';

const create = defineRoute({
  method: 'post',
  path: '/v1/sessions/workflows',
  operationId: 'createSessionWorkflow',
  summary: 'Create a session workflow',
  description:
    'A session workflow is the common definition of a group of sessions. All fields except the name are optional.',
  tag,
  permission: 'workflows:write',
  idempotent: true,
  body: newTemplate,
  bodyExample: {
    name: 'Adults with a European passport',
    thresholds: { minimumAge: 18 },
    rules: [{ field: 'session.metadata.amount', operator: 'greater', value: 10000, status: 'in_review' }],
  },
  replies: { 201: buildWorkflowReply('The workflow, at its first version.') },
  errors: { 409: 'Another workflow became the default meanwhile.' },
  async handle({ platform, credential, idempotency }, { body }) {
    const template = await createTemplate(platform, credential, credential.id, body, idempotency);
    return { status: 201, body: { workflow: presentWorkflow(template) } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/sessions/workflows',
  operationId: 'listSessionWorkflows',
  summary: 'List session workflows',
  tag,
  permission: 'workflows:read',
  query: buildCursorQuery('wfl'),
  replies: {
    200: {
      description: 'Workflows that are not archived, at their current versions, newest first.',
      schema: z.object({
        workflows: z.array(workflowSchema),
        ...cursorPageFields,
      }),
      example: { workflows: [exampleWorkflow], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const { records, ...page } = await listTemplates(credential, query);
    return { status: 200, body: { workflows: records.map(presentWorkflow), ...page } };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/sessions/workflows/:id',
  operationId: 'getSessionWorkflow',
  summary: 'Get a session workflow',
  description: 'Returns the current or the requested version, also of an archived workflow.',
  tag,
  permission: 'workflows:read',
  params,
  query: z.strictObject({
    version: wholeNumberParameter('accepts a whole number from 1', 1, 2_147_483_647).optional(),
  }),
  replies: { 200: buildWorkflowReply('The workflow.') },
  async handle({ credential }, { params: { id }, query }) {
    const template = await getTemplate(credential, id, query.version);
    const headers = buildEtagHeader(template.record.version);
    return { status: 200, headers, body: { workflow: presentWorkflow(template) } };
  },
});

const change = defineRoute({
  method: 'patch',
  path: '/v1/sessions/workflows/:id',
  operationId: 'updateSessionWorkflow',
  summary: 'Change a session workflow',
  description:
    'Each field that is sent replaces the former value completely. A change of the definition creates the next version; existing sessions keep theirs. Making the workflow the default creates no version. Honours If-Match.',
  tag,
  permission: 'workflows:write',
  params,
  body: templateChanges,
  bodyExample: { thresholds: { liveness: { decline: 30, review: 80 }, minimumAge: 21 }, version: 2 },
  replies: { 200: buildWorkflowReply('The workflow, at its next version.') },
  errors: { 409: 'It is archived, or changed meanwhile.', 412: VERSION_MISMATCH },
  async handle(context, { params: { id }, body: { version, ...changes } }) {
    const { platform, credential } = context;
    const change = { changes, expectedVersion: version, ifMatch: parseIfMatch(context) };
    const template = await changeTemplate(platform, credential, credential.id, id, change);
    const headers = buildEtagHeader(template.record.version);
    return { status: 200, headers, body: { workflow: presentWorkflow(template) } };
  },
});

const archive = defineRoute({
  method: 'delete',
  path: '/v1/sessions/workflows/:id',
  operationId: 'deleteSessionWorkflow',
  summary: 'Delete a session workflow',
  description:
    'Archives the workflow: no session can start with it any more; existing sessions keep their version. Archiving it again changes nothing.',
  tag,
  permission: 'workflows:write',
  params,
  replies: {
    200: {
      description: 'Id of the archived workflow, and the time.',
      schema: z.object({ ...deletionFields, archivedAt: instant }),
      example: { ...buildDeletionBody(exampleWorkflow.id), archivedAt: '2026-11-21T10:00:00.000Z' },
    },
  },
  errors: { 409: 'It is the default: make another workflow the default first.' },
  async handle({ platform, credential }, { params: { id } }) {
    const { archivedAt, updatedAt } = await archiveTemplate(platform, credential, credential.id, id);
    return { status: 200, body: { ...buildDeletionBody(id), archivedAt: (archivedAt ?? updatedAt).toISOString() } };
  },
});

export const templateRoutes: readonly Route[] = [create, list, get, change, archive];

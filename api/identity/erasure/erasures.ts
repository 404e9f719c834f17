import { z } from 'zod';
import { ERASURE_REASONS, ERASURE_STATUSES, PERSON_RECORD_KINDS } from '../../../domain/identity/erasure/erasure';
import type { PersonRecordKind } from '../../../domain/identity/erasure/erasure';
import type { IdPrefix } from '../../../lib/ids';
import type { ErasureRecord } from '../../../models/identity/erasure/erasure';
import { readActors } from '../../../services/platform/access/actors';
import { awaitErasure, beginErasure, getErasure, listErasures } from '../../../services/identity/erasure/erase';
import { buildCommaList } from '../../http/comma-list';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { buildCursorQuery, cursorPageFields, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { JsonReply, Route, RouteContext } from '../../http/route';
import { actorNameOrSystem, findActorName } from '../../platform/access/actor-names';
import type { ActorNames } from '../../platform/access/actor-names';

/** An erasure usually completes within this time; the response does not wait for an unavailable store. */
const WAIT_SECONDS = 10;

export const erasureSchema = z
  .object({
    id: z.string(),
    kind: z.enum(PERSON_RECORD_KINDS).meta({ description: 'Kind of the erased record.' }),
    recordId: z.string(),
    mode: z.enum(['live', 'test']),
    status: z.enum(ERASURE_STATUSES).meta({
      description:
        'Status of the erasure. `erasing`: the record is no longer accessible and its data key is destroyed; the remaining data is being removed.',
    }),
    reason: z.enum(ERASURE_REASONS),
    by: z.string().meta({ description: 'Id of the API key or user; `system` at the end of the retention period.' }),
    byName: actorNameOrSystem,
    requestedAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
    dataKeysDestroyed: z.number().int(),
    evidence: z
      .array(
        z.object({ id: z.string(), sha256: z.string().meta({ description: 'SHA-256 of the file as uploaded, hex.' }) }),
      )
      .meta({ description: 'All erased files.' }),
    objectsRemoved: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Number of removed objects; null until they are removed.' }),
    collections: z
      .array(z.object({ name: z.string(), removed: z.number().int(), anonymised: z.number().int() }))
      .meta({ description: 'Number of rows by collection.' }),
  })
  .meta({ id: 'Erasure', description: 'The receipt of an erasure: ids, counts and hashes.' });

const presentErasure = (erasure: ErasureRecord, names: ActorNames): z.infer<typeof erasureSchema> => ({
  id: erasure._id,
  kind: erasure.kind,
  recordId: erasure.recordId,
  mode: erasure.mode,
  status: erasure.status,
  reason: erasure.reason,
  by: erasure.actor,
  byName: findActorName(names, erasure.actor),
  requestedAt: erasure.requestedAt.toISOString(),
  completedAt: erasure.completedAt?.toISOString() ?? null,
  dataKeysDestroyed: erasure.dataKeys,
  evidence: erasure.evidence,
  objectsRemoved: erasure.objects,
  collections: erasure.collections,
});

/** Current names of the users and API keys that erased. */
const readErasureActors = async (organisationId: string, erasures: readonly ErasureRecord[]): Promise<ActorNames> => {
  const { names } = await readActors(
    organisationId,
    erasures.map(({ actor }) => actor),
  );
  return names;
};

const exampleErasure = {
  id: 'era_01JQZ5B1S3T5V7X9Z1B3D5F7H9',
  kind: 'session',
  recordId: 'ses_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  mode: 'live',
  status: 'completed',
  reason: 'request',
  by: 'key_01JQZ4A7C9E1G3J5M7P9R1T3V5',
  byName: 'Checkout of the shop',
  requestedAt: '2026-11-21T10:12:00.000Z',
  completedAt: '2026-11-21T10:12:00.140Z',
  dataKeysDestroyed: 1,
  evidence: [
    {
      id: 'evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
      sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    },
  ],
  objectsRemoved: 1,
  collections: [
    { name: 'idempotency', removed: 1, anonymised: 0 },
    { name: 'webhook_events', removed: 0, anonymised: 4 },
    { name: 'evidence', removed: 1, anonymised: 0 },
    { name: 'checks', removed: 1, anonymised: 0 },
    { name: 'sessions', removed: 1, anonymised: 0 },
  ],
};

const erasureReplySchema = z.object({ erasure: erasureSchema });
const deletionReplySchema = erasureReplySchema.extend(deletionFields);

/** Replies of every route that erases. */
export const erasureReplies = {
  200: {
    description: 'The receipt of the completed erasure.',
    schema: deletionReplySchema,
    example: { ...buildDeletionBody(exampleErasure.recordId), erasure: exampleErasure },
  },
  202: {
    description:
      'The receipt of a started erasure: the record is inaccessible and unreadable; `Location` is the address of the receipt.',
    schema: deletionReplySchema,
    example: {
      ...buildDeletionBody(exampleErasure.recordId),
      erasure: { ...exampleErasure, status: 'erasing', completedAt: null, objectsRemoved: null, collections: [] },
    },
  },
};

/** Erases a person record and returns the receipt, which is complete unless the erasure takes unusually long. */
export async function respondWithErasure(
  { platform, credential }: RouteContext,
  kind: PersonRecordKind,
  recordId: string,
): Promise<JsonReply<200 | 202, z.infer<typeof deletionReplySchema>>> {
  const request = { kind, recordId, reason: 'request', actor: credential.id } as const;
  const started = await beginErasure(platform, credential, request);
  const erasure = await awaitErasure(platform, credential, started._id, WAIT_SECONDS);
  const names = await readErasureActors(credential.organisationId, [erasure]);
  return {
    status: erasure.status === 'completed' ? 200 : 202,
    body: { ...buildDeletionBody(recordId), erasure: presentErasure(erasure, names) },
    headers: { Location: `/v1/erasures/${erasure._id}` },
  };
}

interface DeletionRouteSpec {
  kind: PersonRecordKind;
  prefix: IdPrefix;
  path: string;
  operationId: string;
  summary: string;
  tag: string;
  permission: string;
  addition?: boolean;
  errors?: Readonly<Record<number, string>>;
}

/** Defines a route that erases one kind of person record. */
export const defineDeletionRoute = ({ kind, prefix, ...route }: DeletionRouteSpec): Route =>
  defineRoute({
    ...route,
    method: 'delete',
    description: [
      'Removes results, images, embeddings and fingerprints, destroys the data key and cancels the workflows of the record.',
      'The receipt, the audit entries and the event are kept; they contain only ids. An erasure cannot be undone; a second call returns 404.',
    ].join(' '),
    params: z.object({ id: idParam(prefix) }),
    replies: erasureReplies,
    handle: (context, { params }) => respondWithErasure(context, kind, params.id),
  });

const get = defineRoute({
  method: 'get',
  path: '/v1/erasures/:id',
  operationId: 'getErasure',
  summary: 'Get the receipt of an erasure',
  tag: 'Erasures',
  addition: true,
  permission: 'erasures:read',
  params: z.object({ id: idParam('era') }),
  replies: {
    200: {
      description: 'The receipt; `status` states whether the erasure is complete.',
      schema: erasureReplySchema,
      example: { erasure: exampleErasure },
    },
  },
  async handle({ credential }, { params }) {
    const erasure = await getErasure(credential, params.id);
    const names = await readErasureActors(credential.organisationId, [erasure]);
    return { status: 200, body: { erasure: presentErasure(erasure, names) } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/erasures',
  operationId: 'listErasures',
  summary: 'List the receipts of erasures',
  tag: 'Erasures',
  addition: true,
  permission: 'erasures:read',
  query: buildCursorQuery('era').extend({
    kind: buildCommaList(PERSON_RECORD_KINDS).optional(),
    status: buildCommaList(ERASURE_STATUSES).optional(),
    recordId: z.string().min(1).max(64).optional().meta({ description: 'Id of the erased record.' }),
  }),
  replies: {
    200: {
      description: 'Receipts, newest first; `total` counts all that match the filters.',
      schema: z.object({ erasures: z.array(erasureSchema), ...cursorPageFields }),
      example: { erasures: [exampleErasure], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query: { kind: kinds, status: statuses, recordId, ...pageRequest } }) {
    const { records, ...page } = await listErasures(credential, { kinds, statuses, recordId }, pageRequest);
    const names = await readErasureActors(credential.organisationId, records);
    return { status: 200, body: { erasures: records.map((erasure) => presentErasure(erasure, names)), ...page } };
  },
});

export const erasureRoutes: readonly Route[] = [
  defineDeletionRoute({
    kind: 'session',
    prefix: 'ses',
    path: '/v1/sessions/:id',
    operationId: 'deleteSession',
    summary: 'Delete a session and erase the person',
    tag: 'Sessions',
    permission: 'sessions:delete',
  }),
  defineDeletionRoute({
    kind: 'check',
    prefix: 'chk',
    path: '/v1/checks/:id',
    operationId: 'deleteCheck',
    summary: 'Delete a standalone check and erase the person',
    tag: 'Checks',
    permission: 'checks:delete',
    addition: true,
    errors: { 409: 'The check is part of a session: `details.sessionId` names the session to delete.' },
  }),
  list,
  get,
];

import type { ClientSession, mongo } from 'mongoose';
import { z } from 'zod';
import { DataKey } from '../../../models/platform/evidence/data-key';
import type { DeliveryBody } from '../../../domain/platform/webhooks/event-types';
import { listSealedCollections, sealRows } from '../../../models/sealed-fields';
import type { SealedFields } from '../../../models/sealed-fields';
import { convertCollections, getRawCollection } from '../../platform/migrations/batches';
import type { Conversion, StoredRow } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';
import type { Platform, Scope } from '../../platform/platform';
import { storeEventBody } from '../../platform/webhooks/event-bodies';
import { createBlindIndex } from '../../platform/evidence/blind-index';
import { FACE_INDEX_PURPOSE } from '../biometrics/face-index';
import { createSessionIndex } from '../sessions/session-index';

const scopeSchema = z.object({ organisationId: z.string(), mode: z.enum(['live', 'test']) });

/** A row of a person in clear text: what is encrypted is stored as binary data. */
const buildClearFilter = (fields: readonly string[]): mongo.Filter<StoredRow> => ({
  deletedAt: null,
  $or: fields.map((field) => ({ [field]: { $exists: true, $nin: [null, []], $not: { $type: 'binData' } } })),
});

const sessionSchema = z.object({ _id: z.string(), number: z.number(), externalId: z.string().nullable().catch(null) });
const faceSchema = z.object({ externalId: z.string().nullable().catch(null) });
const searchSchema = z.object({
  kind: z.literal('face_search'),
  result: z.object({ matches: z.array(z.object({ id: z.string() })) }),
});

/** Computes the fields by which the rows of a scope are found, from what is encrypted. */
type Reindex = (platform: Platform, scope: Scope) => Promise<(row: StoredRow) => object>;

const REINDEXED: Readonly<Record<string, Reindex>> = {
  async sessions(platform, scope) {
    const index = await createSessionIndex(platform, scope);
    return (row) => index.describe(sessionSchema.parse(row));
  },
  async faces(platform, scope) {
    const index = await createBlindIndex(platform, scope, FACE_INDEX_PURPOSE);
    return (row) => {
      const { externalId } = faceSchema.parse(row);
      return { externalIdKey: externalId === null ? null : index.compute(externalId) };
    };
  },
  checks: () =>
    Promise.resolve((row) => {
      const search = searchSchema.safeParse(row);
      return search.success ? { foundFaces: search.data.result.matches.map(({ id }) => id) } : {};
    }),
};

/** Rows of erased people have no data key any more; their erasure removes them. */
async function selectReadable<T>(
  rows: readonly T[],
  getOwner: (row: T) => string,
  session: ClientSession,
): Promise<T[]> {
  const ids = rows.map(getOwner);
  const destroyed = await DataKey.distinct('_id', { _id: { $in: ids }, destroyedAt: { $ne: null } }).session(session);
  const gone = new Set<string>(destroyed);
  return rows.filter((row) => !gone.has(getOwner(row)));
}

/** Rows by organisation and mode, whose index is created once. */
async function computeIndexes(platform: Platform, collection: string, rows: readonly StoredRow[]): Promise<object[]> {
  const reindex = REINDEXED[collection];
  if (reindex === undefined) return rows.map(() => ({}));
  const indexes = new Map<string, (row: StoredRow) => object>();
  const computed: object[] = [];
  for (const row of rows) {
    const { organisationId, mode } = scopeSchema.parse(row);
    const name = `${organisationId}.${mode}`;
    const compute = indexes.get(name) ?? (await reindex(platform, { organisationId, mode }));
    indexes.set(name, compute);
    computed.push(compute(row));
  }
  return computed;
}

const buildConversion = (platform: Platform, sealed: SealedFields): Conversion => ({
  collection: sealed.collection,
  filter: buildClearFilter(sealed.fields),
  async convert(found, session) {
    const rows = await selectReadable(found, (row) => String(row[sealed.owner]), session);
    if (rows.length === 0) return 0;
    const indexes = await computeIndexes(platform, sealed.collection, rows);
    const fields = await sealRows(rows, sealed, session);
    const updates = rows.map(({ _id }, index) => ({
      updateOne: { filter: { _id }, update: { $set: { ...fields[index], ...indexes[index] } } },
    }));
    await getRawCollection(sealed.collection).bulkWrite(updates, { session });
    return updates.length;
  },
});

const eventSchema = scopeSchema.extend({ _id: z.string(), subjectId: z.string(), body: z.string() });

/** Bodies of events that name a person. */
const convertEvents = (platform: Platform): Conversion => ({
  collection: 'webhook_events',
  filter: { body: /^\{.*"externalId":"/s },
  async convert(rows, session) {
    const events = rows.map((row) => eventSchema.parse(row));
    const readable = await selectReadable(events, ({ subjectId }) => subjectId, session);
    for (const { _id, subjectId, body, ...scope } of readable) {
      const sealed = await storeEventBody(platform, session, scope, subjectId, JSON.parse(body) as DeliveryBody);
      await getRawCollection('webhook_events').updateOne({ _id }, { $set: { body: sealed } }, { session });
    }
    return readable.length;
  },
});

/** Versions without wrapping keys stored personal fields as they are. */
export const sealedFields: Migration = {
  version: 6,
  name: 'sealed-fields',
  summary:
    'encrypts personal fields of versions that stored them as they are, and makes their records searchable again',
  run: (context) =>
    convertCollections(context, [
      ...listSealedCollections().map((sealed) => buildConversion(context.platform, sealed)),
      convertEvents(context.platform),
    ]),
};

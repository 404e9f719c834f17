import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { newId } from '../../../lib/ids';
import { openRows, sealRows } from '../../../models/sealed-fields';
import type { SealedFields } from '../../../models/sealed-fields';
import { convertRows, getRawCollection } from '../../platform/migrations/batches';
import type { StoredRow } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';
import type { Platform } from '../../platform/platform';
import { insertResultHits } from '../aml/result-hits';
import { computeImportedSubjectKeys } from '../aml/subjects';

const SEALED_RESULT: SealedFields = { collection: 'checks', fields: ['result'], owner: 'recordId' };

const hitSchema = z.looseObject({
  id: z.string().optional(),
  list: z.string(),
  listVersion: z.string(),
  entryId: z.string(),
  entryHash: z.string(),
  score: z.number(),
});

const checkSchema = z.object({
  _id: z.string(),
  organisationId: z.string(),
  mode: z.enum(['live', 'test']),
  recordId: z.string(),
  result: z.looseObject({ hits: z.array(hitSchema).min(1) }),
});

/** Checks without the person they screened are copies of a share. Those with rows of their hits were imported since. */
async function selectUnrecorded(rows: readonly StoredRow[], session: ClientSession): Promise<StoredRow[]> {
  const sessionIds = rows.map((row) => String(row['sessionId']));
  const imported = await getRawCollection('sessions').distinct(
    '_id',
    { _id: { $in: sessionIds }, imported: { $ne: null }, deletedAt: null },
    { session },
  );
  const recorded = await getRawCollection('aml_hits').distinct(
    'screeningId',
    { screeningId: { $in: rows.map(({ _id }) => String(_id)) } },
    { session },
  );
  return rows.filter(({ _id, sessionId }) => imported.includes(String(sessionId)) && !recorded.includes(String(_id)));
}

/** @returns the number of checks whose hits got ids and rows of their own */
async function renewHits(platform: Platform, found: readonly StoredRow[], session: ClientSession): Promise<number> {
  const rows = await selectUnrecorded(found, session);
  // What belongs to an erased person cannot be read; its erasure removes it.
  const destroyed = await openRows(rows, {}, SEALED_RESULT, session);
  let converted = 0;
  for (const row of rows) {
    const check = checkSchema.safeParse(row);
    if (destroyed.has(row) || !check.success) continue;
    const { result, ...scope } = check.data;
    const hits = result.hits.map((hit) => ({ ...hit, id: newId('hit') }));
    const [fields = {}] = await sealRows([{ ...scope, result: { ...result, hits } }], SEALED_RESULT, session);
    await getRawCollection('checks').updateOne({ _id: scope._id }, { $set: fields }, { session });
    const keys = await computeImportedSubjectKeys(platform, scope);
    await insertResultHits(
      platform,
      { mongoSession: session },
      scope,
      hits.map((hit) => ({ hit, keys })),
    );
    converted += 1;
  }
  return converted;
}

/** Hits of imported sessions had the ids of their owner, and no rows by which the importer reviews them. */
export const importedHits: Migration = {
  version: 10,
  name: 'imported-hits',
  summary: 'makes the hits of imported sessions reviewable by the organisation that imported them',
  run: (context) =>
    convertRows(context, {
      collection: 'checks',
      filter: { kind: 'aml_screening', status: 'completed', details: null, sessionId: { $ne: null }, deletedAt: null },
      convert: (rows, session) => renewHits(context.platform, rows, session),
    }),
};

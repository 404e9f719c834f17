import { mongo } from 'mongoose';
import type { ClientSession } from 'mongoose';
import { z } from 'zod';
import { AppError } from '../../../domain/errors';
import { convertEarlierValue } from '../../platform/evidence/blind-index';
import { convertCollections, getRawCollection } from '../../platform/migrations/batches';
import type { Conversion, StoredRow } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';
import type { Platform } from '../../platform/platform';
import { sealUsage } from '../documents/document-uses';

/** The form of a fingerprint before wrapping keys. */
const EARLIER_FINGERPRINT = /^[0-9a-f]{64}$/;

const rowSchema = z.object({
  organisationId: z.string(),
  mode: z.enum(['live', 'test']),
  fingerprint: z.string(),
  uses: z.array(z.record(z.string(), z.unknown())).default([]),
});

const earlierUseSchema = z.object({
  checkId: z.string(),
  recordId: z.string(),
  externalId: z.string().nullable(),
  at: z.date(),
});

/**
 * A use in its present form, encrypted. The date of birth was stored as a hash, which cannot be converted: two earlier
 * uses are distinguished by their externalId.
 * @returns null for a use of a person who was erased
 */
async function convertUse(
  platform: Platform,
  row: z.infer<typeof rowSchema>,
  use: Record<string, unknown>,
  session: ClientSession,
): Promise<object | null> {
  if ('sealed' in use) return use;
  const { externalId, ...known } = earlierUseSchema.parse(use);
  try {
    const sealed = await sealUsage(platform, row, known, { externalId, holder: null }, session);
    return { ...known, sealed: new mongo.Binary(sealed) };
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  }
}

const buildConversion = (platform: Platform, collection: string, hasUses: boolean): Conversion => ({
  collection,
  filter: { fingerprint: EARLIER_FINGERPRINT },
  async convert(rows: StoredRow[], session) {
    const stored = getRawCollection(collection);
    let converted = 0;
    for (const found of rows) {
      const row = rowSchema.parse(found);
      const fingerprint = await convertEarlierValue(platform, row.organisationId, row.fingerprint);
      if (fingerprint === null) continue;
      const uses = [];
      for (const use of row.uses) uses.push(await convertUse(platform, row, use, session));
      const kept = uses.filter((use) => use !== null);
      const { organisationId, mode } = row;
      const present = await stored.findOne({ organisationId, mode, fingerprint }, { session });
      // The document was used or blocked again since: its present row gets the earlier uses.
      if (present !== null) {
        await stored.deleteOne({ _id: found._id }, { session });
        if (hasUses) {
          const update: mongo.Document = { $push: { uses: { $each: kept, $position: 0 } } };
          await stored.updateOne({ _id: present._id }, update, { session });
        }
      } else {
        const $set = { fingerprint, ...(hasUses ? { uses: kept } : {}) };
        await stored.updateOne({ _id: found._id }, { $set }, { session });
      }
      converted += 1;
    }
    return converted;
  },
});

/** Fingerprints of documents were keyed hashes; now they are hashes that the wrapping key encrypts. */
export const documentFingerprints: Migration = {
  version: 7,
  name: 'document-fingerprints',
  summary: 'converts fingerprints of documents, so that earlier uses and blocklist entries are found by their index',
  run: (context) =>
    convertCollections(context, [
      buildConversion(context.platform, 'document_uses', true),
      buildConversion(context.platform, 'blocked_documents', false),
    ]),
};

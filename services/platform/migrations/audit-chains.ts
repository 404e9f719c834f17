import { z } from 'zod';
import type { ClientSession } from 'mongoose';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditRecord } from '../../../models/platform/audit/audit';
import { authenticateEntry, computeChainHash, toContentList } from '../audit/authentication';
import { GENESIS_HASH } from '../audit/sealing';
import { readSignedHead } from '../audit/signed-heads';
import type { Platform } from '../platform';
import type { MigratedBatch, Migration, MigrationContext } from './migration';

const BATCH_SIZE = 500;

/** Where the conversion of a chain continues: its last converted row with its earlier and its new hash. */
const cursorSchema = z.object({
  organisationId: z.string(),
  position: z.number(),
  earlierHash: z.string(),
  hash: z.string(),
});

type ChainCursor = z.infer<typeof cursorSchema>;

const parseCursor = (text: string): ChainCursor => cursorSchema.parse(JSON.parse(text));

/** The hash of a row in versions without authentication codes. */
const computeEarlierHash = (row: AuditRecord, position: number, previousHash: string): string =>
  sha256Hex(JSON.stringify([position, previousHash, ...toContentList(row)]));

/** Writes authentication codes and hashes of the next rows of a chain; none at its end, or where it was altered. */
async function convertRows(
  { masterKey, logger }: Platform,
  cursor: ChainCursor,
  mongoSession: ClientSession,
): Promise<MigratedBatch> {
  const { organisationId } = cursor;
  const rows = await Audit.find({ organisationId, position: { $gt: cursor.position } })
    .sort({ position: 1 })
    .limit(BATCH_SIZE)
    .session(mongoSession)
    .lean<AuditRecord[]>();
  let { position, earlierHash, hash } = cursor;
  const updates = [];
  for (const row of rows) {
    position += 1;
    if (row.position !== position || row.hash !== computeEarlierHash(row, position, earlierHash)) {
      logger.error({ organisationId, position }, 'An audit chain of an earlier version was altered; not converted');
      return { cursor: JSON.stringify(cursor), converted: 0 };
    }
    earlierHash = row.hash;
    const previousHash = hash;
    const mac = authenticateEntry(masterKey, row);
    hash = computeChainHash(masterKey, { ...row, mac }, position, previousHash);
    updates.push({ updateOne: { filter: { _id: row._id }, update: { $set: { mac, previousHash, hash } } } });
  }
  if (updates.length > 0) await Audit.bulkWrite(updates, { session: mongoSession });
  await AuditHead.updateOne({ _id: organisationId, position }, { $set: { hash } }, { session: mongoSession });
  return { cursor: JSON.stringify({ organisationId, position, earlierHash, hash }), converted: updates.length };
}

/** Authenticates the rows that were not chained yet. */
async function authenticatePending({ masterKey }: Platform, organisationId: string, session: ClientSession) {
  const rows = await Audit.find({ organisationId, position: null, mac: null })
    .session(session)
    .limit(BATCH_SIZE)
    .lean<AuditRecord[]>();
  if (rows.length === 0) return 0;
  const updates = rows.map((row) => ({
    updateOne: { filter: { _id: row._id }, update: { $set: { mac: authenticateEntry(masterKey, row) } } },
  }));
  await Audit.bulkWrite(updates, { session });
  return rows.length;
}

/**
 * Whether a chain was written by a version without authentication codes. One with a signed head was not: rows without
 * codes in it were inserted by someone else.
 */
async function isEarlierChain(platform: Platform, organisationId: string): Promise<boolean> {
  if ((await Audit.exists({ organisationId, mac: null })) === null) return false;
  if ((await Audit.exists({ organisationId, position: 1, mac: { $ne: null } })) !== null) return false;
  return (await readSignedHead(platform, organisationId)) === null;
}

async function convertChain({ platform, commit }: MigrationContext, start: ChainCursor): Promise<void> {
  let batch: MigratedBatch = { cursor: JSON.stringify(start), converted: 1 };
  while (batch.converted > 0) {
    const cursor = parseCursor(batch.cursor);
    batch = await commit((mongoSession) => convertRows(platform, cursor, mongoSession));
  }
  for (let pending = 1; pending > 0;) {
    const { cursor } = batch;
    ({ converted: pending } = await commit(async (mongoSession) => ({
      cursor,
      converted: await authenticatePending(platform, start.organisationId, mongoSession),
    })));
  }
}

/** Chains of versions without authentication codes are verified as those versions did, and chained again with codes. */
export const auditChains: Migration = {
  version: 8,
  name: 'audit-chains',
  summary: 'adds authentication codes to audit chains of versions without them, after verifying the chains',
  async run(context) {
    const started = context.cursor === null ? null : parseCursor(context.cursor);
    const organisations = (await Audit.distinct('organisationId', { mac: null })).sort();
    for (const organisationId of organisations) {
      if (started !== null && organisationId < started.organisationId) continue;
      const begun = started?.organisationId === organisationId ? started : null;
      if (begun === null && !(await isEarlierChain(context.platform, organisationId))) continue;
      await convertChain(
        context,
        begun ?? { organisationId, position: 0, earlierHash: GENESIS_HASH, hash: GENESIS_HASH },
      );
    }
  },
};

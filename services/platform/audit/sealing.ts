import { withMongoTransaction } from '../../../lib/mongo';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import { signChainHead } from './signatures';
import type { Platform } from '../platform';

export const GENESIS_HASH = '0'.repeat(64);
const BATCH_SIZE = 500;

/** The hash of a row covers its content and the previous hash, so that no row can be changed, removed or moved unnoticed. */
export const computeRowHash = (row: AuditRecord, position: number, previousHash: string): string =>
  sha256Hex(
    JSON.stringify([
      position,
      previousHash,
      row._id,
      row.organisationId,
      row.mode,
      row.at.toISOString(),
      row.actor,
      row.action,
      row.subject,
      row.fields,
      row.reason ?? null,
      row.requestId ?? null,
    ]),
  );

/** Chains one batch of an organisation's rows. The guard on the head makes one of two concurrent runs a no-op. */
async function sealBatch(organisationId: string): Promise<number> {
  return withMongoTransaction(async (mongoSession) => {
    const head = await AuditHead.findById(organisationId).session(mongoSession).lean<AuditHeadRecord>();
    const rows = await Audit.find({ organisationId, position: null })
      .sort({ _id: 1 })
      .limit(BATCH_SIZE)
      .session(mongoSession)
      .lean<AuditRecord[]>();
    if (rows.length === 0) return 0;
    let position = head?.position ?? 0;
    let hash = head?.hash ?? GENESIS_HASH;
    const writes = rows.map((row) => {
      position += 1;
      const previousHash = hash;
      hash = computeRowHash(row, position, previousHash);
      return {
        updateOne: { filter: { _id: row._id, position: null }, update: { $set: { position, previousHash, hash } } },
      };
    });
    await AuditHead.updateOne(
      { _id: organisationId, ...(head === null ? {} : { position: head.position }) },
      { $set: { position, hash } },
      { session: mongoSession, upsert: head === null },
    );
    await Audit.bulkWrite(writes, { session: mongoSession });
    return rows.length;
  });
}

/** Chains every row committed so far. Run by a Temporal Schedule; concurrent runs are safe. */
export async function sealAudit(platform: Platform): Promise<number> {
  let sealed = 0;
  const organisations = await Audit.distinct('organisationId', { position: null });
  for (const organisationId of organisations) {
    for (let count = await sealBatch(organisationId); count > 0; count = await sealBatch(organisationId)) {
      sealed += count;
    }
    const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
    if (head !== null) await signChainHead(platform, { organisationId, position: head.position, hash: head.hash });
  }
  return sealed;
}

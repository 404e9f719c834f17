import { withMongoTransaction } from '../../../lib/mongo';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import { computeChainHash } from './authentication';
import { postSignedHeads } from './head-webhook';
import { signChainHead } from './signed-heads';
import type { Platform } from '../platform';

export const GENESIS_HASH = '0'.repeat(64);
const BATCH_SIZE = 500;

/** Chains one batch of an organisation's rows. The guard on the head makes one of two concurrent runs a no-op. */
async function sealBatch({ masterKey }: Platform, organisationId: string): Promise<number> {
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
      hash = computeChainHash(masterKey, row, position, previousHash);
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

/** Also chains whose head could not be signed before, such as during an outage of the object store. */
const findUnsignedChains = (): Promise<string[]> =>
  AuditHead.distinct('_id', { $expr: { $gt: ['$position', { $ifNull: ['$signedPosition', 0] }] } });

/** Chains every row committed so far, signs the heads and posts them to the receiver, if one is set. Run by a Temporal Schedule; concurrent runs are safe. */
export async function sealAudit(platform: Platform): Promise<number> {
  let sealed = 0;
  const organisations = await Audit.distinct('organisationId', { position: null });
  for (const organisationId of organisations) {
    for (
      let count = await sealBatch(platform, organisationId);
      count > 0;
      count = await sealBatch(platform, organisationId)
    ) {
      sealed += count;
    }
  }
  const signed: string[] = [];
  for (const organisationId of await findUnsignedChains())
    if (await signChainHead(platform, organisationId)) signed.push(organisationId);
  await postSignedHeads(platform, signed);
  return sealed;
}

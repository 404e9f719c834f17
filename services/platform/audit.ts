import { inTransaction } from '../../lib/mongo';
import { keyedHash, sha256Hex } from '../../lib/crypto/secrets';
import { Audit, AuditHead } from '../../models/platform/audit';
import type { AuditHeadRecord, AuditRecord } from '../../models/platform/audit';
import type { Platform } from './platform';

const GENESIS = '0'.repeat(64);
const BATCH = 500;
const SIGN_EVERY_MS = 86_400_000;

export interface AuditVerdict {
  valid: boolean;
  /** Rows proven in the chain. */
  sealed: number;
  /** Rows written and not yet chained. */
  unsealed: number;
  /** Position of the first row that does not fit, when invalid. */
  brokenAt: number | null;
}

/** The hash of a row: over what it says and the hash before it, so that no row can be changed, left out or moved. */
const rowHash = (row: AuditRecord, position: number, previousHash: string): string =>
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

/** Chains one batch of an organisation's rows; another sealer at work makes this one a no-op by the head's guard. */
async function sealBatch(platform: Platform, organisationId: string): Promise<number> {
  return inTransaction(async (session) => {
    const head = await AuditHead.findById(organisationId).session(session).lean<AuditHeadRecord>();
    const rows = await Audit.find({ organisationId, position: null })
      .sort({ _id: 1 })
      .limit(BATCH)
      .session(session)
      .lean<AuditRecord[]>();
    if (rows.length === 0) return 0;
    let position = head?.position ?? 0;
    let hash = head?.hash ?? GENESIS;
    const writes = rows.map((row) => {
      position += 1;
      const previousHash = hash;
      hash = rowHash(row, position, previousHash);
      return {
        updateOne: { filter: { _id: row._id, position: null }, update: { $set: { position, previousHash, hash } } },
      };
    });
    const now = platform.clock.now();
    const due = head?.signedAt == null || now.getTime() - head.signedAt.getTime() >= SIGN_EVERY_MS;
    const signature = due
      ? { signature: keyedHash(platform.config.jwtSecret, `${organisationId}:${position}:${hash}`), signedAt: now }
      : {};
    await AuditHead.updateOne(
      { _id: organisationId, ...(head === null ? {} : { position: head.position }) },
      { $set: { position, hash, ...signature } },
      { session, upsert: head === null },
    );
    await Audit.bulkWrite(writes, { session });
    return rows.length;
  });
}

/** Chains every row committed so far. Run by a Schedule; safe to run twice at once. */
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
  return sealed;
}

/** Recomputes an organisation's chain from its first row and compares it with the head. */
export async function verifyAudit(organisationId: string): Promise<AuditVerdict> {
  const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const unsealed = await Audit.countDocuments({ organisationId, position: null });
  let position = 0;
  let hash = GENESIS;
  const rows = Audit.find({ organisationId, position: { $gte: 1 } })
    .sort({ position: 1 })
    .lean()
    .cursor();
  for await (const row of rows) {
    const expected = rowHash(row, position + 1, hash);
    if (row.position !== position + 1 || row.previousHash !== hash || row.hash !== expected) {
      return { valid: false, sealed: position, unsealed, brokenAt: position + 1 };
    }
    position += 1;
    hash = expected;
  }
  const whole = position === (head?.position ?? 0) && hash === (head?.hash ?? GENESIS);
  return { valid: whole, sealed: position, unsealed, brokenAt: whole ? null : position + 1 };
}

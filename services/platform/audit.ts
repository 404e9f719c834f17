import { inTransaction } from '../../lib/mongo';
import { sha256Hex } from '../../lib/crypto/secrets';
import { Audit, AuditHead } from '../../models/platform/audit';
import type { AuditHeadRecord, AuditRecord } from '../../models/platform/audit';
import { signChain, signedEnds } from './audit-signatures';
import type { Platform } from './platform';

const GENESIS = '0'.repeat(64);
const BATCH = 500;

export interface AuditVerdict {
  valid: boolean;
  /** Rows proven in the chain. */
  sealed: number;
  /** Rows written and not yet chained. */
  unsealed: number;
  /** Position of the first row that does not fit, when invalid. */
  brokenAt: number | null;
  /** The last position that was signed, and when. */
  signedUpTo: number | null;
  signedAt: Date | null;
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
async function sealBatch(organisationId: string): Promise<number> {
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
    await AuditHead.updateOne(
      { _id: organisationId, ...(head === null ? {} : { position: head.position }) },
      { $set: { position, hash } },
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
    for (let count = await sealBatch(organisationId); count > 0; count = await sealBatch(organisationId)) {
      sealed += count;
    }
    const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
    if (head !== null) await signChain(platform, { organisationId, position: head.position, hash: head.hash });
  }
  return sealed;
}

/**
 * Recomputes an organisation's chain from its first row, and compares it with its end and with every end that was
 * signed, so that a chain made anew over altered rows does not pass for the one that was signed.
 */
export async function verifyAudit(platform: Platform, organisationId: string): Promise<AuditVerdict> {
  const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const unsealed = await Audit.countDocuments({ organisationId, position: null });
  const { hashes: signed, lastSignedAt: signedAt } = await signedEnds(platform, organisationId);
  const signedUpTo = signed.size === 0 ? null : Math.max(...signed.keys());
  const told = { unsealed, signedUpTo, signedAt };
  let position = 0;
  let hash = GENESIS;
  const rows = Audit.find({ organisationId, position: { $gte: 1 } })
    .sort({ position: 1 })
    .lean()
    .cursor();
  for await (const row of rows) {
    const expected = rowHash(row, position + 1, hash);
    const chained = row.position === position + 1 && row.previousHash === hash && row.hash === expected;
    if (!chained || (signed.has(position + 1) && signed.get(position + 1) !== expected)) {
      return { valid: false, sealed: position, brokenAt: position + 1, ...told };
    }
    position += 1;
    hash = expected;
  }
  const atEnd = position === (head?.position ?? 0) && hash === (head?.hash ?? GENESIS);
  const whole = atEnd && position >= (signedUpTo ?? 0);
  return { valid: whole, sealed: position, brokenAt: whole ? null : position + 1, ...told };
}

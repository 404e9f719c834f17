import { invalidField } from '../../../domain/errors';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import { GENESIS, rowHash } from './sealing';
import { signedEnds } from './signatures';

/** Rows recomputed in one look: about half a second. */
export const VERIFY_ROWS = { max: 50_000, default: 10_000 } as const;

/** What a part of a chain looks like once recomputed. */
export interface AuditVerdict {
  valid: boolean;
  /** The first position looked at. */
  from: number;
  /** The last position proven in this look, or before it. */
  sealed: number;
  /** Rows written and not yet chained. */
  unsealed: number;
  /** Position of the first row that does not fit, when invalid. */
  brokenAt: number | null;
  /** The last position that was signed, and when. */
  signedUpTo: number | null;
  signedAt: Date | null;
  /** Where the next look begins; null once the end was reached or the chain is broken. */
  nextFrom: number | null;
}

/** The hash a part of the chain goes on from: that of the row before it. */
async function hashBefore(organisationId: string, from: number): Promise<string | null> {
  if (from === 1) return GENESIS;
  const before = await Audit.findOne({ organisationId, position: from - 1 }).lean<AuditRecord>();
  return before?.hash ?? null;
}

interface Walked {
  /** the last position that fits */
  position: number;
  hash: string;
  broken: boolean;
}

/** Recomputes rows one after another until one does not fit. */
async function walk(
  organisationId: string,
  { from, limit }: { from: number; limit: number },
  before: string,
  signed: ReadonlyMap<number, string | null>,
): Promise<Walked> {
  let position = from - 1;
  let hash = before;
  const rows = Audit.find({ organisationId, position: { $gte: from, $lt: from + limit } })
    .sort({ position: 1 })
    .lean<AuditRecord[]>()
    .cursor();
  for await (const row of rows) {
    const expected = rowHash(row, position + 1, hash);
    const chained = row.position === position + 1 && row.previousHash === hash && row.hash === expected;
    if (!chained || (signed.has(position + 1) && signed.get(position + 1) !== expected)) {
      return { position, hash, broken: true };
    }
    position += 1;
    hash = expected;
  }
  return { position, hash, broken: false };
}

/**
 * Recomputes a part of an organisation's chain, and compares it with every end that was signed within, so that a chain
 * made anew over altered rows does not pass for the one that was signed; at the end also with the end that is noted.
 * The whole chain is proven by looks that follow each other by `nextFrom`.
 *
 * @param part.from position to begin at, 1 upwards
 * @param part.limit most rows to look at
 * @throws AppError 400 for a beginning beyond the end
 */
export async function verifyAuditPart(
  organisationId: string,
  part: { from: number; limit: number },
): Promise<AuditVerdict> {
  const { from, limit } = part;
  const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const end = head?.position ?? 0;
  if (from > end + 1) throw invalidField('from', `accepts a position of the chain, 1–${end + 1}`);
  const unsealed = await Audit.countDocuments({ organisationId, position: null });
  const { hashes: signed, lastSignedAt: signedAt } = await signedEnds(organisationId);
  const signedUpTo = signed.size === 0 ? null : Math.max(...signed.keys());
  const told = { from, unsealed, signedUpTo, signedAt };
  const before = await hashBefore(organisationId, from);
  const broken = (at: number) => ({ valid: false, sealed: at - 1, brokenAt: at, nextFrom: null, ...told });
  if (before === null) return broken(from - 1);
  const walked = await walk(organisationId, part, before, signed);
  if (walked.broken) return broken(walked.position + 1);
  const { position, hash } = walked;
  const whole = (nextFrom: number | null) => ({ valid: true, sealed: position, brokenAt: null, nextFrom, ...told });
  if (position === from + limit - 1 && position < end) return whole(position + 1);
  if (position < Math.max(end, signedUpTo ?? 0)) return broken(position + 1);
  // Rows may have been chained since the end was read: it is moved on with them.
  const now = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const newEnd = now?.position ?? 0;
  if (position < newEnd) return whole(position + 1);
  return position === newEnd && hash === (now?.hash ?? GENESIS) ? whole(null) : broken(newEnd + 1);
}

/** Proves a whole chain, part by part. */
export async function verifyAudit(organisationId: string): Promise<AuditVerdict> {
  for (let from = 1; ;) {
    const verdict = await verifyAuditPart(organisationId, { from, limit: VERIFY_ROWS.max });
    if (verdict.nextFrom === null) return { ...verdict, from: 1 };
    from = verdict.nextFrom;
  }
}

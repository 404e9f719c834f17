import { invalidFieldError } from '../../../domain/errors';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import { GENESIS_HASH, computeRowHash } from './sealing';
import { readSignedHeads } from './signatures';

/** Rows recomputed in one look: about half a second. */
export const VERIFY_ROW_LIMITS = { max: 50_000, default: 10_000 } as const;

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
async function findPreviousHash(organisationId: string, from: number): Promise<string | null> {
  if (from === 1) return GENESIS_HASH;
  const before = await Audit.findOne({ organisationId, position: from - 1 }).lean<AuditRecord>();
  return before?.hash ?? null;
}

interface SegmentScan {
  /** the last position that fits */
  position: number;
  hash: string;
  broken: boolean;
}

/** Recomputes rows one after another until one does not fit. */
async function scanSegment(
  organisationId: string,
  { from, limit }: { from: number; limit: number },
  before: string,
  signed: ReadonlyMap<number, string | null>,
): Promise<SegmentScan> {
  let position = from - 1;
  let hash = before;
  const rows = Audit.find({ organisationId, position: { $gte: from, $lt: from + limit } })
    .sort({ position: 1 })
    .lean<AuditRecord[]>()
    .cursor();
  for await (const row of rows) {
    const expected = computeRowHash(row, position + 1, hash);
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
export async function verifyAuditSegment(
  organisationId: string,
  segment: { from: number; limit: number },
): Promise<AuditVerdict> {
  const { from, limit } = segment;
  const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const headPosition = head?.position ?? 0;
  if (from > headPosition + 1)
    throw invalidFieldError('from', `accepts a position of the chain, 1–${headPosition + 1}`);
  const unsealed = await Audit.countDocuments({ organisationId, position: null });
  const { hashes: signed, lastSignedAt: signedAt } = await readSignedHeads(organisationId);
  const signedUpTo = signed.size === 0 ? null : Math.max(...signed.keys());
  const chainInfo = { from, unsealed, signedUpTo, signedAt };
  const before = await findPreviousHash(organisationId, from);
  const buildBrokenVerdict = (at: number) => ({
    valid: false,
    sealed: at - 1,
    brokenAt: at,
    nextFrom: null,
    ...chainInfo,
  });
  if (before === null) return buildBrokenVerdict(from - 1);
  const scan = await scanSegment(organisationId, segment, before, signed);
  if (scan.broken) return buildBrokenVerdict(scan.position + 1);
  const { position, hash } = scan;
  const buildValidVerdict = (nextFrom: number | null) => ({
    valid: true,
    sealed: position,
    brokenAt: null,
    nextFrom,
    ...chainInfo,
  });
  if (position === from + limit - 1 && position < headPosition) return buildValidVerdict(position + 1);
  if (position < Math.max(headPosition, signedUpTo ?? 0)) return buildBrokenVerdict(position + 1);
  // Rows may have been chained since the end was read: it is moved on with them.
  const currentHead = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const currentHeadPosition = currentHead?.position ?? 0;
  if (position < currentHeadPosition) return buildValidVerdict(position + 1);
  return position === currentHeadPosition && hash === (currentHead?.hash ?? GENESIS_HASH)
    ? buildValidVerdict(null)
    : buildBrokenVerdict(currentHeadPosition + 1);
}

/** Proves a whole chain, part by part. */
export async function verifyAuditChain(organisationId: string): Promise<AuditVerdict> {
  for (let from = 1; ;) {
    const verdict = await verifyAuditSegment(organisationId, { from, limit: VERIFY_ROW_LIMITS.max });
    if (verdict.nextFrom === null) return { ...verdict, from: 1 };
    from = verdict.nextFrom;
  }
}

import { invalidFieldError } from '../../../domain/errors';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import { GENESIS_HASH, computeRowHash } from './sealing';
import { readSignedHeads } from './signatures';

/** Rows verified in one call; the default takes about half a second. */
export const VERIFY_ROW_LIMITS = { max: 50_000, default: 10_000 } as const;

/** Result of the verification of one segment of a chain. */
export interface AuditVerdict {
  valid: boolean;
  /** First position of the segment. */
  from: number;
  /** Last verified position. */
  sealed: number;
  /** Number of rows that are not chained yet. */
  unsealed: number;
  /** Position of the first row that does not match the chain; null if valid. */
  brokenAt: number | null;
  /** Last signed position, and the time of its signature. */
  signedUpTo: number | null;
  signedAt: Date | null;
  /** Start of the next segment; null at the end of the chain or if the chain is broken. */
  nextFrom: number | null;
}

/** The hash of the row before a segment. */
async function findPreviousHash(organisationId: string, from: number): Promise<string | null> {
  if (from === 1) return GENESIS_HASH;
  const before = await Audit.findOne({ organisationId, position: from - 1 }).lean<AuditRecord>();
  return before?.hash ?? null;
}

interface SegmentScan {
  /** Last position that matches the chain. */
  position: number;
  hash: string;
  broken: boolean;
}

/** Recomputes the hashes of rows until one does not match. */
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
 * Verifies one segment of an organisation's chain: recomputes the hashes, compares them with the signed heads within the
 * segment (so that a chain recomputed over altered rows is detected) and, at the end, with the stored head. Follow
 * `nextFrom` to verify the whole chain.
 *
 * @param segment.from first position, 1 or greater
 * @param segment.limit maximum number of rows
 * @throws AppError 400 if `from` is beyond the end of the chain
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
  // Rows may have been chained since the head was read, so the head is read again.
  const currentHead = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  const currentHeadPosition = currentHead?.position ?? 0;
  if (position < currentHeadPosition) return buildValidVerdict(position + 1);
  return position === currentHeadPosition && hash === (currentHead?.hash ?? GENESIS_HASH)
    ? buildValidVerdict(null)
    : buildBrokenVerdict(currentHeadPosition + 1);
}

/** Verifies a whole chain, segment by segment. */
export async function verifyAuditChain(organisationId: string): Promise<AuditVerdict> {
  for (let from = 1; ;) {
    const verdict = await verifyAuditSegment(organisationId, { from, limit: VERIFY_ROW_LIMITS.max });
    if (verdict.nextFrom === null) return { ...verdict, from: 1 };
    from = verdict.nextFrom;
  }
}

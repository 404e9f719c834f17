import { invalidFieldError } from '../../../domain/errors';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import type { Platform } from '../platform';
import { isChained, isEntryAuthentic } from './authentication';
import { GENESIS_HASH } from './sealing';
import { readSignedHead } from './signed-heads';
import type { SignedHead } from './signed-heads';

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
  /** Last position that was signed and written to the object store, and the time of its signature. */
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

/** Positions of a segment, both inclusive. */
interface Segment {
  from: number;
  limit: number;
}

interface SegmentScan {
  /** Last position that matches the chain. */
  position: number;
  hash: string;
  broken: boolean;
}

/** Verifies rows until one does not match the chain or the signed head. */
async function scanSegment(
  { masterKey }: Platform,
  organisationId: string,
  { from, limit }: Segment,
  previousHash: string,
  signed: SignedHead | null,
): Promise<SegmentScan> {
  let position = from - 1;
  let hash = previousHash;
  const rows = Audit.find({ organisationId, position: { $gte: from, $lt: from + limit } })
    .sort({ position: 1 })
    .lean<AuditRecord[]>()
    .cursor();
  for await (const row of rows) {
    const contradictsSignature = signed?.position === position + 1 && signed.hash !== row.hash;
    if (!isChained(masterKey, row, position + 1, hash) || contradictsSignature) return { position, hash, broken: true };
    position += 1;
    hash = row.hash;
  }
  return { position, hash, broken: false };
}

/** Rows waiting to be sealed, at most one minute old while the service runs. */
async function verifyUnsealedRows({ masterKey }: Platform, organisationId: string): Promise<boolean> {
  const rows = Audit.find({ organisationId, position: null })
    .limit(VERIFY_ROW_LIMITS.max)
    .lean<AuditRecord[]>()
    .cursor();
  for await (const row of rows) if (!isEntryAuthentic(masterKey, row)) return false;
  return true;
}

/** The signed head that the object store has. */
interface StoredSignature {
  signed: SignedHead | 'invalid' | null;
  /** Up to where signatures had been written to the object store before it was read; 0 if none had. */
  writtenUpTo: number;
}

/** Position from which signed rows or signatures are missing; null if none are. */
function findTruncation({ signed, writtenUpTo }: StoredSignature, position: number): number | null {
  if (signed === 'invalid') return position + 1;
  const signedPosition = signed?.position ?? 0;
  if (signedPosition > position) return position + 1;
  return writtenUpTo > signedPosition ? signedPosition + 1 : null;
}

/** Verifies what only the end of a chain shows. @returns the first position that does not match, or null */
async function verifyEnd(
  platform: Platform,
  organisationId: string,
  { position, hash }: Pick<SegmentScan, 'position' | 'hash'>,
  signature: StoredSignature,
  head: AuditHeadRecord | null,
): Promise<number | null> {
  const truncatedAt = findTruncation(signature, position);
  if (truncatedAt !== null) return truncatedAt;
  if (position !== (head?.position ?? 0) || hash !== (head?.hash ?? GENESIS_HASH)) return position + 1;
  return (await verifyUnsealedRows(platform, organisationId)) ? null : position + 1;
}

const readHead = (organisationId: string): Promise<AuditHeadRecord | null> =>
  AuditHead.findById(organisationId).lean<AuditHeadRecord>();

/**
 * Verifies one segment of an organisation's chain: the code of every row, the chain of hashes, the head that was signed
 * last and, at the end, the stored head and the rows that are not sealed yet. Follow `nextFrom` to verify the whole chain.
 *
 * @param segment.from first position, 1 or greater
 * @param segment.limit maximum number of rows
 * @throws AppError 400 if `from` is beyond the end of the chain
 */
export async function verifyAuditSegment(
  platform: Platform,
  organisationId: string,
  segment: Segment,
): Promise<AuditVerdict> {
  const { from, limit } = segment;
  const headBefore = await readHead(organisationId);
  const headPosition = headBefore?.position ?? 0;
  if (from > headPosition + 1)
    throw invalidFieldError('from', `accepts a position of the chain, 1–${headPosition + 1}`);
  const unsealed = await Audit.countDocuments({ organisationId, position: null });
  const writtenUpTo = headBefore?.signedPosition ?? 0;
  const signed = await readSignedHead(platform, organisationId, writtenUpTo);
  const validlySigned = signed === 'invalid' ? null : signed;
  const chainInfo = {
    from,
    unsealed,
    signedUpTo: validlySigned?.position ?? null,
    signedAt: validlySigned?.signedAt ?? null,
  };
  const buildVerdict = (sealed: number, brokenAt: number | null, nextFrom: number | null): AuditVerdict => ({
    valid: brokenAt === null,
    sealed,
    brokenAt,
    nextFrom,
    ...chainInfo,
  });
  const previousHash = await findPreviousHash(organisationId, from);
  if (previousHash === null) return buildVerdict(from - 2, from - 1, null);
  const scan = await scanSegment(platform, organisationId, segment, previousHash, validlySigned);
  const { position } = scan;
  if (scan.broken) return buildVerdict(position, position + 1, null);
  // Rows may have been sealed since the head was read, so it is read again.
  const head = await readHead(organisationId);
  const segmentIsFull = position === from + limit - 1;
  if (position < (head?.position ?? 0) && (segmentIsFull || position >= headPosition))
    return buildVerdict(position, null, position + 1);
  // A later signature may have been written since the object store was read.
  const brokenAt = await verifyEnd(platform, organisationId, scan, { signed, writtenUpTo }, head);
  return buildVerdict(brokenAt === null ? position : Math.min(position, brokenAt - 1), brokenAt, null);
}

/** Verifies a whole chain, segment by segment. */
export async function verifyAuditChain(platform: Platform, organisationId: string): Promise<AuditVerdict> {
  for (let from = 1; ;) {
    const verdict = await verifyAuditSegment(platform, organisationId, { from, limit: VERIFY_ROW_LIMITS.max });
    if (verdict.nextFrom === null) return { ...verdict, from: 1 };
    from = verdict.nextFrom;
  }
}

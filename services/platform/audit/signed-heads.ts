import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { Audit, AuditHead } from '../../../models/platform/audit/audit';
import type { AuditHeadRecord, AuditRecord } from '../../../models/platform/audit/audit';
import type { Platform } from '../platform';
import { findVerificationKey, getSigningKey } from '../access/signing-keys';

const ALGORITHM = 'ES256';

/** The last row of a chain at the time of signing. */
export interface SignedHead {
  position: number;
  hash: string;
  signedAt: Date;
  keyId: string;
  /** The JWS as stored, with organisation, position, hash and time of signing. */
  token: string;
}

type ChainHead = Pick<SignedHead, 'position' | 'hash'>;

const claimsSchema = z.object({ org: z.string(), position: z.number(), hash: z.string(), iat: z.number() });

/** Signed heads are in a store of their own: with write access to the database alone they can be neither removed nor replaced. */
const buildKey = (organisationId: string): string => `${organisationId}.jws`;

/** @returns `'invalid'` if this installation did not sign the token as a head of this chain */
async function verifySignature(
  platform: Platform,
  organisationId: string,
  token: string,
): Promise<SignedHead | 'invalid'> {
  try {
    const keyId = jwt.decode(token, { complete: true })?.header.kid ?? '';
    const key = await findVerificationKey(platform, keyId);
    if (key === null) return 'invalid';
    const { org, position, hash, iat } = claimsSchema.parse(jwt.verify(token, key, { algorithms: [ALGORITHM] }));
    return org === organisationId ? { position, hash, signedAt: new Date(iat * 1000), keyId, token } : 'invalid';
  } catch {
    return 'invalid';
  }
}

/** Versions that are read to find a head: more than there are runs at the same time, which may write in any order. */
const MAX_VERSIONS = 10;

/**
 * The head of an organisation's chain that was signed last, from the object store. A run that was slow may have written
 * an earlier head after it.
 * @param signedUpTo position up to which heads were written, as far as the caller knows
 * @returns null without a signed head; `'invalid'` if what the store returns was not signed by this installation
 */
export async function readSignedHead(
  platform: Platform,
  organisationId: string,
  signedUpTo = 0,
): Promise<SignedHead | 'invalid' | null> {
  let last: SignedHead | null = null;
  let count = 0;
  for await (const body of platform.auditHeads.readVersions(buildKey(organisationId))) {
    const head = await verifySignature(platform, organisationId, body.toString('utf8'));
    if (head === 'invalid') return head;
    if (last === null || head.position > last.position) last = head;
    count += 1;
    if (last.position >= signedUpTo || count === MAX_VERSIONS) break;
  }
  return last;
}

/** Whether the chain in the database still contains a signed head. */
async function chainContains(organisationId: string, { position, hash }: ChainHead): Promise<boolean> {
  const row = await Audit.findOne({ organisationId, position }).lean<AuditRecord>();
  return row?.hash === hash;
}

/**
 * Whether this installation signed a head that was kept elsewhere, and the chain still contains it.
 * @param token the JWS, as written to the object store and posted to the receiver
 */
export async function isHeadContained(platform: Platform, organisationId: string, token: string): Promise<boolean> {
  const head = await verifySignature(platform, organisationId, token);
  return head !== 'invalid' && chainContains(organisationId, head);
}

/**
 * Signs a head and writes it. If two processes write at the same time, the store may refuse one of them. That is no error
 * if the other one has written this head or a later one.
 */
async function writeHead(platform: Platform, organisationId: string, { position, hash }: ChainHead): Promise<void> {
  const now = platform.clock.now();
  const { kid, key } = await getSigningKey(platform);
  const claims = { org: organisationId, position, hash, iat: Math.floor(now.getTime() / 1000) };
  const token = jwt.sign(claims, key, { algorithm: ALGORITHM, keyid: kid });
  try {
    await platform.auditHeads.append(buildKey(organisationId), Buffer.from(token, 'utf8'), now);
  } catch (error) {
    const written = await readSignedHead(platform, organisationId, position);
    if (written === null || written === 'invalid' || written.position < position) throw error;
  }
}

/**
 * Signs the current head of an organisation's chain and writes it to the object store, unless it is signed already. A
 * chain that no longer contains the head signed last was altered: it is logged and not signed, so that verification
 * keeps failing.
 * @returns whether the head was signed
 */
export async function signChainHead(platform: Platform, organisationId: string): Promise<boolean> {
  const head = await AuditHead.findById(organisationId).lean<AuditHeadRecord>();
  if (head === null || (head.signedPosition ?? 0) >= head.position) return false;
  const last = await readSignedHead(platform, organisationId, head.signedPosition ?? 0);
  if (last === 'invalid' || (last !== null && !(await chainContains(organisationId, last)))) {
    platform.logger.error({ organisationId }, 'The audit chain does not contain the head signed last; not signed');
    return false;
  }
  const { position } = head;
  if (last === null || last.position < position) await writeHead(platform, organisationId, head);
  await AuditHead.updateOne({ _id: organisationId }, { $max: { signedPosition: position } });
  return true;
}

import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AuditSignature } from '../../../models/platform/audit/audit-signature';
import type { AuditSignatureRecord } from '../../../models/platform/audit/audit-signature';
import type { Platform } from '../platform';
import { listAllKeys, getSigningKey, toVerificationKey } from '../access/signing-keys';
import { DAY_MS } from '../../../domain/durations';

const ALGORITHM = 'ES256';
const SIGNING_INTERVAL_MS = DAY_MS;

/** The last row of a chain at the time of signing. */
export interface AuditChainHead {
  organisationId: string;
  position: number;
  hash: string;
}

const claimsSchema = z.object({ org: z.string(), position: z.number(), hash: z.string() });

/** Signs the head of an organisation's chain, at most once a day. */
export async function signChainHead(platform: Platform, head: AuditChainHead): Promise<void> {
  const { organisationId, position, hash } = head;
  const last = await AuditSignature.findOne({ organisationId }).sort({ position: -1 }).lean<AuditSignatureRecord>();
  const now = platform.clock.now();
  if (last !== null && (last.position >= position || now.getTime() - last.signedAt.getTime() < SIGNING_INTERVAL_MS))
    return;
  const { kid, key } = await getSigningKey(platform);
  const token = jwt.sign({ org: organisationId, position, hash, iat: Math.floor(now.getTime() / 1000) }, key, {
    algorithm: ALGORITHM,
    keyid: kid,
  });
  // Concurrent runs sign the same head; the first signature is kept.
  await AuditSignature.updateOne(
    { _id: `${organisationId}.${position}` },
    { $setOnInsert: { organisationId, position, token, signedAt: now } },
    { upsert: true },
  );
}

/** Every signed head of an organisation's chain: the signed hash by position, null if the signature is invalid. */
export async function readSignedHeads(
  organisationId: string,
): Promise<{ hashes: ReadonlyMap<number, string | null>; lastSignedAt: Date | null }> {
  const rows = await AuditSignature.find({ organisationId }).sort({ position: 1 }).lean<AuditSignatureRecord[]>();
  const keys = new Map((await listAllKeys()).map((jwk) => [jwk.kid, toVerificationKey(jwk)]));
  const hashes = rows.map(({ position, token }): [number, string | null] => {
    const key = keys.get(jwt.decode(token, { complete: true })?.header.kid ?? '');
    try {
      if (key === undefined) return [position, null];
      const signed = claimsSchema.parse(jwt.verify(token, key, { algorithms: [ALGORITHM] }));
      return [position, signed.org === organisationId && signed.position === position ? signed.hash : null];
    } catch {
      return [position, null];
    }
  });
  return { hashes: new Map(hashes), lastSignedAt: rows.at(-1)?.signedAt ?? null };
}

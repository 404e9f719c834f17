import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AuditSignature } from '../../../models/platform/audit/audit-signature';
import type { AuditSignatureRecord } from '../../../models/platform/audit/audit-signature';
import type { Platform } from '../platform';
import { allKeys, signingKey, verificationKey } from '../access/signing-keys';

const ALGORITHM = 'ES256';
const SIGN_EVERY_MS = 86_400_000;

/** Where a chain ended when it was signed. */
export interface ChainEnd {
  organisationId: string;
  position: number;
  hash: string;
}

const claims = z.object({ org: z.string(), position: z.number(), hash: z.string() });

/** Signs the end of an organisation's chain, if a day has passed since it was last signed. */
export async function signChain(platform: Platform, end: ChainEnd): Promise<void> {
  const { organisationId, position, hash } = end;
  const last = await AuditSignature.findOne({ organisationId }).sort({ position: -1 }).lean<AuditSignatureRecord>();
  const now = platform.clock.now();
  if (last !== null && (last.position >= position || now.getTime() - last.signedAt.getTime() < SIGN_EVERY_MS)) return;
  const { kid, key } = await signingKey(platform);
  const token = jwt.sign({ org: organisationId, position, hash, iat: Math.floor(now.getTime() / 1000) }, key, {
    algorithm: ALGORITHM,
    keyid: kid,
  });
  // Two sealers sign the same end alike; the first row stays.
  await AuditSignature.updateOne(
    { _id: `${organisationId}.${position}` },
    { $setOnInsert: { organisationId, position, token, signedAt: now } },
    { upsert: true },
  );
}

/** Every signed end of an organisation's chain: the hash that was signed by position, null where no key of ours did. */
export async function signedEnds(
  organisationId: string,
): Promise<{ hashes: ReadonlyMap<number, string | null>; lastSignedAt: Date | null }> {
  const rows = await AuditSignature.find({ organisationId }).sort({ position: 1 }).lean<AuditSignatureRecord[]>();
  const keys = new Map((await allKeys()).map((jwk) => [jwk.kid, verificationKey(jwk)]));
  const hashes = rows.map(({ position, token }): [number, string | null] => {
    const key = keys.get(jwt.decode(token, { complete: true })?.header.kid ?? '');
    try {
      if (key === undefined) return [position, null];
      const signed = claims.parse(jwt.verify(token, key, { algorithms: [ALGORITHM] }));
      return [position, signed.org === organisationId && signed.position === position ? signed.hash : null];
    } catch {
      return [position, null];
    }
  });
  return { hashes: new Map(hashes), lastSignedAt: rows.at(-1)?.signedAt ?? null };
}

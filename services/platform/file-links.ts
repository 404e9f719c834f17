import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AppError, notFound } from '../../domain/errors';
import { keyedHash } from '../../lib/crypto/secrets';
import type { EvidenceRecord } from '../../models/platform/evidence';
import { readEvidence } from './evidence';
import type { Platform, Scope } from './platform';
import { transact } from './unit-of-work';

/** How long a link opens its file: long enough to be followed, too short to be kept. */
export const LINK_SECONDS = 300;

/** The only algorithm signed with and accepted: a token cannot choose its own. */
const ALGORITHM = 'HS256';
const AUDIENCE = 'vouch-file';

const claims = z.object({
  sub: z.string(),
  org: z.string(),
  mode: z.enum(['live', 'test']),
  act: z.string(),
});

const keys = new Map<string, KeyObject>();

/** A key of its own, so that no token signed for another purpose opens a file. */
function keyOf({ config }: Platform): KeyObject {
  const known = keys.get(config.jwtSecret);
  if (known !== undefined) return known;
  const key = createSecretKey(Buffer.from(keyedHash(config.jwtSecret, AUDIENCE), 'hex'));
  keys.set(config.jwtSecret, key);
  return key;
}

export interface FileLink {
  url: string;
  expiresAt: Date;
}

/**
 * A link that opens one file of one organisation for {@link LINK_SECONDS}, made and audited for a request that was
 * authorised. It holds ids alone.
 */
export async function makeFileLink(
  platform: Platform,
  scope: Scope,
  actor: string,
  evidenceId: string,
): Promise<FileLink> {
  const issued = Math.floor(platform.clock.now().getTime() / 1000);
  const token = jwt.sign({ org: scope.organisationId, mode: scope.mode, act: actor, iat: issued }, keyOf(platform), {
    algorithm: ALGORITHM,
    audience: AUDIENCE,
    subject: evidenceId,
    expiresIn: LINK_SECONDS,
  });
  await transact(platform, (unit) => unit.audit(scope, { actor, action: 'evidence.link_made', subject: evidenceId }));
  return { url: `${platform.config.PUBLIC_URL}/files/${token}`, expiresAt: new Date((issued + LINK_SECONDS) * 1000) };
}

function verified(platform: Platform, token: string): z.infer<typeof claims> {
  try {
    const payload = jwt.verify(token, keyOf(platform), {
      algorithms: [ALGORITHM],
      audience: AUDIENCE,
      clockTimestamp: Math.floor(platform.clock.now().getTime() / 1000),
    });
    return claims.parse(payload);
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) {
      throw new AppError('link_expired', 410, 'The link has expired; ask for another one.');
    }
    throw notFound('file');
  }
}

/**
 * The file behind a link, decrypted, after the look was audited in the name of whoever asked for the link.
 * @throws AppError 404 for a token that is not ours or a file that was erased, 410 for one that expired
 */
export async function openFileLink(
  platform: Platform,
  token: string,
): Promise<{ record: EvidenceRecord; body: Buffer }> {
  const { sub, org, mode, act } = verified(platform, token);
  const scope: Scope = { organisationId: org, mode };
  const file = await readEvidence(platform, scope, sub);
  await transact(platform, (unit) => unit.audit(scope, { actor: act, action: 'evidence.read', subject: sub }));
  return file;
}

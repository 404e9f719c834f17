import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AppError, notFoundError } from '../../../domain/errors';
import { hmacSha256Hex } from '../../../lib/crypto/secrets';
import type { Platform, Scope } from '../platform';

/** How long a link opens its file: long enough to be followed, too short to be kept. */
export const LINK_TTL_SECONDS = 300;

/** The only algorithm signed with and accepted: a token cannot choose its own. */
const ALGORITHM = 'HS256';

/** What a link opens; each kind has a key of its own. */
export type LinkAudience = 'vouch-file' | 'vouch-export';

const claimsSchema = z.object({
  sub: z.string(),
  org: z.string(),
  mode: z.enum(['live', 'test']),
  act: z.string(),
});

const keyCache = new Map<string, KeyObject>();

/** A key of its own, so that no token signed for another purpose opens a file. */
function getLinkKey({ config }: Platform, audience: LinkAudience): KeyObject {
  const name = `${audience}\n${config.jwtSecret}`;
  const cached = keyCache.get(name);
  if (cached !== undefined) return cached;
  const key = createSecretKey(Buffer.from(hmacSha256Hex(config.jwtSecret, audience), 'hex'));
  keyCache.set(name, key);
  return key;
}

/** What a link says: the file, whose it is, and who asked for the link. */
export interface LinkSubject extends Scope {
  subject: string;
  actor: string;
}

/** A token that opens one file of one organisation for {@link LINK_TTL_SECONDS}; it holds ids alone. */
export function signLink(
  platform: Platform,
  audience: LinkAudience,
  { subject, actor, organisationId, mode }: LinkSubject,
): { token: string; expiresAt: Date } {
  const issuedAt = Math.floor(platform.clock.now().getTime() / 1000);
  const token = jwt.sign({ org: organisationId, mode, act: actor, iat: issuedAt }, getLinkKey(platform, audience), {
    algorithm: ALGORITHM,
    audience,
    subject,
    expiresIn: LINK_TTL_SECONDS,
  });
  return { token, expiresAt: new Date((issuedAt + LINK_TTL_SECONDS) * 1000) };
}

/**
 * What a token opens; its signature is compared in constant time.
 * @throws AppError 404 for a token that is not ours, 410 `link_expired` for one whose time is over
 */
export function verifyLink(platform: Platform, audience: LinkAudience, token: string): LinkSubject {
  try {
    const payload = jwt.verify(token, getLinkKey(platform, audience), {
      algorithms: [ALGORITHM],
      audience,
      clockTimestamp: Math.floor(platform.clock.now().getTime() / 1000),
    });
    const { sub, org, mode, act } = claimsSchema.parse(payload);
    return { subject: sub, organisationId: org, mode, actor: act };
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) {
      throw new AppError('link_expired', 410, 'The link has expired; ask for another one.');
    }
    throw notFoundError('file');
  }
}

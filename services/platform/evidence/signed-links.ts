import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AppError, notFoundError } from '../../../domain/errors';
import { signToken, verifyToken } from '../../../lib/crypto/tokens';
import type { TokenSecrets } from '../../../lib/crypto/tokens';
import type { Platform, Scope } from '../platform';

/** Lifetime of a link: long enough to open it, too short to store it. */
export const LINK_TTL_SECONDS = 300;

/** The purpose of a link; each has its own key. */
export type LinkAudience = 'vouch-file' | 'vouch-export';

const claimsSchema = z.object({
  sub: z.string(),
  org: z.string(),
  mode: z.enum(['live', 'test']),
  act: z.string(),
});

/** A separate key for each audience, so that tokens of other purposes are invalid. */
const getSecrets = ({ config }: Platform, audience: LinkAudience): TokenSecrets => ({
  secrets: config.jwtSecrets,
  purpose: audience,
});

/** The file of a link, its organisation, and the actor that requested the link. */
export interface LinkSubject extends Scope {
  subject: string;
  actor: string;
}

/** Creates a token that opens one file for {@link LINK_TTL_SECONDS}. It contains only ids. */
export function signLink(
  platform: Platform,
  audience: LinkAudience,
  { subject, actor, organisationId, mode }: LinkSubject,
): { token: string; expiresAt: Date } {
  const issuedAt = Math.floor(platform.clock.now().getTime() / 1000);
  const token = signToken(
    getSecrets(platform, audience),
    { org: organisationId, mode, act: actor, iat: issuedAt },
    {
      audience,
      subject,
      expiresIn: LINK_TTL_SECONDS,
    },
  );
  return { token, expiresAt: new Date((issuedAt + LINK_TTL_SECONDS) * 1000) };
}

/**
 * Verifies a token.
 * @throws AppError 404 for an invalid token, 410 `link_expired` for an expired one
 */
export function verifyLink(platform: Platform, audience: LinkAudience, token: string): LinkSubject {
  try {
    const payload = verifyToken(getSecrets(platform, audience), token, {
      audience,
      clockTimestamp: Math.floor(platform.clock.now().getTime() / 1000),
    });
    const { sub, org, mode, act } = claimsSchema.parse(payload);
    return { subject: sub, organisationId: org, mode, actor: act };
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) {
      throw new AppError('link_expired', 410, 'The link has expired; request a new one.');
    }
    throw notFoundError('file');
  }
}

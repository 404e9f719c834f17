import { randomUUID } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { signToken, verifyToken } from '../../../lib/crypto/tokens';
import type { TokenSecrets } from '../../../lib/crypto/tokens';
import type { Platform } from '../../platform/platform';

/** The claims of an access token, which identify the session; everything else is read from the database. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
}

export interface RefreshClaims {
  tokenId: string;
  sessionId: string;
}

const ISSUER = 'vouch';
const ACCESS_AUDIENCE = 'vouch-access';
const REFRESH_AUDIENCE = 'vouch-refresh';

type SigningContext = Pick<Platform, 'config' | 'clock'>;

const getSecrets = ({ config }: SigningContext): TokenSecrets => ({ secrets: config.jwtSecrets, purpose: null });

const getNowSeconds = ({ clock }: SigningContext): number => Math.floor(clock.now().getTime() / 1000);

/**
 * Signs the token that a client sends with its requests.
 * @param expiresIn its lifetime in seconds
 */
export const signAccessToken = (platform: SigningContext, claims: AccessClaims, expiresIn: number): string =>
  signToken(
    getSecrets(platform),
    { sid: claims.sessionId, iat: getNowSeconds(platform) },
    {
      issuer: ISSUER,
      audience: ACCESS_AUDIENCE,
      subject: claims.userId,
      // Two tokens of one second differ, so that a renewed token is never the one that it replaces.
      jwtid: randomUUID(),
      expiresIn,
    },
  );

/**
 * Signs the token that is exchanged once for the next pair.
 * @param expiresIn its lifetime in seconds
 */
export const signRefreshToken = (platform: SigningContext, claims: RefreshClaims, expiresIn: number): string =>
  signToken(
    getSecrets(platform),
    { sid: claims.sessionId, iat: getNowSeconds(platform) },
    {
      issuer: ISSUER,
      audience: REFRESH_AUDIENCE,
      jwtid: claims.tokenId,
      expiresIn,
    },
  );

/** The claims of an unexpired token with a valid signature for this audience; null for any other text. */
function readClaims(platform: SigningContext, token: string, audience: string): jwt.JwtPayload | null {
  try {
    const payload = verifyToken(getSecrets(platform), token, {
      issuer: ISSUER,
      audience,
      clockTimestamp: getNowSeconds(platform),
    });
    return typeof payload === 'string' ? null : payload;
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError) return null;
    throw error;
  }
}

const readText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** The claims of a valid access token; null for any other text. */
export function readAccessToken(platform: SigningContext, token: string): AccessClaims | null {
  const payload = readClaims(platform, token, ACCESS_AUDIENCE);
  const userId = readText(payload?.sub);
  const sessionId = readText(payload?.['sid']);
  return userId === null || sessionId === null ? null : { userId, sessionId };
}

/** The claims of a valid refresh token, which may have been used; null for any other text. */
export function readRefreshToken(platform: SigningContext, token: string): RefreshClaims | null {
  const payload = readClaims(platform, token, REFRESH_AUDIENCE);
  const tokenId = readText(payload?.jti);
  const sessionId = readText(payload?.['sid']);
  return tokenId === null || sessionId === null ? null : { tokenId, sessionId };
}

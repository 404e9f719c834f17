import jwt from 'jsonwebtoken';
import type { Config } from '../../lib/config';

/** What an access token says: whose session it is. Everything else is looked up. */
export interface AccessClaims {
  userId: string;
  sessionId: string;
}

export interface RefreshClaims {
  tokenId: string;
  sessionId: string;
}

const ISSUER = 'vouch';
const ACCESS = 'vouch-access';
const REFRESH = 'vouch-refresh';
/** The only algorithm signed with and accepted: a token cannot choose its own. */
const ALGORITHM = 'HS256';

export const signAccessToken = (config: Config, claims: AccessClaims): string =>
  jwt.sign({ sid: claims.sessionId }, config.jwtSecret, {
    algorithm: ALGORITHM,
    issuer: ISSUER,
    audience: ACCESS,
    subject: claims.userId,
    expiresIn: config.ACCESS_TOKEN_SECONDS,
  });

export const signRefreshToken = (config: Config, claims: RefreshClaims): string =>
  jwt.sign({ sid: claims.sessionId }, config.jwtSecret, {
    algorithm: ALGORITHM,
    issuer: ISSUER,
    audience: REFRESH,
    jwtid: claims.tokenId,
    expiresIn: config.REFRESH_TOKEN_SECONDS,
  });

/** The claims of a token signed by us for this audience and not expired; null for any other text. */
function verified(config: Config, token: string, audience: string): jwt.JwtPayload | null {
  try {
    const payload = jwt.verify(token, config.jwtSecret, { algorithms: [ALGORITHM], issuer: ISSUER, audience });
    return typeof payload === 'string' ? null : payload;
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError) return null;
    throw error;
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function readAccessToken(config: Config, token: string): AccessClaims | null {
  const payload = verified(config, token, ACCESS);
  const userId = text(payload?.sub);
  const sessionId = text(payload?.['sid']);
  return userId === null || sessionId === null ? null : { userId, sessionId };
}

export function readRefreshToken(config: Config, token: string): RefreshClaims | null {
  const payload = verified(config, token, REFRESH);
  const tokenId = text(payload?.jti);
  const sessionId = text(payload?.['sid']);
  return tokenId === null || sessionId === null ? null : { tokenId, sessionId };
}

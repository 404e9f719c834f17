import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Platform } from '../../platform/platform';

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

type Signing = Pick<Platform, 'config' | 'clock'>;

const keys = new Map<string, KeyObject>();

/** The secret as a key object: from text, each verification would first try to read it as a public key. */
function keyOf({ config }: Signing): KeyObject {
  const known = keys.get(config.jwtSecret);
  if (known !== undefined) return known;
  const key = createSecretKey(Buffer.from(config.jwtSecret, 'utf8'));
  keys.set(config.jwtSecret, key);
  return key;
}

const seconds = ({ clock }: Signing): number => Math.floor(clock.now().getTime() / 1000);

export const signAccessToken = (platform: Signing, claims: AccessClaims): string =>
  jwt.sign({ sid: claims.sessionId, iat: seconds(platform) }, keyOf(platform), {
    algorithm: ALGORITHM,
    issuer: ISSUER,
    audience: ACCESS,
    subject: claims.userId,
    expiresIn: platform.config.ACCESS_TOKEN_SECONDS,
  });

export const signRefreshToken = (platform: Signing, claims: RefreshClaims): string =>
  jwt.sign({ sid: claims.sessionId, iat: seconds(platform) }, keyOf(platform), {
    algorithm: ALGORITHM,
    issuer: ISSUER,
    audience: REFRESH,
    jwtid: claims.tokenId,
    expiresIn: platform.config.REFRESH_TOKEN_SECONDS,
  });

/** The claims of a token signed by us for this audience and not expired; null for any other text. */
function verified(platform: Signing, token: string, audience: string): jwt.JwtPayload | null {
  try {
    const payload = jwt.verify(token, keyOf(platform), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience,
      clockTimestamp: seconds(platform),
    });
    return typeof payload === 'string' ? null : payload;
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError) return null;
    throw error;
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

export function readAccessToken(platform: Signing, token: string): AccessClaims | null {
  const payload = verified(platform, token, ACCESS);
  const userId = text(payload?.sub);
  const sessionId = text(payload?.['sid']);
  return userId === null || sessionId === null ? null : { userId, sessionId };
}

export function readRefreshToken(platform: Signing, token: string): RefreshClaims | null {
  const payload = verified(platform, token, REFRESH);
  const tokenId = text(payload?.jti);
  const sessionId = text(payload?.['sid']);
  return tokenId === null || sessionId === null ? null : { tokenId, sessionId };
}

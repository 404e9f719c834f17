import { createSecretKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { hmacSha256Hex } from './secrets';

/** The only algorithm used and accepted, so that a token cannot choose another one. */
const ALGORITHM = 'HS256';

const keys = new Map<string, KeyObject>();

/**
 * The secret as a key object: each verification with a text would first try to parse it as a public key.
 * @param purpose derives a separate key, so that tokens of other purposes are invalid; null for the secret itself
 */
function getKey(secret: string, purpose: string | null): KeyObject {
  const name = `${purpose ?? ''}\n${secret}`;
  const cached = keys.get(name);
  if (cached !== undefined) return cached;
  const key =
    purpose === null
      ? createSecretKey(Buffer.from(secret, 'utf8'))
      : createSecretKey(Buffer.from(hmacSha256Hex(secret, purpose), 'hex'));
  keys.set(name, key);
  return key;
}

/** Secrets of tokens: the first signs, all verify. */
export interface TokenSecrets {
  secrets: readonly string[];
  /** Separates the keys of tokens for different uses; null for the secrets themselves. */
  purpose: string | null;
}

/**
 * Signs claims with the first secret.
 * @throws Error if there is no secret
 */
export function signToken(
  { secrets, purpose }: TokenSecrets,
  claims: object,
  options: Omit<jwt.SignOptions, 'algorithm'>,
): string {
  const [current] = secrets;
  if (current === undefined) throw new Error('There is no secret to sign a token with.');
  return jwt.sign(claims, getKey(current, purpose), { ...options, algorithm: ALGORITHM });
}

const isOfOtherKey = (error: unknown): error is jwt.JsonWebTokenError =>
  error instanceof jwt.JsonWebTokenError && error.message === 'invalid signature';

/**
 * The claims of a token that one of the secrets has signed. Signatures are compared in constant time.
 * @throws jwt.JsonWebTokenError for any other text, jwt.TokenExpiredError for an expired token
 */
export function verifyToken(
  { secrets, purpose }: TokenSecrets,
  token: string,
  options: Omit<jwt.VerifyOptions, 'algorithms' | 'complete'>,
): jwt.JwtPayload | string {
  let failure: jwt.JsonWebTokenError | undefined;
  for (const secret of secrets) {
    try {
      return jwt.verify(token, getKey(secret, purpose), { ...options, complete: false, algorithms: [ALGORITHM] });
    } catch (error) {
      if (!isOfOtherKey(error)) throw error;
      failure = error;
    }
  }
  throw failure ?? new jwt.JsonWebTokenError('invalid signature');
}

import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { AppError, invalidFieldError } from '../../../domain/errors';
import type { Platform, Scope } from '../../platform/platform';
import { listPublishedKeys, getSigningKey, toVerificationKey } from '../../platform/access/signing-keys';
import type { NamedOrganisation } from './trusted-organisations';
import type { PublicJwk } from '../../platform/access/signing-keys';

/** The only algorithm used and accepted: a token cannot choose its own. */
const ALGORITHM = 'ES256';

/** The claims of a share token. */
export interface ShareClaims {
  /** Issuing installation. */
  iss: string;
  aud: string;
  jti: string;
  /** Expiry in seconds since 1970. */
  exp: number;
}

const claimsSchema = z.object({
  iss: z.string().min(1),
  aud: z.string().min(1),
  jti: z.string().min(1).max(100),
  exp: z.number(),
});

/**
 * Issuer of a token: whether it is this installation, and whether decisions of another one may be accepted without a
 * review. Within this installation, each organisation names those that it trusts.
 */
export type Issuer = { own: true } | { own: false; trusted: boolean };

/** What a manifest contains besides the claims. Earlier versions do not name the organisation. */
const manifestSchema = z.looseObject({
  share: z.unknown().optional(),
  organisation: z.object({ id: z.string(), name: z.string() }).nullable().default(null).catch(null),
});

/** Issuer name of this installation: its public address. */
export const getOwnIssuer = ({ config }: Platform): string => config.PUBLIC_URL;

/** Signs a share token or, with the content and its organisation, the manifest of a bundle. */
export async function signShare(platform: Platform, claims: ShareClaims, manifest: object = {}): Promise<string> {
  const { kid, key } = await getSigningKey(platform);
  return jwt.sign({ ...claims, ...manifest }, key, {
    algorithm: ALGORITHM,
    keyid: kid,
    noTimestamp: true,
  });
}

const issuerNotAcceptedError = (field: string): AppError =>
  invalidFieldError(field, 'is not signed by an issuer that this installation accepts');

/** The stored key of an issuer that a token names. Keys are never fetched on behalf of a token. */
async function findIssuerKey(
  platform: Platform,
  { iss, kid }: { iss: string; kid: string | undefined },
): Promise<{ jwk: PublicJwk; issuer: Issuer } | null> {
  if (iss === getOwnIssuer(platform)) {
    const jwk = (await listPublishedKeys(platform)).find((key) => key.kid === kid);
    return jwk === undefined ? null : { jwk, issuer: { own: true } };
  }
  const trustedIssuer = platform.config.trustedIssuers.find(({ issuer }) => issuer === iss);
  const jwk = trustedIssuer?.keys.find((key) => key.kid === kid);
  return trustedIssuer === undefined || jwk === undefined
    ? null
    : { jwk, issuer: { own: false, trusted: trustedIssuer.trustReview } };
}

/**
 * Verifies a token of this installation or of a listed issuer: first the signature, then expiry, then audience.
 * @param field name of the input in error messages
 * @returns the claims, with the signed `share` and `organisation` of a bundle
 * @throws AppError 400 without a signature of an accepted issuer, 410 `share_expired`, 403 `wrong_audience`
 */
export async function verifyShare(
  platform: Platform,
  scope: Scope,
  token: string,
  field: string,
): Promise<{ claims: ShareClaims; issuer: Issuer; share: unknown; organisation: NamedOrganisation | null }> {
  const unverified = jwt.decode(token, { complete: true });
  const claims = claimsSchema.safeParse(unverified?.payload);
  if (unverified === null || !claims.success) throw issuerNotAcceptedError(field);
  const found = await findIssuerKey(platform, { iss: claims.data.iss, kid: unverified.header.kid });
  if (found === null) throw issuerNotAcceptedError(field);
  let payload: unknown;
  try {
    payload = jwt.verify(token, toVerificationKey(found.jwk), { algorithms: [ALGORITHM], ignoreExpiration: true });
  } catch {
    throw issuerNotAcceptedError(field);
  }
  if (claims.data.exp * 1000 <= platform.clock.now().getTime()) {
    throw new AppError('share_expired', 410, 'The share has expired; request another one.');
  }
  if (claims.data.aud !== getOwnIssuer(platform) && claims.data.aud !== scope.organisationId) {
    throw new AppError('wrong_audience', 403, 'The share is meant for another organisation or installation.');
  }
  const { share, organisation } = manifestSchema.parse(payload);
  return { claims: claims.data, issuer: found.issuer, share, organisation };
}

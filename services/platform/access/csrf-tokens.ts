import { requireJwtSecret } from '../../../lib/config';
import { constantTimeEqual, hmacSha256Hex } from '../../../lib/crypto/secrets';
import type { Platform } from '../platform';

/** Derived from the session and a secret of the installation, so that a page that cannot read responses cannot guess it. */
const deriveToken = (secret: string, sessionId: string): string => hmacSha256Hex(secret, `csrf:${sessionId}`);

/** The token that unsafe requests with the cookie of a session must contain. */
export const computeCsrfToken = ({ config }: Pick<Platform, 'config'>, sessionId: string): string =>
  deriveToken(requireJwtSecret(config), sessionId);

/** A page keeps its token while the secret is replaced, so those of all configured secrets are valid. */
export const isCsrfTokenValid = (
  { config }: Pick<Platform, 'config'>,
  sessionId: string,
  presented: string | null,
): boolean =>
  presented !== null &&
  config.jwtSecrets.some((secret) => constantTimeEqual(presented, deriveToken(secret, sessionId)));

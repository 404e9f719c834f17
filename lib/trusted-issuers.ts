import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'accepts 32 bytes in base64url');

const listSchema = z.array(
  z.strictObject({
    /** The other installation's `iss`: its PUBLIC_URL. */
    issuer: z.url(),
    /** Whether its decisions may stand without a review of our own, where a caller asks for that. */
    trustReview: z.boolean().default(false),
    /** Its public keys, as its /.well-known/jwks.json shows them. */
    keys: z
      .array(
        z.object({
          kty: z.literal('EC'),
          crv: z.literal('P-256'),
          x: coordinate,
          y: coordinate,
          kid: z.string().min(1),
        }),
      )
      .min(1),
  }),
);

/** An installation whose shares are accepted, with the keys it signs with. */
export type TrustedIssuer = z.infer<typeof listSchema>[number];

/**
 * Reads the operator's list of installations whose shares are accepted.
 * @throws ConfigError that names what is wrong in it
 */
export function readTrustedIssuers(file: string | undefined): readonly TrustedIssuer[] {
  if (file === undefined) return [];
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new ConfigError('TRUSTED_ISSUERS_FILE: cannot be read; accepts the path of a JSON file.');
  }
  const parsed = listSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  throw new ConfigError(`TRUSTED_ISSUERS_FILE: ${problems}`);
}

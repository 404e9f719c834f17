import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ConfigError } from './config-error';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'accepts 32 bytes in base64url');

const listSchema = z.array(
  z.strictObject({
    /** `iss` of the other installation: its PUBLIC_URL. */
    issuer: z.url(),
    /** Whether imports can take over its decisions without a review, if the caller requests it. */
    trustReview: z.boolean().default(false),
    /** Its public keys from its /.well-known/jwks.json. */
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

/** An installation whose shares are accepted, with its public keys. */
export type TrustedIssuer = z.infer<typeof listSchema>[number];

/**
 * Reads the operator's list of installations whose shares are accepted.
 * @throws ConfigError with the invalid fields
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

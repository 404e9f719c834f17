import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** A hash nobody knows the password of: checking against it costs an unknown user as much as a known one. */
let decoyHash: Promise<string> | undefined;

/** Verifies `password`; with no stored hash it does the same work and answers false. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword('no user has this password');
  const matches = await verify(storedHash ?? (await decoyHash), password);
  return storedHash !== null && matches;
}

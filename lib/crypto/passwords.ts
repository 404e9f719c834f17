import { hash, verify } from '@node-rs/argon2';

/** OWASP parameters for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export const hashPassword = (password: string): Promise<string> => hash(password, OPTIONS);

/** A decoy hash, so that verification takes the same time for unknown users. */
let decoyHash: Promise<string> | undefined;

/** Verifies a password. Without a stored hash it takes the same time and returns false. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  decoyHash ??= hashPassword('no user has this password');
  const matches = await verify(storedHash ?? (await decoyHash), password);
  return storedHash !== null && matches;
}

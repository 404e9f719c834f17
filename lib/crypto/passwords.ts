import { timingSafeEqual } from 'node:crypto';
import { hash } from '@node-rs/argon2';

/** OWASP parameters for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** The part of an encoded hash before the hash itself: algorithm, parameters and salt. */
const readPrefix = (encoded: string): string => encoded.slice(0, encoded.lastIndexOf('$') + 1);

/** The parameters of a hash, such as `$m=19456,t=2,p=1$`: versions may differ in theirs. */
function readParameters(encoded: string): Record<keyof typeof OPTIONS, number> {
  const [, memoryCost, timeCost, parallelism] = /\$m=(\d+),t=(\d+),p=(\d+)\$/.exec(encoded) ?? [];
  if (memoryCost === undefined) return OPTIONS;
  return { memoryCost: Number(memoryCost), timeCost: Number(timeCost), parallelism: Number(parallelism) };
}

const readSalt = (encoded: string): Buffer => Buffer.from(encoded.split('$').at(-2) ?? '', 'base64');

/**
 * Hashes a password.
 * @param sameSaltAs a stored hash whose salt is used. The accounts of one email address share their salt, so that a
 * sign-in takes the same work however many organisations have one.
 */
export const hashPassword = (password: string, sameSaltAs: string | null = null): Promise<string> =>
  hash(password, sameSaltAs === null ? OPTIONS : { ...OPTIONS, salt: readSalt(sameSaltAs) });

/** A decoy hash, so that verification takes the same time for unknown users. */
let decoyHash: Promise<string> | undefined;

const isEqual = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};

/** Verifies a password against several stored hashes. Without any it takes the same time. @returns those that match */
export async function findMatchingHashes(storedHashes: readonly string[], password: string): Promise<Set<string>> {
  decoyHash ??= hashPassword('no user has this password');
  const samples = storedHashes.length === 0 ? [await decoyHash] : storedHashes;
  const matching = new Set<string>();
  for (const [prefix, sample] of new Map(samples.map((each) => [readPrefix(each), each]))) {
    const computed = await hash(password, { ...readParameters(sample), salt: readSalt(sample) });
    for (const stored of storedHashes)
      if (readPrefix(stored) === prefix && isEqual(stored, computed)) matching.add(stored);
  }
  return matching;
}

/** Verifies a password. */
export const verifyPassword = async (storedHash: string, password: string): Promise<boolean> =>
  (await findMatchingHashes([storedHash], password)).has(storedHash);

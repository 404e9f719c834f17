import { settlesWithin } from '../../lib/time-limits';

/** What `test/runner/environment.cjs` calls and prints when a test fails. */
const DESCRIPTIONS: Set<() => Promise<string>> = new Set();
Reflect.set(globalThis, Symbol.for('vouch.failureDetails'), DESCRIPTIONS);

/** What describes itself may be what hangs. */
const DESCRIPTION_LIMIT_MS = 10_000;

/**
 * Lets a test that fails print what it was working with, such as the text of a page.
 * @returns a function that ends this
 */
export function describeOnFailure(describe: () => Promise<string>): () => void {
  const description = async (): Promise<string> => {
    const described = describe().catch((error: unknown) => `It could not be described: ${String(error)}`);
    return (await settlesWithin(described, DESCRIPTION_LIMIT_MS)) ? described : 'It could not be described in time.';
  };
  DESCRIPTIONS.add(description);
  return () => void DESCRIPTIONS.delete(description);
}

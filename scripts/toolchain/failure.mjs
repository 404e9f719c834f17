/**
 * A failure a person can act on: what was wanted, each way that was tried with the reason it failed, and what to do.
 * The launchers print `message` alone, without a stack.
 */
export class ToolchainError extends Error {
  /**
   * @param {string} wanted what could not be had, as "mongod 6.0.5"
   * @param {{way: string, reason: string}[]} attempts in the order tried
   * @param {string} advice what a person can do
   */
  constructor(wanted, attempts, advice) {
    const lines = attempts.map(({ way, reason }) => `  - ${way}: ${reason}`);
    super([`${wanted} could not be had. Tried:`, ...lines, `What you can do: ${advice}`].join('\n'));
    this.name = 'ToolchainError';
    this.attempts = attempts;
  }
}

/** Whatever was thrown, on one line short enough for a list of attempts. */
export function reasonOf(error) {
  const text = error instanceof Error ? (error.cause?.message ?? error.message) : String(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (
    lines
      .map((line) => line.trim())
      .join(' | ')
      .slice(0, 400) || 'unknown'
  );
}

/**
 * Reports that a tool is not available: each source that was tried with the reason why it failed, and what to do. The
 * launchers print the message without a stack.
 */
export class ToolchainError extends Error {
  /**
   * @param {string} tool such as "mongod 6.0.5"
   * @param {{source: string, reason: string}[]} attempts in the order tried
   * @param {string} advice what the user can do
   */
  constructor(tool, attempts, advice) {
    const lines = attempts.map(({ source, reason }) => `  - ${source}: ${reason}`);
    super([`${tool} is not available. Tried:`, ...lines, `What you can do: ${advice}`].join('\n'));
    this.name = 'ToolchainError';
    this.attempts = attempts;
  }
}

/** The message of a thrown value on one line, short enough for a list of attempts. */
export function formatReason(error) {
  const text = error instanceof Error ? (error.cause?.message ?? error.message) : String(error);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (
    lines
      .map((line) => line.trim())
      .join(' | ')
      .slice(0, 400) || 'unknown'
  );
}

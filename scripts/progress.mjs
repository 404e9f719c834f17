const ANNOUNCE_AFTER_MS = 4_000;

const formatSeconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** An error that the user can act on; the launchers print its message without a stack. */
export class LauncherError extends Error {
  name = 'LauncherError';
}

/** Prints an error and makes this process end with code 1. With DEBUG set, an unexpected error has its stack. */
export function printFailure(error) {
  console.error(error.name === 'Error' && process.env.DEBUG ? error.stack : `\n${error.message}`);
  process.exitCode = 1;
}

/**
 * Prints one line for each step with its duration, in the order in which steps end. A long step also prints one line
 * while it runs. Lines are never overwritten, so that the output reads the same in a log file.
 * @param {(line: string) => void} [print]
 */
export function createProgress(print = console.log) {
  const began = Date.now();
  return {
    /**
     * @template T
     * @param {string} title
     * @param {(note: (text: string) => void) => Promise<T>} work `note` sets the remark at the end of the line
     * @returns {Promise<T>}
     */
    async step(title, work) {
      const startedAt = Date.now();
      const slow = setTimeout(() => print(`  ..  ${title}`), ANNOUNCE_AFTER_MS);
      let remark = '';
      try {
        const result = await work((text) => (remark = `  (${text})`));
        print(`  ok  ${title.padEnd(34)} ${formatSeconds(Date.now() - startedAt).padStart(8)}${remark}`);
        return result;
      } catch (error) {
        print(`FAIL  ${title.padEnd(34)} ${formatSeconds(Date.now() - startedAt).padStart(8)}`);
        throw error;
      } finally {
        clearTimeout(slow);
      }
    },
    /** Prints a line that is not a step. */
    say: (line) => print(`      ${line}`),
    /** The time since the launcher started. */
    total: () => formatSeconds(Date.now() - began),
  };
}

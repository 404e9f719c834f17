const SAY_RUNNING_AFTER_MS = 4_000;

const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(1)} s`;

/** Thrown to end a launcher with a message alone; what a person must read, not a fault of the program. */
export class LauncherError extends Error {
  name = 'LauncherError';
}

/**
 * Prints one line for each step with its duration, in the order in which steps end; a step that takes long says once
 * that it is running. Plain lines, so that a log file reads like a terminal.
 * @param {(line: string) => void} [print]
 */
export function createProgress(print = console.log) {
  const began = Date.now();
  return {
    /**
     * @template T
     * @param {string} title
     * @param {(note: (text: string) => void) => Promise<T>} work `note` sets what the line says after the title
     * @returns {Promise<T>}
     */
    async step(title, work) {
      const startedAt = Date.now();
      const slow = setTimeout(() => print(`  ..  ${title}`), SAY_RUNNING_AFTER_MS);
      let remark = '';
      try {
        const result = await work((text) => (remark = `  (${text})`));
        print(`  ok  ${title.padEnd(34)} ${seconds(Date.now() - startedAt).padStart(8)}${remark}`);
        return result;
      } catch (error) {
        print(`FAIL  ${title.padEnd(34)} ${seconds(Date.now() - startedAt).padStart(8)}`);
        throw error;
      } finally {
        clearTimeout(slow);
      }
    },
    /** A line that is no step. */
    say: (line) => print(`      ${line}`),
    /** Time since the launcher began. */
    total: () => seconds(Date.now() - began),
  };
}

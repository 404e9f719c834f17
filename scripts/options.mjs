import { parseArgs } from 'node:util';
import { LauncherError } from './progress.mjs';

/**
 * Parses the command line of a launcher. Launchers run before `npm ci`, so they use Node's own parser.
 * @param {string} usage printed with every error
 * @param {import('node:util').ParseArgsConfig['options']} options `help` is added
 * @param {{args?: string[], allowPositionals?: boolean}} [settings]
 * @returns {{values: Record<string, any>, positionals: string[]}}
 * @throws {LauncherError} naming the option that is wrong
 */
export function parseOptions(usage, options, { args = process.argv.slice(2), allowPositionals = false } = {}) {
  try {
    return parseArgs({ args, allowPositionals, options: { ...options, help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    throw new LauncherError(`${error.message}\n\n${usage}`);
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface CommandResult {
  /** Exit code; null if the command was killed. */
  code: number | null;
  /** Output of the command, parsed as JSON. */
  report: Record<string, unknown>;
  error: string;
}

export interface CommandOptions {
  /** Variables in addition to those of this process. */
  env?: Record<string, string>;
  /** Called with everything that the command has written to standard error so far; may kill it. */
  onProgress?: (output: string, kill: () => void) => void;
}

/** Runs `npm run admin -- <args>` as an operator does. */
export async function runAdminCommand(
  args: readonly string[],
  { env = {}, onProgress }: CommandOptions = {},
): Promise<CommandResult> {
  const script = path.join('dist', 'scripts', 'admin.js');
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString();
    onProgress?.(error, () => child.kill('SIGKILL'));
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, report: out === '' ? {} : (JSON.parse(out) as Record<string, unknown>), error };
}

/**
 * Runs `npm run admin -- registers`.
 * @param onProgress called whenever the command reports progress; may kill the process
 */
export const runRegistersCommand = (
  args: readonly string[],
  onProgress?: (kill: () => void) => void,
): Promise<CommandResult> =>
  runAdminCommand(['registers', ...args], {
    onProgress: (output, kill) => {
      if (output.includes('rows read')) onProgress?.(kill);
    },
  });

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

/**
 * Runs `npm run admin -- registers` as an operator does.
 * @param onProgress called whenever the command reports progress; may kill the process
 */
export async function runRegistersCommand(
  args: readonly string[],
  onProgress?: (kill: () => void) => void,
): Promise<CommandResult> {
  const script = path.join('dist', 'scripts', 'admin.js');
  const child = spawn(process.execPath, [script, 'registers', ...args], { env: process.env });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString();
    if (error.includes('rows read')) onProgress?.(() => child.kill('SIGKILL'));
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, report: out === '' ? {} : (JSON.parse(out) as Record<string, unknown>), error };
}

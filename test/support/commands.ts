import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export interface CommandResult {
  /** null where it was killed */
  code: number | null;
  /** what it printed, in JSON */
  report: Record<string, unknown>;
  error: string;
}

/**
 * Runs `npm run registers` as an operator does.
 * @param onProgress is called with each word of rows read, and may kill the process
 */
export async function runRegistersCommand(
  args: readonly string[],
  onProgress?: (kill: () => void) => void,
): Promise<CommandResult> {
  const script = path.join('dist', 'scripts', 'registers.js');
  const child = spawn(process.execPath, [script, ...args], { env: process.env });
  let [out, error] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk.toString();
    if (error.includes('rows read')) onProgress?.(() => child.kill('SIGKILL'));
  });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, report: out === '' ? {} : (JSON.parse(out) as Record<string, unknown>), error };
}

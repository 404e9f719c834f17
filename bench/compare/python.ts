import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';

/** The interpreter of the environment with the compared packages. */
const PYTHON = process.env['BENCH_PYTHON'] ?? '.vouch/compare/bin/python';

/** One thread for each library, so that processor times can be compared. */
const ONE_THREAD = {
  OMP_THREAD_LIMIT: '1',
  OMP_NUM_THREADS: '1',
  OPENBLAS_NUM_THREADS: '1',
  OPENCV_FOR_THREADS_NUM: '1',
};

/**
 * Runs a script with one line of JSON for each value, and parses the JSON that it writes.
 * @throws Error if the interpreter cannot be started or the script fails
 */
export async function runPython<T>(script: string, values: readonly unknown[], schema: z.ZodType<T>): Promise<T> {
  const env = { ...process.env, ...ONE_THREAD };
  const python = spawn(PYTHON, ['-W', 'ignore', script], { stdio: ['pipe', 'pipe', 'inherit'], env });
  const failed = new Promise<never>((_resolve, reject) => {
    python.once('error', (error) => reject(new Error(`${PYTHON} could not be started: ${error.message}`)));
    python.once('exit', (code) => {
      if (code !== 0) reject(new Error(`${script} ended with code ${code}.`));
    });
  });
  // A script that ends early is reported by its code.
  python.stdin.on('error', () => undefined);
  python.stdin.end(values.map((value) => JSON.stringify(value)).join('\n'));
  return schema.parse(JSON.parse(await Promise.race([text(python.stdout), failed])));
}

import { spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { owned } from './children.mjs';

/**
 * Runs a command without a shell and without standard input, and returns its output.
 * @param {string} command
 * @param {string[]} args
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, timeoutSeconds?: number, tailLines?: number}} [options]
 *   `tailLines` is how many lines of the output an error contains
 * @returns {Promise<{stdout: string, stderr: string}>}
 * @throws {Error} if it cannot start, fails or exceeds the time limit; the message ends with its last lines
 */
export function run(command, args, { cwd, env = process.env, timeoutSeconds = 600, tailLines = 4 } = {}) {
  return new Promise((resolve, reject) => {
    const child = owned(spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] }));
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutSeconds * 1000);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error.code === 'ENOENT' ? new Error(`${command} is not installed`) : error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (code === 0) return resolve({ stdout, stderr });
      const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-tailLines).join('\n');
      reject(new Error(`${path.basename(command)} ${args[0] ?? ''} ended with ${signal ?? code}:\n${last}`));
    });
  });
}

/** The full path of the first of these commands on PATH, or null. */
export async function findOnPath(names, env = process.env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter((folder) => folder !== '');
  for (const name of names) {
    for (const folder of folders) {
      const file = path.join(folder, name);
      if (await isExecutable(file)) return file;
    }
  }
  return null;
}

/** Whether the file exists and this user may run it. */
export async function isExecutable(file) {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

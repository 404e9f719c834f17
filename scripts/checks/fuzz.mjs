import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { owned } from '../toolchain/children.mjs';
import { findOnPath, run } from '../toolchain/command.mjs';
import { toolsFolder } from '../toolchain/tools.mjs';

const VERSION = '4.32.5';
const CONFIGURATION = path.join(root, 'scripts', 'checks', 'schemathesis.toml');

/** What an answer is held against: 5xx but 503, or a status, type, header or body that is not documented. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

/**
 * Installs Schemathesis into a Python environment of its own among the tools, once.
 * @returns {Promise<string | null>} null on a machine without Python
 */
async function ensureSchemathesis() {
  const folder = path.join(toolsFolder(), `schemathesis-${VERSION}`);
  const executable = path.join(folder, 'bin', 'schemathesis');
  if (await isThere(executable)) return executable;
  const python = await findOnPath(['python3']);
  if (python === null) return null;
  await mkdir(path.dirname(folder), { recursive: true });
  try {
    await run(python, ['-m', 'venv', folder]);
    await run(path.join(folder, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return executable;
}

const isThere = (file) =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Asks every operation of openapi/identity.json with generated input, right and wrong.
 * @param {string} runFile where the stack says how it is reached
 * @param {{examples: number, seed: number, more?: string[]}} options `examples` for each operation
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 * @returns {Promise<{passed: number, failed: number, skipped: number}>}
 */
export async function fuzz(runFile, { examples, seed, more = [] }, progress) {
  const executable = await progress.step('Schemathesis', () => ensureSchemathesis());
  if (executable === null) {
    progress.say('Schemathesis needs python3; the fuzzing of the API is left out');
    return { passed: 0, failed: 0, skipped: 1 };
  }
  const { api, identityApiKey } = await readJson(runFile);
  const target = [`${api}/openapi/identity.json`, '--header', `X-API-Key: ${identityApiKey}`];
  const amount = ['--max-examples', String(examples), '--seed', String(seed), '--phases', 'examples,coverage,fuzzing'];
  const manner = ['--workers', '2', '--continue-on-failure', '--no-color', '--request-timeout', '90'];
  const quiet = ['--suppress-health-check', 'all', '--warnings', 'off'];
  const args = [
    '--config-file',
    CONFIGURATION,
    'run',
    ...target,
    '--checks',
    CHECKS.join(','),
    ...amount,
    ...manner,
    ...quiet,
    ...more,
  ];
  const child = owned(spawn(executable, args, { cwd: path.dirname(runFile), stdio: ['ignore', 'inherit', 'inherit'] }));
  const [code] = await once(child, 'exit');
  return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

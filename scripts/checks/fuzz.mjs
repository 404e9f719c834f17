import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { openBusiness } from './fuzz-business.mjs';
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

/** The APIs that are asked, each with the key that it is asked with. */
const KEYS = {
  identity: async ({ identityApiKey }) => identityApiKey,
  business: openBusiness,
};

/** Names of the APIs that can be asked. */
export const APIS = Object.keys(KEYS);

/**
 * Asks every operation of the OpenAPI documents with generated input, right and wrong.
 * @param {string} runFile where the stack says how it is reached
 * @param {{examples: number, seed: number, apis?: string[], more?: string[]}} options `examples` for each operation
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 * @returns {Promise<{passed: number, failed: number, skipped: number}>} one for each API
 */
export async function fuzz(runFile, { apis = APIS, ...options }, progress) {
  const executable = await progress.step('Schemathesis', () => ensureSchemathesis());
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (executable === null) {
    progress.say('Schemathesis needs python3; the fuzzing of the API is left out');
    return { ...counts, skipped: apis.length };
  }
  for (const api of apis) {
    const stack = await readJson(runFile);
    const target = [`${stack.api}/openapi/${api}.json`, '--header', `X-API-Key: ${await KEYS[api](stack)}`];
    const succeeded = await ask(executable, target, options, path.dirname(runFile));
    counts[succeeded ? 'passed' : 'failed'] += 1;
  }
  return counts;
}

/** Whether one run of Schemathesis found nothing. */
async function ask(executable, target, { examples, seed, more = [] }, cwd) {
  const amount = ['--max-examples', String(examples), '--seed', String(seed), '--phases', 'examples,coverage,fuzzing'];
  const manner = ['--workers', '2', '--continue-on-failure', '--no-color', '--request-timeout', '90'];
  const quiet = ['--suppress-health-check', 'all', '--warnings', 'off'];
  const checks = ['--checks', CHECKS.join(',')];
  const args = ['--config-file', CONFIGURATION, 'run', ...target, ...checks, ...amount, ...manner, ...quiet, ...more];
  const child = owned(spawn(executable, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] }));
  const [code] = await once(child, 'exit');
  return code === 0;
}

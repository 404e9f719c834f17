import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson, root } from '../stack/home.mjs';
import { createFuzzOrganisation, postExamples } from './fuzz-organisation.mjs';
import { isEnding, owned } from '../toolchain/children.mjs';
import { findOnPath, run } from '../toolchain/command.mjs';
import { toolsFolder } from '../toolchain/tools.mjs';

const VERSION = '4.32.5';
const CONFIGURATION = path.join(root, 'scripts', 'checks', 'schemathesis.toml');
/** Lists the version above with everything that it needs, and the checksum of each file. */
const REQUIREMENTS = path.join(root, 'scripts', 'checks', 'schemathesis-requirements.txt');
const OWN_CHECKS = path.join(root, 'scripts', 'checks', 'schemathesis_checks.py');

/**
 * A response fails if it is a 5xx other than 503, if its status, type, headers or body are not documented, or if it
 * refuses a request that conforms to the document.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'described_requests_are_accepted',
];

/**
 * Installs Schemathesis into its own Python environment in the tools folder, unless it is already installed.
 * @returns {Promise<string | null>} null if the machine has no Python
 */
async function ensureSchemathesis() {
  const folder = path.join(toolsFolder(), `schemathesis-${VERSION}`);
  const executable = path.join(folder, 'bin', 'schemathesis');
  if (await exists(executable)) return executable;
  const python = await findOnPath(['python3']);
  if (python === null) return null;
  await mkdir(path.dirname(folder), { recursive: true });
  try {
    await run(python, ['-m', 'venv', folder]);
    await run(path.join(folder, 'bin', 'pip'), ['install', '--quiet', '--require-hashes', '-r', REQUIREMENTS]);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  return executable;
}

const exists = (file) =>
  access(file).then(
    () => true,
    () => false,
  );

/** Installs Schemathesis ahead of `fuzz`, while other work goes on. */
export const prepareFuzz = (progress) => progress.step('Schemathesis', () => ensureSchemathesis());

/** The APIs that can be tested. */
export const APIS = ['identity', 'business'];

/**
 * Sends generated requests, valid and invalid, to every operation of the OpenAPI documents.
 * @param {string} runFile run.json of the stack
 * @param {{examples: number, seed: number, apis?: string[], schemathesis?: string[]}} options `examples` per operation;
 *   `schemathesis` are additional arguments for it
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 * @returns {Promise<{passed: number, failed: number, skipped: number}>} counts one per API
 */
export async function fuzz(runFile, { apis = APIS, ...options }, progress) {
  const executable = await ensureSchemathesis();
  const counts = { passed: 0, failed: 0, skipped: 0 };
  if (isEnding()) return counts;
  if (executable === null) {
    progress.say('Schemathesis needs python3; the APIs are not fuzzed');
    return { ...counts, skipped: apis.length };
  }
  const stack = await readJson(runFile);
  const createKey = await createFuzzOrganisation(stack);
  // At once: Schemathesis and the API wait for each other much of the time.
  const outcomes = await Promise.all(
    apis.map(async (api) => {
      const key = await createKey(api);
      if (api === 'business') await postExamples(stack.api, key);
      const target = [`${stack.api}/openapi/${api}.json`, '--header', `X-API-Key: ${key}`];
      return runSchemathesis(executable, target, options, path.dirname(runFile));
    }),
  );
  for (const succeeded of outcomes) counts[succeeded ? 'passed' : 'failed'] += 1;
  return counts;
}

/**
 * Prints the report of Schemathesis when it has ended, because the APIs are tested at once.
 * @returns {Promise<boolean>} whether it found no failure
 */
async function runSchemathesis(executable, target, { examples, seed, schemathesis = [] }, cwd) {
  const args = [
    ...['--config-file', CONFIGURATION, 'run', ...target, '--checks', CHECKS.join(',')],
    ...['--max-examples', String(examples), '--seed', String(seed), '--phases', 'examples,coverage,fuzzing'],
    ...['--workers', '2', '--continue-on-failure', '--no-color', '--request-timeout', '90'],
    ...['--suppress-health-check', 'all', '--warnings', 'off', ...schemathesis],
  ];
  const env = { ...process.env, SCHEMATHESIS_HOOKS: OWN_CHECKS, PYTHONDONTWRITEBYTECODE: '1' };
  const child = owned(spawn(executable, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] }));
  let report = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (report += text));
  const [code] = await once(child, 'close');
  process.stdout.write(report);
  return code === 0;
}

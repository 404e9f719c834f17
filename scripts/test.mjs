/**
 * `npm test [-- part…]`: everything that continuous integration asks of a change, closing with "N passed, N failed".
 * A part is `static`, `fuzz`, a folder of test/ (`unit`, `api`, …) or a path pattern (`test/api/webhooks`).
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fuzz } from './checks/fuzz.mjs';
import { ALONE, ON_STACK, OWN_STACKS, runJest } from './checks/jest.mjs';
import { runStaticChecks } from './checks/static.mjs';
import { startTestStack } from './checks/test-stack.mjs';
import { prepare } from './prepare.mjs';
import { createProgress } from './progress.mjs';
import { endedBySignals } from './toolchain/children.mjs';
import { resolve, toolsFolder } from './toolchain/tools.mjs';

const FOLDERS = [...ALONE, ...ON_STACK, ...OWN_STACKS];

/** Enough to ask every operation in every way in a minute; `npm run fuzz` asks longer. */
const FUZZ = { examples: 5, seed: 1 };

/** Which folders and patterns the arguments ask for; no argument asks for everything. */
function select(parts) {
  if (parts.length === 0) return { checks: true, fuzzes: true, folders: FOLDERS, patterns: [] };
  const patterns = parts.filter((part) => !['static', 'fuzz'].includes(part) && !FOLDERS.includes(part));
  const ofPattern = (pattern) => FOLDERS.filter((folder) => pattern.replace(/^\.\//, '').startsWith(`test/${folder}`));
  const folders = new Set(parts.filter((part) => FOLDERS.includes(part)));
  for (const pattern of patterns) {
    const found = ofPattern(pattern);
    for (const folder of found.length > 0 ? found : FOLDERS) folders.add(folder);
  }
  return {
    checks: parts.includes('static'),
    fuzzes: parts.includes('fuzz'),
    folders: FOLDERS.filter((each) => folders.has(each)),
    patterns,
  };
}

function add(total, counts) {
  for (const [name, count] of Object.entries(counts)) total[name] += count;
  return counts.failed > 0;
}

async function runTests({ folders, patterns, fuzzes }, total, progress, scratch, takeOver) {
  const testServer = await resolve('temporalTestServer');
  const common = { ...process.env, VOUCH_TOOLS_DIR: toolsFolder(), TEMPORAL_TEST_SERVER_PATH: testServer.executable };
  const jest = (name, of, workers, env) => {
    const asked = folders.filter((each) => of.includes(each));
    return runJest({ folders: asked, patterns, workers, env, resultFile: path.join(scratch, `${name}.json`) });
  };
  add(total, await jest('alone', ALONE, 2, { ...common, NODE_ENV: 'test' }));
  if (!fuzzes && folders.every((each) => ALONE.includes(each))) return;
  takeOver();
  const stack = await startTestStack(progress);
  let failed = true;
  try {
    const env = { ...common, ...stack.environment };
    failed = add(total, await jest('stack', ON_STACK, 2, env));
    // What kills stacks of its own leaves this one, and a core, to the fuzzing.
    const last = [jest('own', OWN_STACKS, 1, env)];
    if (fuzzes) last.push(fuzz(stack.environment.VOUCH_TEST_STACK, FUZZ, progress));
    for (const counts of await Promise.all(last)) failed = add(total, counts) || failed;
  } finally {
    await progress.step('stopping the stack', () => stack.stop(failed));
  }
}

async function main() {
  const selection = select(process.argv.slice(2));
  const progress = createProgress();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const scratch = await mkdtemp(path.join(tmpdir(), 'vouch-tests-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  // Once a stack is up, its end comes before that of this process.
  const takeOver = endedBySignals();
  try {
    await prepare(progress, { env: process.env, forTests: true });
    if (selection.checks) add(total, await runStaticChecks(progress));
    if (selection.folders.length > 0 || selection.fuzzes) await runTests(selection, total, progress, scratch, takeOver);
  } catch (error) {
    console.log(error.message);
    total.failed += 1;
  }
  console.log(`tests took ${progress.total()}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

await main();

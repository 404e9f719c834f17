/**
 * `npm test [-- part…]`: everything that continuous integration asks of a change, closing with "N passed, N failed".
 * A part is `static`, `fuzz`, a folder of test/ (`unit`, `api`, …) or a path pattern (`test/api/webhooks`).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fuzz } from './checks/fuzz.mjs';
import { ALONE, ON_STACK, runJest } from './checks/jest.mjs';
import { runStaticChecks } from './checks/static.mjs';
import { startTestStack } from './checks/test-stack.mjs';
import { prepare } from './prepare.mjs';
import { createProgress } from './progress.mjs';
import { resolve, toolsFolder } from './toolchain/tools.mjs';

const FOLDERS = [...ALONE, ...ON_STACK];

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

async function runTests({ folders, patterns, fuzzes }, total, progress, scratch) {
  const testServer = await resolve('temporalTestServer');
  const common = { ...process.env, VOUCH_TOOLS_DIR: toolsFolder(), TEMPORAL_TEST_SERVER_PATH: testServer.executable };
  const alone = folders.filter((each) => ALONE.includes(each));
  const onStack = folders.filter((each) => ON_STACK.includes(each));
  const resultFile = (name) => path.join(scratch, `${name}.json`);
  add(
    total,
    await runJest({
      folders: alone,
      patterns,
      workers: 2,
      env: { ...common, NODE_ENV: 'test' },
      resultFile: resultFile('alone'),
    }),
  );
  if (onStack.length === 0 && !fuzzes) return;
  const stack = await startTestStack(progress);
  let failed = true;
  try {
    const env = { ...common, ...stack.environment };
    failed = add(
      total,
      await runJest({ folders: onStack, patterns, workers: 1, env, resultFile: resultFile('stack') }),
    );
    if (fuzzes) failed = add(total, await fuzz(stack.environment.VOUCH_TEST_STACK, FUZZ, progress)) || failed;
  } finally {
    await progress.step('stopping the stack', () => stack.stop(failed));
  }
}

async function main() {
  const selection = select(process.argv.slice(2));
  const progress = createProgress();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const scratch = await mkdtemp(path.join(tmpdir(), 'vouch-tests-'));
  try {
    await prepare(progress, { env: process.env, forTests: true });
    if (selection.checks) add(total, await runStaticChecks(progress));
    if (selection.folders.length > 0 || selection.fuzzes) await runTests(selection, total, progress, scratch);
  } catch (error) {
    console.log(error.message);
    total.failed += 1;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
  console.log(`tests took ${progress.total()}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

await main();

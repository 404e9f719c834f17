/** `npm test`: runs all checks and tests, or the given suites, and ends with "N passed, N failed". */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { WORKFLOW_BUNDLE } from './build/compile.mjs';
import { fuzz, prepareFuzz } from './checks/fuzz.mjs';
import { runJest, WITH_OWN_STACKS, WITH_STACK, WITHOUT_STACK } from './checks/jest.mjs';
import { parseSelection, USAGE } from './checks/selection.mjs';
import { runStaticChecks } from './checks/static.mjs';
import {
  findRunningStack,
  sandboxSetting,
  startKeptStack,
  startTestStack,
  useRunningStack,
} from './checks/test-stack.mjs';
import { prepare, prepareSources, prepareTools, STACK_TOOLS } from './prepare.mjs';
import { createProgress, printFailure } from './progress.mjs';
import { exitOnSignals } from './toolchain/children.mjs';
import { resolve, toolsFolder } from './toolchain/tools.mjs';

/** Tests wait for compilers, browsers and downloads part of the time: with two, a core was idle for half of the run. */
const WORKERS = 3;
/** Tests of a stack wait for its processes part of the time: with three, a quarter of two cores was idle. */
const STACK_WORKERS = 4;

/**
 * How long no test may end in a run of everything, which then fails instead of using up the time that CI has. Named suites
 * may be longer, such as a year of 10,000 documents.
 */
const STALL_SECONDS = 20 * 60;

const needsStack = ({ folders, fuzz }) => fuzz !== null || folders.some((folder) => !WITHOUT_STACK.includes(folder));

function add(total, counts) {
  for (const [name, count] of Object.entries(counts)) total[name] += count;
  return counts.failed > 0;
}

/** Counts one test: every line that API and workers printed during the tests is a JSON log line. */
function countLogs(total, plain) {
  if (plain.length > 0) console.log(['Lines of the service that are not JSON log lines:', ...plain].join('\n  '));
  add(total, { passed: plain.length === 0 ? 1 : 0, failed: plain.length === 0 ? 0 : 1 });
}

/** Brings the clone to the point where the selected tests that need no stack can run. */
async function prepareFor(selection, running, progress) {
  // A running stack was prepared when it was started; `npm run dev` also compiles.
  if (running !== null && !running.kept) return;
  const tests = selection.folders.some((folder) => WITHOUT_STACK.includes(folder));
  if (!tests && (running !== null || !needsStack(selection))) return prepareSources(progress);
  const needed = [];
  if (selection.folders.includes('components') || needsStack(selection)) needed.push('chromium');
  if (selection.folders.includes('workflows')) needed.push('temporalTestServer');
  await prepare(progress, { needed });
}

/** Prepares what only a stack and its suites need; compiling the S3 server takes longer than all other preparation. */
async function prepareStack(selection, running, progress) {
  if (!needsStack(selection)) return;
  const tools = STACK_TOOLS.filter((name) => name !== 'chromium');
  await Promise.all([
    running === null && prepareTools(progress, tools),
    selection.fuzz !== null && prepareFuzz(progress),
  ]);
}

async function openStack({ keepStack }, running, progress, releaseSignals) {
  if (running !== null) {
    progress.say(`using the stack of \`${running.command}\``);
    return progress.step('stack', () => useRunningStack(running));
  }
  if (keepStack) return progress.step('starting a stack to keep', () => startKeptStack());
  // On a signal, a stack of this process is stopped first: it handles signals itself.
  releaseSignals();
  return startTestStack(progress);
}

async function runTests(selection, { running, prepared, total, progress, scratch, releaseSignals }) {
  const { folders, patterns } = selection;
  const common = { ...sandboxSetting(), ...process.env, ...selection.environment, VOUCH_TOOLS_DIR: toolsFolder() };
  if (folders.includes('workflows'))
    common.TEMPORAL_TEST_SERVER_PATH = (await resolve('temporalTestServer')).executable;
  // Made by `prepareFor`; the build of `npm run dev` may be behind the sources.
  if (running === null || running.kept) common.VOUCH_WORKFLOW_BUNDLE = WORKFLOW_BUNDLE;
  const stallSeconds = selection.all ? STALL_SECONDS : Infinity;
  const jest = (name, group, workers, env) => {
    const selected = folders.filter((folder) => group.includes(folder));
    const resultFile = path.join(scratch, `${name}.json`);
    return runJest({ folders: selected, patterns, workers, env, resultFile, stallSeconds });
  };
  const checks = selection.staticChecks;
  const checked = checks.length === 0 ? Promise.resolve({}) : runStaticChecks(progress, checks);
  const alone = Promise.all([checked, jest('without-stack', WITHOUT_STACK, WORKERS, { ...common, NODE_ENV: 'test' })]);
  const counted = alone.then((results) => results.forEach((counts) => add(total, counts)));
  if (!needsStack(selection)) return counted;
  // Reported where it is awaited.
  counted.catch(() => {});
  // The checks use more than a core. After them, the stack starts while the last tests without one run.
  const opening = checked.then(() => prepared).then(() => openStack(selection, running, progress, releaseSignals));
  const stack = await opening.catch(async (error) => {
    await counted;
    throw error;
  });
  await runWithStack(stack, { selection, counted, jest, common, total, progress });
}

/** Runs the tests of a stack, those that start stacks of their own, and generated requests; then stops the stack. */
async function runWithStack(stack, { selection, counted, jest, common, total, progress }) {
  const env = { ...common, ...stack.environment };
  // Generated requests follow the tests of the same stack, whose registers and receivers they would call.
  const testAndFuzz = async () => {
    await counted;
    const tested = add(total, await jest('with-stack', WITH_STACK, STACK_WORKERS, env));
    const fuzzed = selection.fuzz === null ? {} : await fuzz(stack.runFile, selection.fuzz, progress);
    return add(total, fuzzed) || tested;
  };
  let failed = true;
  try {
    // Tests with stacks of their own mostly wait for restarts: they leave the processor to the others.
    const groups = await Promise.all([
      testAndFuzz(),
      jest('own-stacks', WITH_OWN_STACKS, 1, env).then((counts) => add(total, counts)),
    ]);
    failed = groups.includes(true);
  } finally {
    if (stack.stop !== undefined) {
      const plain = await progress.step('stopping the stack', () => stack.stop(failed));
      countLogs(total, plain);
    }
  }
}

async function main() {
  const selection = parseSelection(process.argv.slice(2));
  if (selection.help) return void console.log(USAGE);
  const progress = createProgress();
  const total = { passed: 0, failed: 0, skipped: 0 };
  const scratch = await mkdtemp(path.join(tmpdir(), 'vouch-tests-'));
  process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));
  // Released before a stack is started that must be stopped before this process ends.
  const releaseSignals = exitOnSignals();
  try {
    const mayReuse = needsStack(selection) && !selection.all && !selection.freshStack;
    const running = mayReuse ? await findRunningStack() : null;
    const prepared = prepareStack(selection, running, progress);
    // A failure is reported before the stack is opened.
    prepared.catch(() => {});
    await prepareFor(selection, running, progress);
    await runTests(selection, { running, prepared, total, progress, scratch, releaseSignals });
  } catch (error) {
    console.log(error.message);
    total.failed += 1;
  }
  console.log(`tests took ${progress.total()}`);
  const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
  console.log(`${total.passed} passed, ${total.failed} failed${skipped}`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

await main().catch(printFailure);

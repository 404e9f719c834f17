import { spawn } from 'node:child_process';
import { cp, mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hashSources } from '../build/compile.mjs';
import { LauncherError } from '../progress.mjs';
import { devHomeFolder, keptHomeFolder, readJson, root, testHomesFolder } from '../stack/home.mjs';
import { isSame } from '../stack/identity.mjs';
import { findLauncher, lockHome, runFile, unlockHome, waitUntilServing } from '../stack/launcher.mjs';
import { stopLeftovers } from '../stack/leftovers.mjs';
import { bringUp } from '../stack/serve.mjs';
import { Stack } from '../stack/stack.mjs';
import { signalProcess } from '../stack/supervised.mjs';
import { addTestSettings } from '../stack/test-settings.mjs';
import { endOwned } from '../toolchain/children.mjs';
import { readServiceLogs } from './service-logs.mjs';

/**
 * Variables that a test stack does not inherit: engines that may hold data of a user, settings of another stack, and
 * those that `addTestSettings` sets.
 */
const NOT_INHERITED =
  /^(MONGO_\w+|TEMPORAL_(ADDRESS|NAMESPACE|UI_URL|TLS\w*|PAYLOAD_ENCRYPTION)|S3_\w+|MASTER_KEY\w*|JWT_SECRET\w*|PORT|HOST|PUBLIC_URL|VOUCH_HOME|RATE_LIMIT_\w+|EGRESS_ALLOW|GLEIF_URL|COMPANIES_HOUSE_\w+|VIES_URL|OTEL_\w+|TRACES_\w+)$/;

/** Chromium has no sandbox for root, and runs without one only if a setting says so. */
export const sandboxSetting = () => (process.getuid?.() === 0 ? { CHROMIUM_SANDBOX: 'false' } : {});

/** @returns {NodeJS.ProcessEnv} the environment of a test stack, and of the tests that run against it */
export function testEnvironment(env = process.env) {
  const inherited = Object.entries(env).filter(([name]) => !NOT_INHERITED.test(name));
  return {
    ...sandboxSetting(),
    ...Object.fromEntries(inherited),
    NODE_ENV: 'test',
    LOG_LEVEL: env.LOG_LEVEL ?? 'info',
  };
}

/**
 * A stack that tests run against.
 * @typedef {object} TestStack
 * @property {NodeJS.ProcessEnv} environment environment of the tests
 * @property {string} runFile
 * @property {(keepLogs: boolean) => Promise<string[]>} [stop] absent if the stack keeps running after the tests; returns
 *   lines that API or workers printed and that are not JSON log lines
 */

/** @returns {TestStack} */
function describeTestStack(home, run, stop = undefined) {
  const file = runFile(home);
  return {
    environment: {
      ...addTestSettings(testEnvironment(), run.testPorts),
      ...run.environment,
      NODE_ENV: 'test',
      VOUCH_TEST_STACK: file,
      VOUCH_TEST_RECEIVER_PORTS: run.testPorts.receivers.join(','),
      VOUCH_TEST_TRACES_PORT: String(run.testPorts.traces),
      VOUCH_TEST_REGISTERS_PORT: String(run.testPorts.registers),
    },
    runFile: file,
    stop,
  };
}

/** The home and command of a running stack that tests can use: a kept test stack, else that of `npm run dev`; or null. */
export async function findRunningStack() {
  const homes = [
    { home: keptHomeFolder, kept: true, command: 'npm test -- --keep-stack' },
    { home: devHomeFolder(), kept: false, command: 'npm run dev' },
  ];
  for (const candidate of homes) {
    const launcher = await findLauncher(candidate.home);
    if (launcher !== null) return { ...candidate, launcher };
  }
  return null;
}

const CURRENT_WITHIN_SECONDS = 120;

const keptLogFile = path.join(keptHomeFolder, 'launcher.log');

/** What to do about a stack that does not serve the current sources, such as those of an earlier version of the schema. */
const describeRemedy = (kept) =>
  kept ? `see ${keptLogFile}; \`npm run stop\` ends it, and --fresh-stack tests on another` : 'see its output';

/**
 * Waits until a running stack serves the current sources. A kept stack is restarted for that; `npm run dev` restarts its
 * processes itself.
 * @returns {Promise<TestStack>}
 */
export async function useRunningStack({ home, kept, command, launcher }) {
  const first = await waitUntilServing(home, launcher);
  if (first === null) throw new LauncherError(`The stack of \`${command}\` ended before it served.`);
  const hash = await hashSources();
  if (kept && first.build !== hash) process.kill(launcher.pid, 'SIGUSR2');
  const deadline = Date.now() + CURRENT_WITHIN_SECONDS * 1000;
  for (;;) {
    const run = await readJson(runFile(home));
    if (run?.build === hash && (await isReady(run.api))) return describeTestStack(home, run);
    if (Date.now() > deadline)
      throw new LauncherError(
        `The stack of \`${command}\` does not serve the current sources; ${describeRemedy(kept)}.`,
      );
    await delay(200);
  }
}

const isReady = (api) =>
  fetch(`${api}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.ok,
    () => false,
  );

/**
 * Starts a test stack that keeps running after this process has ended.
 * @returns {Promise<TestStack>}
 */
export async function startKeptStack() {
  await sweep(console.log);
  await mkdir(keptHomeFolder, { recursive: true });
  const log = await open(keptLogFile, 'a');
  const script = path.join(root, 'scripts', 'checks', 'kept-stack.mjs');
  const child = spawn(process.execPath, [script], {
    cwd: root,
    env: testEnvironment(),
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  child.unref();
  await log.close();
  while (child.exitCode === null) {
    const run = await readJson(runFile(keptHomeFolder));
    if (run?.pids.launcher === child.pid) return describeTestStack(keptHomeFolder, run);
    await delay(200);
  }
  throw new LauncherError(`The test stack did not start; see ${keptLogFile}.`);
}

/**
 * Starts a stack for one test run, in its own home: two runs in one clone do not affect each other. Stacks left by killed
 * runs are stopped and removed first.
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 * @returns {Promise<TestStack>}
 */
export async function startTestStack(progress) {
  await sweep(progress.say);
  const home = path.join(testHomesFolder, String(process.pid));
  await mkdir(home, { recursive: true });
  await lockHome(home);
  const stack = await Stack.open({ home, ephemeral: true, log: progress.say, env: testEnvironment() });
  let stopped = null;
  const stopOnce = (keepLogs) => (stopped ??= stopTestStack(stack, home, keepLogs));
  let ending = null;
  // The tests are stopped first: a test that continued could start a stack while this one stops.
  const end = () =>
    (ending ??= endOwned()
      .then(() => stopOnce(false))
      .finally(() => process.exit(130)));
  // A terminal sends Ctrl-C to this process, npm and the launcher, which both pass it on: it arrives several times.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void end());
  try {
    const { run } = await bringUp(stack, { options: { port: 0, workers: [], testPorts: true }, progress });
    return describeTestStack(home, run, stopOnce);
  } catch (error) {
    await stopOnce(true);
    throw error;
  }
}

/**
 * Stops the stack and the stacks that tests started inside its home; keeps the logs if a test failed.
 * @returns {Promise<string[]>} lines of the service that are not JSON log lines
 */
async function stopTestStack(stack, home, keepLogs) {
  await stopHomesIn(home, () => {});
  await stack.stop();
  const { plain } = await readServiceLogs(path.join(home, 'logs'));
  if (keepLogs || plain.length > 0) {
    const kept = path.join(root, '.vouch', 'test-logs');
    await rm(kept, { recursive: true, force: true });
    await cp(path.join(home, 'logs'), kept, { recursive: true });
    console.log(`The logs of the service are in ${path.relative(root, kept)}.`);
  }
  await unlockHome(home);
  await rm(home, { recursive: true, force: true });
  return plain;
}

async function sweep(log) {
  for (const name of await readdir(testHomesFolder).catch(() => [])) {
    const home = path.join(testHomesFolder, name);
    if ((await findLauncher(home)) !== null) continue;
    await stopHomesIn(home, log);
    await stopLeftovers(home, log);
    await rm(home, { recursive: true, force: true });
  }
}

/** Stops the stacks that single tests started; their homes are inside the home of the test run. */
async function stopHomesIn(home, log) {
  for (const entry of await readdir(home, { withFileTypes: true }).catch(() => [])) {
    if (!entry.name.startsWith('own-')) continue;
    const own = path.join(home, entry.name);
    const launcher = await findLauncher(own);
    if (launcher !== null) {
      signalProcess(launcher.pid, 'SIGTERM');
      while (await isSame(launcher)) await delay(100);
    }
    await stopLeftovers(own, log);
  }
}

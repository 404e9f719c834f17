import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { root } from '../stack/home.mjs';
import { isSame } from '../stack/identity.mjs';
import { leaveHome, livingLauncher, runFile, takeHome } from '../stack/launcher.mjs';
import { endLeftovers } from '../stack/leftovers.mjs';
import { freePorts } from '../stack/ports.mjs';
import { bringUp } from '../stack/serve.mjs';
import { Stack } from '../stack/stack.mjs';
import { signalProcess } from '../stack/supervised.mjs';
import { endOwned } from '../toolchain/children.mjs';

const tests = path.join(root, '.vouch', 'tests');
const RECEIVER_PORTS = 40;

/** Variables that would lead a test to an engine with somebody's data in it. */
const ENGINES = [
  'MONGO_URL',
  'TEMPORAL_ADDRESS',
  'TEMPORAL_NAMESPACE',
  'TEMPORAL_UI_URL',
  'S3_ENDPOINT',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'S3_BUCKET',
];
const OWN = [
  'MASTER_KEY',
  'MASTER_KEY_FILE',
  'JWT_SECRET',
  'JWT_SECRET_FILE',
  'PORT',
  'HOST',
  'PUBLIC_URL',
  'VOUCH_HOME',
];

/**
 * What the service under test is told: limits that no test meets by accident, receivers it may call, and registers of
 * companies at a port where a test may serve them and nobody else does.
 */
export function testEnvironment(receiverPorts, registersPort, env = process.env) {
  const kept = Object.entries(env).filter(([name]) => !ENGINES.includes(name) && !OWN.includes(name));
  return {
    ...Object.fromEntries(kept),
    NODE_ENV: 'test',
    LOG_LEVEL: env.LOG_LEVEL ?? 'info',
    EGRESS_ALLOW: [...receiverPorts, registersPort].map((port) => `127.0.0.1:${port}`).join(','),
    RATE_LIMIT_IDENTITY_PER_MINUTE: '1000000',
    RATE_LIMIT_SESSION_CREATION_PER_MINUTE: '1000000',
    RATE_LIMIT_BUSINESS_PER_MINUTE: '1000000',
    RATE_LIMIT_AUTH_PER_MINUTE: '1000000',
    RATE_LIMIT_EXPORTS_PER_MINUTE: '1000000',
    GLEIF_URL: `http://127.0.0.1:${registersPort}/gleif`,
    COMPANIES_HOUSE_URL: `http://127.0.0.1:${registersPort}/companies-house`,
    COMPANIES_HOUSE_API_KEY: 'test-companies-house-key',
    VIES_URL: `http://127.0.0.1:${registersPort}/vies`,
  };
}

/**
 * Starts a stack for one run of the tests, in a home of its own: two runs in one clone do not meet, and what a killed
 * run left is ended and removed first.
 * @param {ReturnType<import('../progress.mjs').createProgress>} progress
 */
export async function startTestStack(progress) {
  await sweep(progress.say);
  const home = path.join(tests, String(process.pid));
  await mkdir(home, { recursive: true });
  await takeHome(home);
  const [registersPort, ...receiverPorts] = await freePorts(RECEIVER_PORTS + 1);
  const env = testEnvironment(receiverPorts, registersPort);
  const stack = await Stack.open({ home, ephemeral: true, log: progress.say, env });
  for (const port of [registersPort, ...receiverPorts]) stack.takenPorts.add(port);
  let ended = null;
  const endOnce = (keepLogs) => (ended ??= end(stack, home, keepLogs));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // The tests first: one that goes on would start a stack of its own beside the end of this one.
    process.once(
      signal,
      () =>
        void endOwned()
          .then(() => endOnce(false))
          .finally(() => process.exit(130)),
    );
  }
  try {
    const described = await bringUp(stack, { options: { port: 0, workers: [] }, progress });
    return {
      environment: {
        ...env,
        ...described.environment,
        VOUCH_TEST_STACK: runFile(home),
        VOUCH_TEST_RECEIVER_PORTS: receiverPorts.join(','),
        VOUCH_TEST_REGISTERS_PORT: String(registersPort),
      },
      stop: endOnce,
    };
  } catch (error) {
    await endOnce(true);
    throw error;
  }
}

/** Ends the stack and those that tests started for themselves inside its home; logs are kept where a test failed. */
async function end(stack, home, keepLogs) {
  await endHomesIn(home, () => {});
  await stack.stop();
  if (keepLogs) {
    const kept = path.join(root, '.vouch', 'test-logs');
    await rm(kept, { recursive: true, force: true });
    await cp(path.join(home, 'logs'), kept, { recursive: true });
    console.log(`The logs of the service are in ${path.relative(root, kept)}.`);
  }
  await leaveHome(home);
  await rm(home, { recursive: true, force: true });
}

async function sweep(log) {
  for (const name of await readdir(tests).catch(() => [])) {
    const home = path.join(tests, name);
    if ((await livingLauncher(home)) !== null) continue;
    await endHomesIn(home, log);
    await endLeftovers(home, log);
    await rm(home, { recursive: true, force: true });
  }
}

/** Stacks of single tests have their homes inside the home of the run. */
async function endHomesIn(home, log) {
  for (const entry of await readdir(home, { withFileTypes: true }).catch(() => [])) {
    if (!entry.name.startsWith('own-')) continue;
    const own = path.join(home, entry.name);
    const launcher = await livingLauncher(own);
    if (launcher !== null) {
      signalProcess(launcher.pid, 'SIGTERM');
      while (await isSame(launcher)) await delay(100);
    }
    await endLeftovers(own, log);
  }
}

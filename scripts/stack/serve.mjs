import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { LauncherError } from '../progress.mjs';
import { run } from '../toolchain/command.mjs';
import { moveSecretsToFiles, openSecrets, readJson, root, writePrivateJson } from './home.mjs';
import { listAddresses, untilEnding } from './launch.mjs';
import { runFile } from './launcher.mjs';
import { stopLeftovers } from './leftovers.mjs';
import { ENTRIES, serviceEnvironment, startService } from './service.mjs';
import { Stack } from './stack.mjs';
import { addTestSettings, reserveTestPorts } from './test-settings.mjs';

/** Migrations and restorations take as long as there is data. */
const MAX_COMMAND_SECONDS = 24 * 3600;

/**
 * Starts a stack and serves until `ending` is aborted; then stops every process in order.
 * @param {object} context
 * @param {string} context.home
 * @param {StackOptions} context.options
 * @param {NodeJS.ProcessEnv} context.env
 * @param {ReturnType<import('../progress.mjs').createProgress>} context.progress
 * @param {AbortSignal} context.ending
 * @param {(running: {stack: Stack, processes: import('./service.mjs').ServiceProcess[], run: {api: string}, migrate: () => Promise<unknown>}) => Promise<void>} [context.onServing]
 *   called once the service is ready; `run` has its addresses, `migrate` migrates its database
 *
 * @typedef {import('./service.mjs').ServiceOptions & {
 *   port?: number,
 *   ephemeral: boolean,
 *   fresh?: boolean,
 *   restore?: string,
 *   restoreOnly?: string[],
 *   demo?: boolean,
 *   testPorts?: boolean,
 *   preferredPorts?: Record<string, number>,
 *   onEngines?: (stack: Stack) => void,
 * }} StackOptions `testPorts` makes the stack usable for tests; `demo` runs the demonstration; `onEngines` is called before
 *   the service starts; `restore` is the id of a backup, `restoreOnly` the parts of it that are restored
 */
export async function serve({ home, options, env, progress, ending, onServing = async () => {} }) {
  await stopLeftovers(home, progress.say);
  if (options.fresh && options.restore)
    await untilEnding(
      progress.step('check of the backup', () => checkBackup(home, env, options.restore)),
      ending,
    );
  const stack = await Stack.open({ home, ephemeral: options.ephemeral, fresh: options.fresh, log: progress.say, env });
  const removeSignalHandler = killOnSecondSignal(stack, ending);
  try {
    const { run, processes, migrate } = await untilEnding(bringUp(stack, { options, progress }), ending);
    if (options.demo) await untilEnding(demonstrate(stack, run, progress), ending);
    await untilEnding(onServing({ stack, processes, run, migrate }), ending);
    announce(run, progress);
    await new Promise((resolve) => (ending.aborted ? resolve() : ending.addEventListener('abort', resolve)));
  } catch (error) {
    if (!ending.aborted) throw error;
  } finally {
    progress.say('stopping');
    await stack.stop();
    removeSignalHandler();
  }
}

/**
 * Starts the engines, the service and the demonstration organisation of an opened stack.
 * @param {Stack} stack
 * @param {{options: StackOptions, progress: ReturnType<import('../progress.mjs').createProgress>}} context
 * @returns {Promise<{run: object, processes: import('./service.mjs').ServiceProcess[], migrate: () => Promise<unknown>}>}
 *   `run` is the content of run.json
 */
export async function bringUp(stack, { options, progress }) {
  chooseSandbox(stack, progress);
  await stack.choosePorts({ api: options.port }, options.preferredPorts);
  if (options.testPorts) {
    stack.testPorts = await reserveTestPorts(stack.takenPorts);
    stack.inherited = addTestSettings(stack.inherited, stack.testPorts);
  }
  await stack.startEngines();
  options.onEngines?.(stack);
  const environment = serviceEnvironment(stack);
  const prepared = prepareData(stack, environment, { options, progress });
  // Restored data replaces what a process would read.
  if (options.restore) await prepared;
  const migrate = () => progress.step('migrations', () => runCommand(stack, environment, [ENTRIES.admin, 'migrate']));
  const [processes] = await Promise.all([
    progress.step('API and workers', () => startService(stack, environment, { ...options, migrate })),
    prepared,
  ]);
  const seeded = await progress.step('demonstration organisation', () => seed(stack, environment));
  const writeRunFile = async () => {
    const run = describe(stack, environment, { seeded, processes });
    await writePrivateJson(runFile(stack.folders.home), run);
    return run;
  };
  stack.onChange = writeRunFile;
  return { run: await writeRunFile(), processes, migrate };
}

/** Waits for the engines, which start while the processes of the service load, and restores a backup. */
async function prepareData(stack, environment, { options, progress }) {
  await progress.step('MongoDB, Temporal, S3', () => stack.awaitEngines());
  if (options.restore) await restore(stack, environment, { options, progress });
}

/**
 * Chromium has no sandbox for root. Outside production a developer who is root gets a message; in production, and for
 * everybody else, only the operator can switch it off.
 */
function chooseSandbox(stack, progress) {
  if (process.getuid?.() !== 0 || stack.inherited.CHROMIUM_SANDBOX !== undefined) return;
  const advice = 'start as another user, or set CHROMIUM_SANDBOX=false to accept this';
  if (stack.inherited.NODE_ENV === 'production')
    throw new LauncherError(`Chromium has no sandbox when it runs as root: ${advice}`);
  progress.say(`Chromium runs without its sandbox because this is root: ${advice}`);
  stack.inherited = { ...stack.inherited, CHROMIUM_SANDBOX: 'false' };
}

/** Restores a backup, or parts of it, into the engines that were started, and prints what was done. */
async function restore(stack, environment, { options: { restore: id, restoreOnly }, progress }) {
  const runs = restoreOnly === undefined ? [[]] : restoreOnly.map((part) => ['--only', part]);
  for (const args of runs) {
    const { stdout } = await progress.step(['restoration', ...args.slice(1)].join(' of '), () =>
      runCommand(stack, environment, [ENTRIES.restore, '--backup', id, ...args]),
    );
    progress.say(JSON.stringify(JSON.parse(stdout.slice(stdout.indexOf('{\n')))));
  }
}

/**
 * Reads a backup before the data is deleted that it replaces: one without its passphrase or master key, or that was
 * damaged, would leave nothing.
 */
async function checkBackup(home, env, id) {
  const folder = path.join(home, 'secrets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { masterKeyFile } = await openSecrets(folder);
  const settings = await moveSecretsToFiles(env, folder);
  await run(process.execPath, [ENTRIES.restore, '--check', '--backup', id], {
    cwd: root,
    env: { MASTER_KEY_FILE: masterKeyFile, ...settings },
    timeoutSeconds: MAX_COMMAND_SECONDS,
    tailLines: 20,
  });
}

/** Runs a command on the engines that were started. */
const runCommand = (stack, environment, args) =>
  run(process.execPath, args, {
    cwd: root,
    env: { ...stack.inherited, ...environment, LOG_LEVEL: 'warn' },
    timeoutSeconds: MAX_COMMAND_SECONDS,
    tailLines: 20,
  });

/**
 * Creates the demonstration organisation if it does not exist. Its key and password are only returned when they are
 * created, so they are kept among the secrets of this home.
 */
async function seed(stack, environment) {
  const file = path.join(stack.folders.secrets, 'demonstration.json');
  const kept = (await readJson(file)) ?? {};
  // Only webhooks of this organisation may reach the receiver of the demonstration.
  const receiver = `127.0.0.1:${stack.ports.demoReceiver}`;
  if (kept.receiver === receiver && (await isAccepted(environment.PUBLIC_URL, kept.identityApiKey))) return kept;
  const { stdout } = await run(process.execPath, [ENTRIES.admin, 'ensure-demo', '--receiver', receiver], {
    cwd: root,
    env: { ...stack.inherited, ...environment, LOG_LEVEL: 'warn' },
    timeoutSeconds: 120,
    tailLines: 20,
  });
  const created = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const known = kept.organisationId === created.organisationId ? kept : {};
  const seeded = {
    receiver,
    organisationId: created.organisationId,
    identityApiKey: created.identityApiKey ?? known.identityApiKey ?? null,
    admin: { email: created.admin.email, password: created.admin.password ?? known.admin?.password ?? null },
  };
  await writePrivateJson(file, seeded);
  return seeded;
}

/** Whether the kept key is valid for this service; it is not after --fresh or with another database. */
async function isAccepted(api, key) {
  if (!key) return false;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${api}/v1/sessions?limit=1`, { headers, signal: AbortSignal.timeout(10_000) });
  await response.arrayBuffer();
  return response.ok;
}

function describe(stack, environment, { seeded, processes }) {
  return {
    api: environment.PUBLIC_URL,
    docs: `${environment.PUBLIC_URL}/docs`,
    temporalUi: stack.addresses.temporalUi,
    s3: stack.addresses.s3,
    mongo: stack.addresses.mongo,
    temporal: stack.addresses.temporal,
    organisationId: seeded.organisationId,
    identityApiKey: seeded.identityApiKey,
    admin: seeded.admin,
    demoReceiverPort: stack.ports.demoReceiver,
    testPorts: stack.testPorts,
    build: stack.build,
    pids: { launcher: process.pid, ...stack.pids },
    // The address of each process of the service: readiness and, with METRICS_TOKEN, metrics.
    processes: Object.fromEntries(
      processes.map(({ supervised, port }) => [supervised.role, `http://127.0.0.1:${port}`]),
    ),
    environment,
  };
}

/** Runs the demonstration and prints its table. A failure is printed; the service keeps running. */
async function demonstrate(stack, described, progress) {
  const demonstration = progress.step('demonstration', () =>
    run(process.execPath, [ENTRIES.demo], {
      cwd: root,
      env: { ...stack.inherited, ...described.environment, VOUCH_RUN: runFile(stack.folders.home) },
      timeoutSeconds: 300,
      tailLines: 40,
    }),
  );
  await demonstration.then(
    ({ stdout }) => console.log(stdout.trimEnd()),
    (error) => console.log(error.message),
  );
}

function announce(run, progress) {
  progress.say(`serving after ${progress.total()}; Ctrl-C stops everything`);
  for (const line of listAddresses(run)) progress.say(line);
}

/** A second Ctrl-C kills the processes at once instead of waiting for the drain. */
function killOnSecondSignal(stack, ending) {
  const onSignal = () => {
    if (ending.aborted) stack.kill();
  };
  const arm = () => setTimeout(() => process.on('SIGINT', onSignal), 500).unref();
  ending.addEventListener('abort', arm, { once: true });
  return () => process.off('SIGINT', onSignal);
}

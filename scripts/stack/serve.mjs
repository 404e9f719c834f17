import path from 'node:path';
import { prepare } from '../prepare.mjs';
import { LauncherError } from '../progress.mjs';
import { run } from '../toolchain/command.mjs';
import { readJson, root, writePrivateJson } from './home.mjs';
import { runFile } from './launcher.mjs';
import { endLeftovers } from './leftovers.mjs';
import { ENTRIES, serviceEnvironment, startService } from './service.mjs';
import { Stack } from './stack.mjs';

/**
 * Prepares the clone, starts the stack, and serves until `ending` is aborted; then ends every process in order.
 * @param {object} options
 * @param {string} options.home
 * @param {ReturnType<import('./arguments.mjs').parseLauncherArguments>} options.options
 * @param {NodeJS.ProcessEnv} options.env
 * @param {ReturnType<import('../progress.mjs').createProgress>} options.progress
 * @param {AbortSignal} options.ending
 */
export async function serve({ home, options, env, progress, ending }) {
  await endLeftovers(home, progress.say);
  await untilEnding(prepare(progress, { env }), ending);
  const stack = await Stack.open({ home, ephemeral: options.ephemeral, fresh: options.fresh, log: progress.say, env });
  const impatient = afterSecondSignal(stack, ending);
  try {
    const run = await untilEnding(bringUp(stack, { options, progress }), ending);
    if (options.demo) await untilEnding(demonstrate(stack, run, progress), ending);
    announce(run, progress);
    await new Promise((resolve) => (ending.aborted ? resolve() : ending.addEventListener('abort', resolve)));
  } catch (error) {
    if (!ending.aborted) throw error;
  } finally {
    progress.say('stopping');
    await stack.stop();
    impatient();
  }
}

/**
 * Starts engines, service and demonstration organisation of an opened stack.
 * @returns {Promise<object>} what run.json holds
 */
export async function bringUp(stack, { options, progress }) {
  await stack.choosePorts({ api: options.port });
  await progress.step('MongoDB, Temporal, S3', () => stack.startEngines());
  const environment = serviceEnvironment(stack);
  await progress.step('API and workers', () => startService(stack, environment, options.workers));
  const seeded = await progress.step('demonstration organisation', () => seed(stack, environment));
  const run = describe(stack, environment, seeded);
  stack.onChange = () => writePrivateJson(runFile(stack.folders.home), describe(stack, environment, seeded));
  await stack.onChange();
  return run;
}

/**
 * Makes the demonstration organisation where it is missing. Its key and password are shown only when they are made,
 * so they are kept among the secrets of this home.
 */
async function seed(stack, environment) {
  const file = path.join(stack.folders.secrets, 'demonstration.json');
  const kept = (await readJson(file)) ?? {};
  // Its webhooks, and nobody else's, may reach the receiver of the demonstration.
  const receiver = `127.0.0.1:${stack.ports.demoReceiver}`;
  if (kept.receiver === receiver && (await isAccepted(environment.PUBLIC_URL, kept.identityApiKey))) return kept;
  const { stdout } = await run(process.execPath, [ENTRIES.admin, 'ensure-demo', '--receiver', receiver, '--json'], {
    cwd: root,
    env: { ...stack.inherited, ...environment, LOG_LEVEL: 'warn' },
    timeoutSeconds: 120,
    tailLines: 20,
  });
  const answer = JSON.parse(stdout.slice(stdout.indexOf('{')));
  const known = kept.organisationId === answer.organisationId ? kept : {};
  const seeded = {
    receiver,
    organisationId: answer.organisationId,
    identityApiKey: answer.identityApiKey ?? known.identityApiKey ?? null,
    admin: { email: answer.admin.email, password: answer.admin.password ?? known.admin?.password ?? null },
  };
  await writePrivateJson(file, seeded);
  return seeded;
}

/** Whether the kept key still opens this service: it does not after --fresh, or on another database. */
async function isAccepted(api, key) {
  if (!key) return false;
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${api}/v1/sessions?limit=1`, { headers, signal: AbortSignal.timeout(10_000) });
  await response.arrayBuffer();
  return response.ok;
}

function describe(stack, environment, seeded) {
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
    pids: { launcher: process.pid, ...stack.pids },
    environment,
  };
}

/** Runs the demonstration and prints its table. One that fails is told; the service goes on serving all the same. */
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
  for (const [name, url] of Object.entries({ API: run.api, 'API docs': run.docs, 'Temporal UI': run.temporalUi })) {
    if (url) progress.say(`${name.padEnd(12)} ${url}`);
  }
}

/** The work's result, unless a signal asks to end first. */
function untilEnding(work, ending) {
  return new Promise((resolve, reject) => {
    const end = () => reject(new LauncherError(`ended by ${ending.reason}`));
    if (ending.aborted) end();
    ending.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => ending.removeEventListener('abort', end));
  });
}

/** A person who presses Ctrl-C again does not want to wait for the drain. */
function afterSecondSignal(stack, ending) {
  const onSignal = () => {
    if (ending.aborted) stack.kill();
  };
  const arm = () => setTimeout(() => process.on('SIGINT', onSignal), 500).unref();
  ending.addEventListener('abort', arm, { once: true });
  return () => process.off('SIGINT', onSignal);
}

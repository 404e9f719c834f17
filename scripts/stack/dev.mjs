/**
 * `node scripts/stack/dev.mjs up|down|env`: the engines alone (MongoDB, Temporal, S3), for work on a part of the
 * service. `up` and `env` print `export` lines: `eval "$(node scripts/stack/dev.mjs up)"`.
 */
import { spawn } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { modelsFolder } from '../toolchain/tools.mjs';
import { readJson, root, writePrivateJson } from './home.mjs';
import { identify, isSame } from './identity.mjs';
import { endLeftovers } from './leftovers.mjs';
import { Stack } from './stack.mjs';

const home = path.join(root, '.vouch', 'dev');
const noteFile = path.join(home, 'dev.json');

async function serve() {
  await endLeftovers(home, console.error);
  const stack = await Stack.open({ home, ephemeral: false, log: console.error });
  const end = () =>
    void stack
      .stop()
      .then(() => rm(noteFile, { force: true }))
      .then(() => process.exit(0));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, end);
  try {
    await start(stack);
  } catch (error) {
    await stack.stop();
    throw error;
  }
  setInterval(() => {}, 1 << 30);
}

async function start(stack) {
  await stack.choosePorts({ mongo: 27117, temporal: 7333, temporalUi: 8333, s3: 7170, api: 3100, demoReceiver: 3199 });
  await stack.startEngines();
  const env = { ...stack.environment, MODELS_DIR: modelsFolder() };
  await writePrivateJson(noteFile, { launcher: await identify(process.pid), env });
}

async function running() {
  const note = await readJson(noteFile);
  return note !== null && (await isSame(note.launcher)) ? note : null;
}

function print({ env }) {
  for (const [name, value] of Object.entries(env)) console.log(`export ${name}='${value}'`);
}

async function up() {
  let note = await running();
  if (note === null) {
    await rm(noteFile, { force: true });
    await mkdir(home, { recursive: true });
    const log = await open(path.join(home, 'dev.log'), 'a');
    const child = spawn(process.execPath, [process.argv[1], 'serve'], {
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    while (note === null && child.exitCode === null) {
      await delay(100);
      note = await running();
    }
    child.unref();
    await log.close();
  }
  if (note === null) throw new Error(`the engines did not start; see ${path.join(home, 'dev.log')}`);
  print(note);
}

async function down() {
  const note = await running();
  if (note === null) return void console.error('not running');
  process.kill(note.launcher.pid, 'SIGTERM');
  while (await isSame(note.launcher)) await delay(100);
}

const verb = process.argv[2];
if (verb === 'serve') {
  await serve().catch((error) => {
    console.error(error.message);
    process.exit(1);
  });
} else if (verb === 'up') await up();
else if (verb === 'down') await down();
else if (verb === 'env' && (await running())) print(await running());
else {
  console.error(verb === 'env' ? 'not running' : 'usage: dev.mjs up|down|env');
  process.exitCode = 1;
}

/** `npm run status`: the running stacks of this clone, or the installation of the environment, and their health. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { parseOptions } from './options.mjs';
import { printFailure } from './progress.mjs';
import { listHomes, readJson, root } from './stack/home.mjs';
import { listAddresses } from './stack/launch.mjs';
import { findLauncher, runFile } from './stack/launcher.mjs';

const USAGE = `Usage: npm run status

Prints the processes, readiness and addresses of the stacks that \`npm start\`, \`npm run dev\` and
\`npm test -- --keep-stack\` started, with their version and the backlog of each pool. If MONGO_URL and the other variables
of a worker are set, prints version, processes and pools of the installation that they name. Exits with code 1 if none
runs, one is not ready or a pool has no worker. \`npm run doctor\` says what is stuck.`;

async function main() {
  const { values } = parseOptions(USAGE, {});
  if (values.help) return void console.log(USAGE);
  if (process.env.MONGO_URL || process.env.MONGO_URL_FILE)
    return void (process.exitCode = describeInstallation(process.env) ? 0 : 1);
  const results = [];
  for (const { home, command } of listHomes()) {
    const launcher = await findLauncher(home);
    if (launcher !== null) results.push(await describeStack(home, command, launcher));
  }
  if (results.length === 0) console.log('Vouch is not running.');
  process.exitCode = results.length > 0 && results.every(Boolean) ? 0 : 1;
}

/** Prints one stack. @returns {Promise<boolean>} whether it is ready */
async function describeStack(home, command, launcher) {
  console.log(`${command} (${home})`);
  const run = await readJson(runFile(home));
  if (run === null) {
    console.log(`  starting (process ${launcher.pid})`);
    return false;
  }
  for (const [role, pid] of Object.entries(run.pids)) console.log(`  ${role.padEnd(16)} ${pid ?? 'down, restarting'}`);
  const health = await fetch(`${run.api}/readyz`, { signal: AbortSignal.timeout(10_000) }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error) => error.message,
  );
  console.log(`  ${'readiness'.padEnd(16)} ${health}`);
  for (const line of listAddresses(run)) console.log(`  ${line}`);
  const isServed = describeInstallation({ ...process.env, VOUCH_RUN: runFile(home) });
  return health.startsWith('200') && isServed;
}

/** Prints version, processes and pools. @returns {boolean} whether every pool has a worker */
function describeInstallation(env) {
  const entry = path.join(root, 'dist', 'scripts', 'admin.js');
  if (!existsSync(entry)) {
    console.log('  pools            unknown: run npm run build');
    return false;
  }
  return spawnSync(process.execPath, [entry, 'pools'], { env, stdio: 'inherit', cwd: root }).status === 0;
}

await main().catch(printFailure);

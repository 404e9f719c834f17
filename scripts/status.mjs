/** `npm run status`: the running stacks of this clone and their health. */
import { parseOptions } from './options.mjs';
import { printFailure } from './progress.mjs';
import { listHomes, readJson } from './stack/home.mjs';
import { listAddresses } from './stack/launch.mjs';
import { findLauncher, runFile } from './stack/launcher.mjs';

const USAGE = `Usage: npm run status

Prints the processes, readiness and addresses of the stacks that \`npm start\`, \`npm run dev\` and
\`npm test -- --keep-stack\` started. Exits with code 1 if no stack runs or one is not ready.`;

async function main() {
  const { values } = parseOptions(USAGE, {});
  if (values.help) return void console.log(USAGE);
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
  return health.startsWith('200');
}

await main().catch(printFailure);

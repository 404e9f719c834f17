/** `npm run stop`: stops every stack of this clone, including processes that a killed launcher left running. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseOptions } from './options.mjs';
import { printFailure } from './progress.mjs';
import { listHomes } from './stack/home.mjs';
import { isSame } from './stack/identity.mjs';
import { findLauncher, unlockHome } from './stack/launcher.mjs';
import { stopLeftovers } from './stack/leftovers.mjs';

const USAGE = `Usage: npm run stop

Stops the stacks that \`npm start\`, \`npm run dev\` and \`npm test -- --keep-stack\` started, and processes that a killed
launcher left running. Data is kept.`;

async function main() {
  const { values } = parseOptions(USAGE, {});
  if (values.help) return void console.log(USAGE);
  let stopped = 0;
  for (const { home, command } of listHomes()) stopped += await stopStack(home, command);
  console.log(stopped === 0 ? 'Vouch is not running.' : 'stopped');
}

/** @returns {Promise<number>} how many processes were stopped */
async function stopStack(home, command) {
  const launcher = await findLauncher(home);
  if (launcher === null) {
    const stopped = await stopLeftovers(home, console.log);
    await unlockHome(home);
    return stopped;
  }
  console.log(`stopping the stack of \`${command}\` (process ${launcher.pid})`);
  process.kill(launcher.pid, 'SIGTERM');
  while (await isSame(launcher)) await delay(100);
  return 1;
}

await main().catch(printFailure);

/** `npm run stop`: ends the stack of this home, and what a killed launcher may have left behind. */
import { setTimeout as delay } from 'node:timers/promises';
import { homeFolder } from './stack/home.mjs';
import { isSame } from './stack/identity.mjs';
import { leaveHome, livingLauncher } from './stack/launcher.mjs';
import { endLeftovers } from './stack/leftovers.mjs';

const home = homeFolder();
const launcher = await livingLauncher(home);
if (launcher === null) {
  const ended = await endLeftovers(home, console.log);
  await leaveHome(home);
  console.log(ended === 0 ? 'Vouch is not running.' : 'stopped');
} else {
  console.log(`stopping process ${launcher.pid} and its children`);
  process.kill(launcher.pid, 'SIGTERM');
  while (await isSame(launcher)) await delay(100);
  console.log('stopped');
}

/** `npm run status`: what runs in this home and whether it is well; exits 1 when it is not. */
import { homeFolder, readJson } from './stack/home.mjs';
import { livingLauncher, runFile } from './stack/launcher.mjs';

const home = homeFolder();
const launcher = await livingLauncher(home);
const run = await readJson(runFile(home));
if (launcher === null || run === null) {
  console.log(launcher === null ? 'Vouch is not running.' : `Vouch is starting (process ${launcher.pid}).`);
  process.exitCode = 1;
} else {
  for (const [role, pid] of Object.entries(run.pids))
    console.log(`${role.padEnd(16)} ${pid ?? 'down, being started again'}`);
  const health = await fetch(`${run.api}/readyz`, { signal: AbortSignal.timeout(10_000) }).then(
    async (response) => `${response.status} ${await response.text()}`,
    (error) => error.message,
  );
  console.log(`${'readiness'.padEnd(16)} ${health}`);
  for (const [name, url] of Object.entries({ API: run.api, 'API docs': run.docs, 'Temporal UI': run.temporalUi })) {
    if (url) console.log(`${name.padEnd(16)} ${url}`);
  }
  if (!health.startsWith('200')) process.exitCode = 1;
}

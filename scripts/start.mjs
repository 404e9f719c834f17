/** `npm start`: from a fresh clone to a serving stack. Options: `--help`. */
import { mkdir } from 'node:fs/promises';
import { createProgress, LauncherError } from './progress.mjs';
import { parseLauncherArguments, USAGE } from './stack/arguments.mjs';
import { homeFolder } from './stack/home.mjs';
import { leaveHome, takeHome, waitUntilServing } from './stack/launcher.mjs';
import { serve } from './stack/serve.mjs';

async function main() {
  const options = parseLauncherArguments(process.argv.slice(2), process.env);
  if (options.help) return void console.log(USAGE);
  const ending = endedFromOutside();
  const home = homeFolder();
  await mkdir(home, { recursive: true });
  const other = await takeHome(home);
  if (other !== null) return describeOther(home, other);

  const progress = createProgress();
  try {
    await serve({ home, options, env: process.env, progress, ending: ending.signal });
  } finally {
    await leaveHome(home);
  }
}

/** Asked to end by a signal, or by the end of the process that started it with a channel, such as a test. */
function endedFromOutside() {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => ending.abort(signal));
  process.once('disconnect', () => ending.abort('the end of its parent'));
  process.channel?.unref();
  return ending;
}

async function describeOther(home, other) {
  console.log(`Vouch runs in ${home} already (process ${other.pid}).`);
  const run = await waitUntilServing(home, other);
  if (run === null) throw new LauncherError('It ended before it served; start it again.');
  printAddresses(run);
  console.log('Stop it with: npm run stop');
}

function printAddresses(run) {
  for (const [name, url] of Object.entries({ API: run.api, 'API docs': run.docs, 'Temporal UI': run.temporalUi })) {
    if (url) console.log(`      ${name.padEnd(12)} ${url}`);
  }
}

main().then(
  () => process.exit(process.exitCode ?? 0),
  (error) => {
    console.error(error.name === 'Error' && process.env.DEBUG ? error.stack : `\n${error.message}`);
    process.exit(1);
  },
);

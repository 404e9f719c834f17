/** `npm start`: from a fresh clone to a serving stack. */
import { prepare } from './prepare.mjs';
import { printFailure } from './progress.mjs';
import { parseStartArguments, START_USAGE } from './stack/arguments.mjs';
import { homeFolder } from './stack/home.mjs';
import { launch, untilEnding } from './stack/launch.mjs';
import { stopLeftovers } from './stack/leftovers.mjs';
import { serve } from './stack/serve.mjs';

async function main() {
  const options = parseStartArguments(process.argv.slice(2), process.env);
  if (options.help) return void console.log(START_USAGE);
  const home = homeFolder();
  await launch(home, async ({ progress, ending }) => {
    // Processes left by a killed launcher are stopped meanwhile.
    const left = stopLeftovers(home, progress.say);
    await untilEnding(Promise.all([prepare(progress), left]), ending);
    await serve({ home, options, env: process.env, progress, ending });
  });
}

await main().catch(printFailure);
process.exit();

/**
 * The launcher of the stack that `npm test -- --keep-stack` leaves running. On SIGUSR2 it restarts the API and the workers
 * with the current build, and migrates the database if the build has a new migration; `npm run stop` stops it.
 */
import { printFailure } from '../progress.mjs';
import { keptHomeFolder } from '../stack/home.mjs';
import { launch } from '../stack/launch.mjs';
import { serve } from '../stack/serve.mjs';
import { restartService } from '../stack/service.mjs';

const options = { port: 0, workers: [], ephemeral: true, testPorts: true };

function restartOnSignal({ stack, processes, migrate }, progress) {
  const restart = () => restartService(stack, processes, migrate);
  process.on('SIGUSR2', () => {
    progress.step('restarting API and workers', restart).catch(printFailure);
  });
}

await launch(keptHomeFolder, ({ progress, ending }) =>
  serve({
    home: keptHomeFolder,
    options,
    env: process.env,
    progress,
    ending,
    onServing: async (running) => restartOnSignal(running, progress),
  }),
).catch(printFailure);
process.exit();

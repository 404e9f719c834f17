/** `npm run dev`: the stack for development, which compiles and restarts on every change. */
import { prepare } from './prepare.mjs';
import { printFailure } from './progress.mjs';
import { DEV_USAGE, parseDevArguments } from './stack/arguments.mjs';
import { devHomeFolder } from './stack/home.mjs';
import { launch, untilEnding } from './stack/launch.mjs';
import { formatLogLine } from './stack/log-lines.mjs';
import { serve } from './stack/serve.mjs';
import { restartService } from './stack/service.mjs';
import { watchSources } from './stack/watch.mjs';
import { serveWeb } from './stack/web-server.mjs';

/** Compiled folders that a process of each role does not load. */
const NOT_LOADED_BY = {
  api: ['workers', 'activities', 'scripts', 'bench'],
  worker: ['api', 'scripts', 'bench'],
};

const DEBUG_PORT = 9229;

/** Next to those of `npm start`, so that both can run at the same time. */
const PREFERRED_PORTS = { api: 3100, temporal: 7333, temporalUi: 8333, s3: 7170, mongo: 27117, demoReceiver: 3199 };

const loads = (role, folder) => !NOT_LOADED_BY[role === 'api' ? 'api' : 'worker'].includes(folder);

async function main() {
  const { json, inspect, ...options } = parseDevArguments(process.argv.slice(2));
  if (options.help) return void console.log(DEV_USAGE);
  const home = devHomeFolder();
  const onLine = (role, line) => console.log(json ? line : formatLogLine(role, line));
  const nodeOptions = (index) => [
    '--enable-source-maps',
    ...(inspect ? [`--inspect=127.0.0.1:${DEBUG_PORT + index}`] : []),
  ];
  await launch(home, async ({ progress, ending }) => {
    await untilEnding(prepare(progress), ending);
    const onServing = async ({ stack, processes, run }) => {
      const web = await serveWeb(run.api);
      progress.say(`pages that reload: ${web}/console, ${web}/verify`);
      watchSources({
        say: progress.say,
        onCompiled: (folders) => restartChanged(folders, { stack, processes, progress }),
      });
    };
    const fixed = { ephemeral: false, workers: [], testPorts: true, preferredPorts: PREFERRED_PORTS };
    await serve({
      home,
      options: { ...options, ...fixed, nodeOptions, onLine },
      env: process.env,
      progress,
      ending,
      onServing,
    });
  });
}

/** Restarts the processes that load code from these compiled folders. */
async function restartChanged(folders, { stack, processes, progress }) {
  const affected = processes.filter(({ supervised }) => folders.some((folder) => loads(supervised.role, folder)));
  if (affected.length === 0) return restartService(stack, []);
  const roles = affected.map(({ supervised }) => supervised.role).join(', ');
  await progress.step(`restarting ${roles}`, () => restartService(stack, affected));
}

await main().catch(printFailure);
process.exit();

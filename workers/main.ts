import { ConfigError, loadConfig } from '../lib/config';
import { watchEventLoop } from '../lib/event-loop-watchdog';
import { logStartFailure } from '../lib/process-log';
import { requireHiddenSecrets } from '../lib/secret-settings';
import { isPool, POOL_NAMES } from '../workflows/contracts';
import type { Pool } from '../workflows/contracts';

const USAGE = `Usage: workers/main.js --pools=all | --pools=${POOL_NAMES.join(',')} [--check]`;

/** Parses the pools of the command line. */
function parsePools(argv: readonly string[]): readonly Pool[] {
  const requested = argv.find((argument) => argument.startsWith('--pools='))?.slice('--pools='.length) ?? 'all';
  if (requested === 'all') return POOL_NAMES;
  return requested.split(',').map((part) => {
    const name = part.trim();
    if (!isPool(name)) throw new ConfigError(`--pools: no pool is named ${name}.\n${USAGE}`);
    return name;
  });
}

async function main(): Promise<void> {
  const argv = process.argv.slice(2);
  if (argv.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  const pools = parsePools(argv);
  const config = loadConfig();
  requireHiddenSecrets();
  if (argv.includes('--check')) {
    process.stdout.write(`configuration valid; pools: ${pools.join(', ')}\n`);
    return;
  }
  watchEventLoop('worker', config.EVENT_LOOP_LIMIT_SECONDS);
  // Loaded only now: all modules of the pools take ten times as long to load as those that check the configuration.
  const { runWorkers } = await import('./run.js');
  await runWorkers(config, pools);
}

main().catch((error: unknown) => {
  logStartFailure('worker', error);
  process.exitCode = 1;
  // Exit, so that the supervisor restarts the worker.
  setTimeout(() => process.exit(1), 1000).unref();
});

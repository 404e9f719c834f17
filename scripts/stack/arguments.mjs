import { LauncherError } from '../progress.mjs';
import { parseOptions } from '../options.mjs';

export const START_USAGE = `Usage: npm start [-- options]

Starts MongoDB, Temporal, an S3 server, the API and the workers, runs the demonstration and serves until Ctrl-C. Installs
packages, tools and model weights first if they are missing. Data is kept in .vouch (VOUCH_HOME).

  --fresh                 delete the data of earlier runs first
  --restore ID            restore a backup (its id, or latest) before API and workers start; needs BACKUP_TARGET,
                          BACKUP_KEY_FILE and an empty database, such as with --fresh, which then deletes data only if the
                          backup can be restored
  --restore-only PART,…   with --restore: only keys, objects or both, next to an intact database
  --ephemeral             keep data in a temporary folder that is removed at the end
  --no-demo               do not run the demonstration
  --port N                port of the API (0: any free port); it is an error if the port is in use
  --workers POOL=N,…      additional worker processes for a pool, such as vision=2,rendering=1
  --help                  print this text`;

export const DEV_USAGE = `Usage: npm run dev [-- options]

Starts the stack for development: sources are compiled on every change, then the API and the workers are restarted.
Pages of the console and the capture page are also served from web/ itself and reload on every change.
Data is kept in .vouch/dev, separate from that of \`npm start\`. \`npm test -- <path>\` uses this stack while it runs; for
the tests, rate limits are raised and company registers are expected at a local port (set GLEIF_URL, COMPANIES_HOUSE_URL
or VIES_URL to use others).

  --pools NAME,…          worker pools to run, such as --pools=vision (default: all)
  --port N                port of the API (default: 3100 if it is free; 0: any free port)
  --inspect               debugger ports: 9229 for the API, 9230 for the workers
  --fresh                 delete the data of earlier runs first
  --json                  print logs as JSON
  --help                  print this text`;

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @throws {LauncherError} naming the option and the values that it accepts
 */
export function parseStartArguments(args, env) {
  const { values } = parseOptions(
    START_USAGE,
    {
      fresh: { type: 'boolean', default: false },
      restore: { type: 'string' },
      'restore-only': { type: 'string' },
      ephemeral: { type: 'boolean', default: false },
      'no-demo': { type: 'boolean', default: false },
      port: { type: 'string' },
      workers: { type: 'string', multiple: true, default: [] },
    },
    { args },
  );
  return {
    fresh: values.fresh,
    restore: values.restore,
    restoreOnly: parseParts(values),
    ephemeral: values.ephemeral,
    demo: !values['no-demo'],
    help: values.help,
    port: parsePort(values.port ?? env.PORT),
    workers: values.workers.flatMap((each) => each.split(',')).map(parseWorkers),
  };
}

/**
 * @param {string[]} args
 * @throws {LauncherError} naming the option and the values that it accepts
 */
export function parseDevArguments(args) {
  const { values } = parseOptions(
    DEV_USAGE,
    {
      pools: { type: 'string', default: 'all' },
      port: { type: 'string' },
      inspect: { type: 'boolean', default: false },
      fresh: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
    { args },
  );
  if (!/^[a-z]+(,[a-z]+)*$/.test(values.pools))
    throw new LauncherError(`--pools accepts names separated by commas, such as vision,rendering, not ${values.pools}`);
  return {
    fresh: values.fresh,
    json: values.json,
    help: values.help,
    pools: values.pools,
    port: parsePort(values.port),
    inspect: values.inspect,
  };
}

/** The parts to restore; undefined for all of a backup. */
function parseParts({ restore, fresh, 'restore-only': text }) {
  if (text === undefined) return undefined;
  if (restore === undefined)
    throw new LauncherError('--restore-only needs --restore with the id of a backup, or latest');
  if (fresh) throw new LauncherError('--restore-only keeps the database, and --fresh deletes it: use one of them');
  const parts = text.split(',').map((part) => part.trim());
  const unknown = parts.find((part) => !['keys', 'objects'].includes(part));
  if (unknown !== undefined) throw new LauncherError(`--restore-only accepts keys, objects or both, not ${unknown}`);
  // Files can be written without the keys that decrypt them, and nothing can be read without the keys.
  return parts.sort();
}

function parsePort(text) {
  if (text === undefined || text === '') return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new LauncherError(`--port accepts 0–65535, not ${text}`);
  return port;
}

function parseWorkers(text) {
  const match = /^([a-z]+)=(\d{1,2})$/.exec(text.trim());
  if (match === null) throw new LauncherError(`--workers accepts pool=count, such as vision=2, not ${text}`);
  return { pool: match[1], count: Number(match[2]) };
}

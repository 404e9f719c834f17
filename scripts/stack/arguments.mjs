import { parseArgs } from 'node:util';
import { LauncherError } from '../progress.mjs';

export const USAGE = `npm start -- [--fresh] [--ephemeral] [--no-demo] [--port N] [--workers pool=count,…]
  --fresh       forget the data of earlier runs
  --ephemeral   keep data in a temporary folder that is removed at the end
  --no-demo     serve without running the demonstration
  --port N      port of the API (0: any free one); an occupied one is an error
  --workers     more worker processes for a pool, as vision=2,rendering=1`;

/**
 * @param {string[]} argv
 * @param {NodeJS.ProcessEnv} env
 * @throws {LauncherError} naming the option and what it accepts
 */
export function parseLauncherArguments(argv, env) {
  let values;
  try {
    ({ values } = parseArgs({
      args: argv,
      options: {
        fresh: { type: 'boolean', default: false },
        ephemeral: { type: 'boolean', default: false },
        'no-demo': { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
        port: { type: 'string' },
        workers: { type: 'string', multiple: true, default: [] },
      },
    }));
  } catch (error) {
    throw new LauncherError(`${error.message}\n${USAGE}`);
  }
  return {
    fresh: values.fresh,
    ephemeral: values.ephemeral,
    demo: !values['no-demo'],
    help: values.help,
    port: parsePort(values.port ?? env.PORT),
    workers: values.workers.flatMap((each) => each.split(',')).map(parseWorkers),
  };
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
  if (match === null) throw new LauncherError(`--workers accepts pool=count, as vision=2, not ${text}`);
  return { pool: match[1], count: Number(match[2]) };
}

import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../../lib/config-error';

/** The content of run.json, which the launcher writes. */
export interface RunningService {
  api: string;
  docs: string;
  temporal: string;
  temporalUi?: string;
  /** The demonstration organisation. */
  organisationId: string;
  identityApiKey: string;
  admin: { email: string; password: string };
  demoReceiverPort: number;
  /** Process ids by role: launcher, api, worker, mongod, temporal, s3; null while a process is restarted. */
  pids?: Record<string, number | null>;
  /** Addresses of the processes of the service, where their metrics are. */
  processes?: Record<string, string>;
  /** Environment of the service's processes. */
  environment?: Record<string, string>;
}

/** run.json of the running service: VOUCH_RUN, else that of `npm start`, else that of `npm run dev`. */
export function getRunFile(): string {
  const home = process.env['VOUCH_HOME'] ?? '.vouch';
  const runFile = process.env['VOUCH_RUN'] ?? path.join(home, 'run.json');
  const devRunFile = path.join(home, 'dev', 'run.json');
  return !existsSync(runFile) && existsSync(devRunFile) ? devRunFile : runFile;
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The running service; null when none is, also if all its processes were killed and left the file. */
function findRunningService(): RunningService | null {
  const file = getRunFile();
  const run = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as RunningService) : null;
  const pids = Object.values(run?.pids ?? {}).filter((pid) => pid !== null);
  return pids.length > 0 && !pids.some(isRunning) ? null : run;
}

/** @throws ConfigError when no service is running */
export function readRunningService(): RunningService {
  const run = findRunningService();
  if (run === null) {
    const folder = path.dirname(path.resolve(getRunFile()));
    throw new ConfigError(`No service is running in ${folder}; start it with npm start.`);
  }
  return run;
}

/** The browser that renders the specimen: CHROMIUM_PATH, else that of the running service. */
export function findChromiumPath(): string {
  const chosen = process.env['CHROMIUM_PATH'] ?? readRunningService().environment?.['CHROMIUM_PATH'];
  if (chosen === undefined)
    throw new Error('CHROMIUM_PATH is not set; it names the browser that renders the specimen.');
  return chosen;
}

/** Whether that browser runs in its sandbox: CHROMIUM_SANDBOX, else as for the running service if that provides it. */
export function usesChromiumSandbox(): boolean {
  const { CHROMIUM_PATH, CHROMIUM_SANDBOX } = process.env;
  const setting =
    CHROMIUM_PATH === undefined
      ? (CHROMIUM_SANDBOX ?? readRunningService().environment?.['CHROMIUM_SANDBOX'])
      : CHROMIUM_SANDBOX;
  return setting !== 'false';
}

/** Whether the environment names an installation. An empty variable counts as not set, as in the configuration. */
const namesInstallation = ({ MONGO_URL = '', MONGO_URL_FILE = '' }: NodeJS.ProcessEnv): boolean =>
  MONGO_URL !== '' || MONGO_URL_FILE !== '';

/** This process's environment, with the addresses of the engines of the running service. */
function addServiceEnvironment(run: RunningService | null): NodeJS.ProcessEnv {
  const { MONGO_URL: _empty, ...own } = process.env;
  return { ...run?.environment, ...own };
}

/** The environment with the addresses of the engines: this process's own, else that of the running service. */
export const getServiceEnvironment = (): NodeJS.ProcessEnv =>
  namesInstallation(process.env) ? process.env : addServiceEnvironment(readRunningService());

/** The same for a command that needs no installation. */
export const findServiceEnvironment = (): NodeJS.ProcessEnv =>
  namesInstallation(process.env) ? process.env : addServiceEnvironment(findRunningService());
